import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { pageIn } from '../../app/table/page-number.ts'

export const emanifestsPath = '/emanifests'

export const shownStates = ['open', 'accepted', 'rejected', 'cancelled'] as const

/** `show` keeps those that are not decided yet, or those in a state; `border` those of one border. */
export type EmanifestsSearch = { show?: (typeof shownStates)[number]; border?: 'ace' | 'aci'; page?: number }

export function emanifestRoutes(root: AnyRoute) {
  const getParentRoute = () => root
  return [
    createRoute({
      getParentRoute,
      path: emanifestsPath,
      validateSearch: searchIn,
      component: lazyRouteComponent(() => import('./list-page.tsx'), 'ListPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/emanifests/$emanifestId',
      component: lazyRouteComponent(() => import('./detail-page.tsx'), 'DetailPage'),
    }),
    createRoute({
      getParentRoute,
      path: '/emanifests/$emanifestId/edit',
      component: lazyRouteComponent(() => import('./edit-page.tsx'), 'EditPage'),
    }),
  ]
}

function searchIn(given: Record<string, unknown>): EmanifestsSearch {
  const show = shownStates.find((state) => state === given.show)
  const border = (['ace', 'aci'] as const).find((one) => one === given.border)
  return { ...(show && { show }), ...(border && { border }), ...pageIn(given) }
}
