import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { searchIn } from './search.ts'

export function securityLogRoutes(root: AnyRoute) {
  return [
    createRoute({
      getParentRoute: () => root,
      path: '/settings/security-log',
      validateSearch: searchIn,
      component: lazyRouteComponent(() => import('./list-page.tsx'), 'ListPage'),
    }),
  ]
}
