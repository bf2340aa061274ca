import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { pageIn } from '../../app/table/page-number.ts'
import { transfersPath } from '../../app/transfers/paths.ts'

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
