import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'

export const payingAccountsPath = '/settings/paying-accounts'

export function payingAccountRoutes(root: AnyRoute) {
  return [
    createRoute({
      getParentRoute: () => root,
      path: payingAccountsPath,
      component: lazyRouteComponent(() => import('./list-page.tsx'), 'ListPage'),
    }),
  ]
}
