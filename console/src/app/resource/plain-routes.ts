import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { termIn } from '../table/term-in-address.ts'

/** The one page of plain records, with what is searched for in its address. */
export const plainRoutes = (path: string, load: () => Promise<{ ListPage: ComponentType }>) => (root: AnyRoute) => [
  createRoute({
    getParentRoute: () => root,
    path,
    validateSearch: termIn,
    component: lazyRouteComponent(load, 'ListPage'),
  }),
]
