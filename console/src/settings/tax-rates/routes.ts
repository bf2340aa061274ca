import { plainRoutes } from '../../app/resource/plain-routes.ts'

export const taxRatesPath = '/settings/tax-rates'
export const taxRateRoutes = plainRoutes(taxRatesPath, () => import('./list-page.tsx'))
