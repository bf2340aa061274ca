import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { dispatchIn } from './trips/search.ts'

export function dispatchRoutes(root: AnyRoute) {
  return [
    createRoute({
      getParentRoute: () => root,
      path: '/dispatch',
      validateSearch: dispatchIn,
      component: lazyRouteComponent(() => import('./page.tsx'), 'DispatchPage'),
    }),
  ]
}
