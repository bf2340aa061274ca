import { type AnyRoute, lazyRouteComponent } from '@tanstack/react-router'
import { documentRoutes } from '../../documents/routes.ts'
import { bills } from '../kind.ts'

export function billRoutes(root: AnyRoute) {
  return documentRoutes(root, bills, {
    list: lazyRouteComponent(() => import('./list-page.tsx'), 'ListPage'),
    new: lazyRouteComponent(() => import('./new-page.tsx'), 'NewPage'),
    import: lazyRouteComponent(() => import('./import-page.tsx'), 'ImportPage'),
    one: lazyRouteComponent(() => import('./detail-page.tsx'), 'DetailPage'),
  })
}
