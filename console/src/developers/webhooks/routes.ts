import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { pageIn } from '../../app/table/page-number.ts'
import { webhooksPath } from '../paths.ts'
import { deliverySearchIn } from './search.ts'

export function webhookRoutes(root: AnyRoute) {
  const getParentRoute = () => root
  return [
    createRoute({
      getParentRoute,
      path: webhooksPath,
      validateSearch: pageIn,
      component: lazyRouteComponent(() => import('./list-page.tsx'), 'ListPage'),
    }),
    createRoute({
      getParentRoute,
      path: `${webhooksPath}/new`,
      component: lazyRouteComponent(() => import('./new-page.tsx'), 'NewPage'),
    }),
    createRoute({
      getParentRoute,
      path: `${webhooksPath}/$webhookId`,
      validateSearch: deliverySearchIn,
      component: lazyRouteComponent(() => import('./detail-page.tsx'), 'DetailPage'),
    }),
    createRoute({
      getParentRoute,
      path: `${webhooksPath}/$webhookId/deliveries/$deliveryId`,
      component: lazyRouteComponent(() => import('./delivery-page.tsx'), 'DeliveryPage'),
    }),
  ]
}
