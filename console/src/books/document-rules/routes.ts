import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { pageIn } from '../../app/table/page-number.ts'

export const rulesPath = '/settings/document-rules'

export function documentRuleRoutes(root: AnyRoute) {
  return [
    createRoute({
      getParentRoute: () => root,
      path: rulesPath,
      validateSearch: pageIn,
      component: lazyRouteComponent(() => import('./list-page.tsx'), 'ListPage'),
    }),
  ]
}
