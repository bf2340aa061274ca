import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'

export function approvalRoutes(root: AnyRoute) {
  return [
    createRoute({
      getParentRoute: () => root,
      path: '/settings/approvals',
      component: lazyRouteComponent(() => import('./settings-page.tsx'), 'SettingsPage'),
    }),
  ]
}
