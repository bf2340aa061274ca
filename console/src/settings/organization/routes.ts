import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'

export const organizationPath = '/settings/organization'

export function organizationRoutes(root: AnyRoute) {
  return [
    createRoute({
      getParentRoute: () => root,
      path: organizationPath,
      component: lazyRouteComponent(() => import('./page.tsx'), 'OrganizationPage'),
    }),
  ]
}
