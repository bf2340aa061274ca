import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'

export function auditPolicyRoutes(root: AnyRoute) {
  const component = lazyRouteComponent(() => import('./list-page.tsx'), 'ListPage')
  return [createRoute({ getParentRoute: () => root, path: '/settings/audit-policies', component })]
}
