import { plainRoutes } from '../../app/resource/plain-routes.ts'

export const billItemTypesPath = '/settings/bill-item-types'
export const billItemTypeRoutes = plainRoutes(billItemTypesPath, () => import('./list-page.tsx'))
