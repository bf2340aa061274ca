import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { searchIn } from '../../documents/search.ts'
import { statementList } from '../fields.ts'

export function statementRoutes(root: AnyRoute) {
  const getParentRoute = () => root
  return [
    createRoute({
      getParentRoute,
      path: '/statements',
      validateSearch: (given: Record<string, unknown>) => searchIn(statementList, given),
      component: lazyRouteComponent(() => import('./list-page.tsx'), 'ListPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/statements/new',
      validateSearch: ({ bills }: Record<string, unknown>) => (typeof bills === 'string' && bills ? { bills } : {}),
      component: lazyRouteComponent(() => import('./new-page.tsx'), 'NewPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/statements/$statementId',
      component: lazyRouteComponent(() => import('./detail-page.tsx'), 'DetailPage'),
    }),
  ]
}
