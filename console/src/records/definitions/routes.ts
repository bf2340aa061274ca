import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'

const base = '/settings/objects'

export function definitionRoutes(root: AnyRoute) {
  const getParentRoute = () => root
  return [
    createRoute({
      getParentRoute,
      path: base,
      component: lazyRouteComponent(() => import('./list-page.tsx'), 'ListPage'),
    }),
    createRoute({
      getParentRoute,
      path: `${base}/new`,
      component: lazyRouteComponent(() => import('./new-page.tsx'), 'NewPage'),
    }),
    createRoute({
      getParentRoute,
      path: `${base}/$objectKey`,
      component: lazyRouteComponent(() => import('./detail-page.tsx'), 'DetailPage'),
    }),
  ]
}
