import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { eventsPath } from '../developers/paths.ts'
import { searchIn } from './search.ts'

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
