import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { pageIn } from '../../app/table/page-number.ts'

export const mailPath = '/settings/mail'

export function mailRoutes(root: AnyRoute) {
  return [
    createRoute({
      getParentRoute: () => root,
      path: mailPath,
      validateSearch: pageIn,
      component: lazyRouteComponent(() => import('./list-page.tsx'), 'ListPage'),
    }),
  ]
}
