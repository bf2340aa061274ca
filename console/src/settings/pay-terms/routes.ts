import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { termIn } from '../../app/table/term-in-address.ts'

export function payTermRoutes(root: AnyRoute) {
  return [
    createRoute({
      getParentRoute: () => root,
      path: '/settings/pay-terms',
      validateSearch: termIn,
      component: lazyRouteComponent(() => import('./list-page.tsx'), 'ListPage'),
    }),
  ]
}
