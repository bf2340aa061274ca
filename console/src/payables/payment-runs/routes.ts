import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { pageIn } from '../../app/table/page-number.ts'
import { type RunStatus, runStatusWords } from './states.ts'

export const runsPath = '/payment-runs'

export type RunsSearch = { state?: RunStatus; page?: number }

export function paymentRunRoutes(root: AnyRoute) {
  const getParentRoute = () => root
  return [
    createRoute({
      getParentRoute,
      path: runsPath,
      validateSearch: searchIn,
      component: lazyRouteComponent(() => import('./list-page.tsx'), 'ListPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/payment-runs/$runId',
      component: lazyRouteComponent(() => import('./detail-page.tsx'), 'DetailPage'),
    }),
  ]
}

function searchIn(given: Record<string, unknown>): RunsSearch {
  const state =
    typeof given.state === 'string' && Object.hasOwn(runStatusWords, given.state) ? (given.state as RunStatus) : null
  return { ...(state && { state }), ...pageIn(given) }
}
