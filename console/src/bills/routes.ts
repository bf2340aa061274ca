import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { searchIn } from '../billing/documents/search.ts'
import { billList } from './fields.ts'

export function billRoutes(root: AnyRoute) {
  const getParentRoute = () => root
  return [
    createRoute({
      getParentRoute,
      path: '/bills',
      validateSearch: (given: Record<string, unknown>) => searchIn(billList, given),
      component: lazyRouteComponent(() => import('./list-page.tsx'), 'ListPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/bills/new',
      validateSearch: ({ carrier }: Record<string, unknown>) => (typeof carrier === 'string' && carrier ? { carrier } : {}),
      component: lazyRouteComponent(() => import('./new-page.tsx'), 'NewPage'),
    }),
    createRoute({ getParentRoute, path: '/bills/import', component: lazyRouteComponent(() => import('./import/page.tsx'), 'ImportPage') }),
    createRoute({ getParentRoute, path: '/bills/$billId', component: lazyRouteComponent(() => import('./detail-page.tsx'), 'DetailPage') }),
  ]
}
