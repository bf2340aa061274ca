import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { pageIn } from '../../app/table/page-number.ts'

export const transfersPath = '/settings/transfers'

export function transferRoutes(root: AnyRoute) {
  return [
    createRoute({
      getParentRoute: () => root,
      path: transfersPath,
      validateSearch: pageIn,
      component: lazyRouteComponent(() => import('./list-page.tsx'), 'ListPage'),
    }),
  ]
}
