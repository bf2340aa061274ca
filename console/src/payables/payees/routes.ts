import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { type TermSearch, termIn } from '../../app/table/term-in-address.ts'

export const payeesPath = '/payees'

/** `show` keeps the payees for which a change waits, those of carriers, or the factoring companies. */
export type PayeesSearch = TermSearch & { show?: 'waiting' | 'carriers' | 'factors' }

export function payeeRoutes(root: AnyRoute) {
  const getParentRoute = () => root
  return [
    createRoute({
      getParentRoute,
      path: payeesPath,
      validateSearch: searchIn,
      component: lazyRouteComponent(() => import('./list-page.tsx'), 'ListPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/payees/new',
      validateSearch: ({ carrier }: Record<string, unknown>): { carrier?: string } =>
        typeof carrier === 'string' && carrier ? { carrier } : {},
      component: lazyRouteComponent(() => import('./new-page.tsx'), 'NewPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/payees/$payeeId',
      component: lazyRouteComponent(() => import('./detail-page.tsx'), 'DetailPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/payees/$payeeId/edit',
      component: lazyRouteComponent(() => import('./edit-page.tsx'), 'EditPage'),
    }),
  ]
}

function searchIn(given: Record<string, unknown>): PayeesSearch {
  const { show } = given
  return { ...termIn(given), ...((show === 'waiting' || show === 'carriers' || show === 'factors') && { show }) }
}
