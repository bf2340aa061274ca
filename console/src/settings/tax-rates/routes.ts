import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { termIn } from '../../app/table/term-in-address.ts'

export const taxRatesPath = '/settings/tax-rates'

export function taxRateRoutes(root: AnyRoute) {
  return [
    createRoute({
      getParentRoute: () => root,
      path: taxRatesPath,
      validateSearch: termIn,
      component: lazyRouteComponent(() => import('./list-page.tsx'), 'ListPage'),
    }),
  ]
}
