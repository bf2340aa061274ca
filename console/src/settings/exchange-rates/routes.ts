import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { pageIn } from '../../app/table/page-number.ts'
import type { RateSearch } from './queries.ts'

export const exchangeRatesPath = '/settings/exchange-rates'

export function exchangeRateRoutes(root: AnyRoute) {
  return [
    createRoute({
      getParentRoute: () => root,
      path: exchangeRatesPath,
      validateSearch: searchIn,
      component: lazyRouteComponent(() => import('./list-page.tsx'), 'ListPage'),
    }),
  ]
}

function searchIn(given: Record<string, unknown>): RateSearch {
  const code = (value: unknown) => (typeof value === 'string' && /^[a-z]{3}$/.test(value) ? value : '')
  const on = typeof given.on === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(given.on) ? given.on : ''
  const [from, to] = [code(given.from), code(given.to)]
  return { ...(from && { from }), ...(to && { to }), ...(on && { on }), ...pageIn(given) }
}
