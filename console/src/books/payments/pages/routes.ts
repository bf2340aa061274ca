import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { searchIn } from '../../documents/search.ts'
import { paymentList } from '../fields.ts'

/** What a link to a new payment can say about it; which documents it is of stands behind the `#`. */
export type NewSearch = { direction?: 'out' | 'in'; party?: string; currency?: string }

export function paymentRoutes(root: AnyRoute) {
  const getParentRoute = () => root
  return [
    createRoute({
      getParentRoute,
      path: paymentList.path,
      validateSearch: (given: Record<string, unknown>) => searchIn(paymentList, given),
      component: lazyRouteComponent(() => import('./list-page.tsx'), 'ListPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/payments/new',
      validateSearch: newSearchIn,
      component: lazyRouteComponent(() => import('./new-page.tsx'), 'NewPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/payments/$paymentId',
      component: lazyRouteComponent(() => import('./detail-page.tsx'), 'DetailPage'),
    }),
  ]
}

function newSearchIn({ direction, party, currency }: Record<string, unknown>): NewSearch {
  const text = (value: unknown) => (typeof value === 'string' && value ? value : undefined)
  const given = {
    direction: direction === 'in' || direction === 'out' ? direction : undefined,
    party: text(party),
    currency: text(currency),
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value)) as NewSearch
}
