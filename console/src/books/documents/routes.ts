import { type AnyRoute, createRoute, type RouteComponent } from '@tanstack/react-router'
import type { DocumentKind } from './kind.ts'
import { searchIn } from './search.ts'

type Pages = Record<'list' | 'new' | 'import' | 'one', RouteComponent>

/** The paths of a kind of document. */
export function documentRoutes(root: AnyRoute, { list, party }: DocumentKind, pages: Pages) {
  const getParentRoute = () => root
  return [
    createRoute({
      getParentRoute,
      path: list.path,
      validateSearch: (given: Record<string, unknown>) => searchIn(list, given),
      component: pages.list,
    }),
    createRoute({
      getParentRoute,
      path: `${list.path}/new`,
      validateSearch: ({ [party]: id }: Record<string, unknown>) =>
        typeof id === 'string' && id ? { [party]: id } : {},
      component: pages.new,
    }),
    createRoute({ getParentRoute, path: `${list.path}/import`, component: pages.import }),
    createRoute({ getParentRoute, path: `${list.path}/$documentId`, component: pages.one }),
  ]
}
