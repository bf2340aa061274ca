import { plainRoutes } from '../../app/resource/plain-routes.ts'

export const payTermsPath = '/settings/pay-terms'
export const payTermRoutes = plainRoutes(payTermsPath, () => import('./list-page.tsx'))
