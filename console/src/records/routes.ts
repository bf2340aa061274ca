import { type AnyRoute, createRoute, lazyRouteComponent, type RouteComponent } from '@tanstack/react-router'
import { pageIn } from '../app/table/page-number.ts'
import { viewIn } from './boards/view.ts'

export function objectRoutes(root: AnyRoute, one: RouteComponent) {
  const getParentRoute = () => root
  return [
    createRoute({
      getParentRoute,
      path: '/objects/$objectKey',
      validateSearch: viewIn,
      component: lazyRouteComponent(() => import('./list/list-page.tsx'), 'ListPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/objects/$objectKey/new',
      validateSearch: ({ for: what }: Record<string, unknown>) =>
        typeof what === 'string' && what ? { for: what } : {},
      component: lazyRouteComponent(() => import('./single/new-page.tsx'), 'NewPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/objects/$objectKey/$objectId',
      validateSearch: pageIn,
      component: one,
    }),
  ]
}
