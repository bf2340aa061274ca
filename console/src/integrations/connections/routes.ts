import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'

export const connectionsPath = '/settings/connections'

/** What an accounting system comes back with. */
export type CallbackSearch = { code?: string; state?: string; realm?: string; error?: string }

export function connectionRoutes(root: AnyRoute) {
  const getParentRoute = () => root
  return [
    createRoute({
      getParentRoute,
      path: connectionsPath,
      component: lazyRouteComponent(() => import('./list-page.tsx'), 'ListPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/settings/connections/callback',
      validateSearch: callbackIn,
      component: lazyRouteComponent(() => import('./callback-page.tsx'), 'CallbackPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/settings/connections/$connectionId',
      component: lazyRouteComponent(() => import('./detail-page.tsx'), 'DetailPage'),
    }),
  ]
}

/** The number of a company has more digits than a number of JavaScript, so it is read from the address itself. */
function callbackIn(given: Record<string, unknown>): CallbackSearch {
  const realm = given.realm ?? new URLSearchParams(window.location.search).get('realmId')
  const text = (value: unknown) => (value === undefined || value === null ? undefined : String(value))
  const found = { code: text(given.code), state: text(given.state), realm: text(realm), error: text(given.error) }
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined)) as CallbackSearch
}
