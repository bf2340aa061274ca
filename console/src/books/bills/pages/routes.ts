import { type AnyRoute, lazyRouteComponent, type RouteComponent } from '@tanstack/react-router'
import { documentRoutes } from '../../documents/routes.ts'
import { bills } from '../kind.ts'

export function billRoutes(root: AnyRoute, one: RouteComponent) {
  return documentRoutes(root, bills, {
    list: lazyRouteComponent(() => import('./list-page.tsx'), 'ListPage'),
    new: lazyRouteComponent(() => import('./new-page.tsx'), 'NewPage'),
    import: lazyRouteComponent(() => import('./import-page.tsx'), 'ImportPage'),
    one,
  })
}
