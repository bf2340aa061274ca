import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { searchIn } from '../events/search.ts'
import { eventsPath } from '../paths.ts'

export function eventRoutes(root: AnyRoute) {
  const getParentRoute = () => root
  return [
    createRoute({
      getParentRoute,
      path: eventsPath,
      validateSearch: searchIn,
      component: lazyRouteComponent(() => import('./list-page.tsx'), 'ListPage'),
    }),
    createRoute({
      getParentRoute,
      path: `${eventsPath}/$eventId`,
      component: lazyRouteComponent(() => import('./detail-page.tsx'), 'DetailPage'),
    }),
  ]
}
