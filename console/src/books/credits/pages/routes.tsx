import { type AnyRoute, lazyRouteComponent, type RouteComponent } from '@tanstack/react-router'
import type { DocumentKind } from '../../documents/kind.ts'
import { documentRoutes } from '../../documents/routes.ts'
import type { Credit } from '../fields.ts'
import { carrierCredits, customerCredits } from '../kind.ts'

type Page = 'ListPage' | 'NewPage' | 'ImportPage' | 'DetailPage'

/** Both sides have the same pages. */
export function creditRoutes(root: AnyRoute) {
  return [carrierCredits, customerCredits].flatMap((kind) =>
    documentRoutes(root, kind, {
      list: pageOf('ListPage', kind),
      new: pageOf('NewPage', kind),
      import: pageOf('ImportPage', kind),
      one: pageOf('DetailPage', kind),
    }),
  )
}

function pageOf(name: Page, kind: DocumentKind<Credit>): RouteComponent {
  const Lazy = lazyRouteComponent(() => import('./pages.tsx'), name) as RouteComponent &
    ((props: { kind: DocumentKind<Credit> }) => React.ReactNode)
  return Object.assign(() => <Lazy kind={kind} />, { preload: Lazy.preload }) as unknown as RouteComponent
}
