import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { pageIn } from '../parts/page-number.ts'
import { viewIn } from './view.ts'

export function objectRoutes(root: AnyRoute) {
  const getParentRoute = () => root
  return [
    createRoute({
      getParentRoute,
      path: '/objects/$objectKey',
      validateSearch: viewIn,
      component: lazyRouteComponent(() => import('./list-page.tsx'), 'ListPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/objects/$objectKey/new',
      validateSearch: ({ for: what }: Record<string, unknown>) =>
        typeof what === 'string' && what ? { for: what } : {},
      component: lazyRouteComponent(() => import('./new-page.tsx'), 'NewPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/objects/$objectKey/$objectId',
      validateSearch: pageIn,
      component: lazyRouteComponent(() => import('./detail-page.tsx'), 'DetailPage'),
    }),
  ]
}
