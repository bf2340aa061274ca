import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { requestLogPath } from '../paths.ts'
import { searchIn } from './search.ts'

export function requestLogRoutes(root: AnyRoute) {
  const getParentRoute = () => root
  return [
    createRoute({
      getParentRoute,
      path: requestLogPath,
      validateSearch: searchIn,
      component: lazyRouteComponent(() => import('./list-page.tsx'), 'ListPage'),
    }),
    createRoute({
      getParentRoute,
      path: `${requestLogPath}/$entryId`,
      component: lazyRouteComponent(() => import('./detail-page.tsx'), 'DetailPage'),
    }),
  ]
}
