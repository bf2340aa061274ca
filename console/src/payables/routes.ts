import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { inboxPath, searchIn } from './carrier-invoices/paths.ts'

export function payableRoutes(root: AnyRoute) {
  const getParentRoute = () => root
  return [
    createRoute({
      getParentRoute,
      path: inboxPath,
      validateSearch: searchIn,
      component: lazyRouteComponent(() => import('./inbox/inbox-page.tsx'), 'InboxPage'),
    }),
    createRoute({
      getParentRoute,
      path: `${inboxPath}/new`,
      validateSearch: ({ document }: Record<string, unknown>): { document?: string } =>
        typeof document === 'string' ? { document } : {},
      component: lazyRouteComponent(() => import('./carrier-invoices/pages/new-page.tsx'), 'NewPage'),
    }),
    createRoute({
      getParentRoute,
      path: `${inboxPath}/$invoiceId`,
      validateSearch: ({ edit }: Record<string, unknown>): { edit?: true } => (edit === true ? { edit } : {}),
      component: lazyRouteComponent(() => import('./carrier-invoices/pages/invoice-page.tsx'), 'InvoicePage'),
    }),
  ]
}
