import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { pageIn } from '../../app/table/page-number.ts'

export const periodsPath = '/settings/accounting-periods'

export function periodRoutes(root: AnyRoute) {
  return [
    createRoute({
      getParentRoute: () => root,
      path: periodsPath,
      validateSearch: pageIn,
      component: lazyRouteComponent(() => import('./list-page.tsx'), 'ListPage'),
    }),
  ]
}
