import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'

export const partnerPortalPath = '/settings/partner-portal'

export function partnerRoutes(root: AnyRoute) {
  return [
    createRoute({
      getParentRoute: () => root,
      path: partnerPortalPath,
      component: lazyRouteComponent(() => import('./page.tsx'), 'PartnerPortalPage'),
    }),
  ]
}
