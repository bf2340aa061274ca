import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import { currenciesQuery } from './app/api/currencies.ts'
import { meQuery } from './app/api/me.ts'
import { NotFound } from './app/parts/not-found.tsx'
import { Broken } from './app/shell/broken.tsx'
import { Shell } from './app/shell/shell.tsx'
import { Waiting } from './app/shell/waiting.tsx'
import { approvalRoutes } from './books/approvals/routes.ts'
import { billRoutes } from './books/bills/pages/routes.ts'
import { creditRoutes } from './books/credits/pages/routes.tsx'
import { documentRuleRoutes } from './books/document-rules/routes.ts'
import { invoiceRoutes } from './books/invoices/pages/routes.ts'
import { paymentRoutes } from './books/payments/pages/routes.ts'
import { reportRoutes } from './books/reports/routes.ts'
import { statementRoutes } from './books/statements/pages/routes.ts'
import { eventRoutes } from './developers/event-log/routes.ts'
import { applicationRoutes } from './developers/oauth-applications/pages/routes.ts'
import { eventsPath } from './developers/paths.ts'
import { requestLogRoutes } from './developers/request-log/routes.ts'
import { webhookRoutes } from './developers/webhooks/routes.ts'
import { dispatchRoutes } from './freight/dispatch/routes.ts'
import { emanifestRoutes } from './freight/emanifests/routes.ts'
import { connectionRoutes } from './integrations/connections/routes.ts'
import { partnerRoutes } from './integrations/partners/routes.ts'
import { useNavigation } from './navigation.ts'
import { auditPolicyRoutes } from './payables/audit-policies/routes.ts'
import { payeeRoutes } from './payables/payees/routes.ts'
import { payingAccountRoutes } from './payables/paying-accounts/routes.ts'
import { paymentRunRoutes } from './payables/payment-runs/routes.ts'
import { payableRoutes } from './payables/routes.ts'
import { definitionRoutes } from './records/definitions/routes.ts'
import { objectRoutes } from './records/routes.ts'
import { periodRoutes } from './settings/accounting-periods/routes.ts'
import { billItemTypeRoutes } from './settings/bill-item-types/routes.ts'
import { exchangeRateRoutes } from './settings/exchange-rates/routes.ts'
import { mailRoutes } from './settings/mail/routes.ts'
import { organizationRoutes } from './settings/organization/routes.ts'
import { payTermRoutes } from './settings/pay-terms/routes.ts'
import { peopleRoutes } from './settings/people/routes.ts'
import { securityLogRoutes } from './settings/security-log/routes.ts'
import { taxRateRoutes } from './settings/tax-rates/routes.ts'
import { transferRoutes } from './settings/transfers/routes.ts'

export const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Frame,
  notFoundComponent: NotFound,
  errorComponent: Broken,
  loader: async ({ context }) => {
    const [me] = await Promise.all([
      context.queryClient.ensureQueryData(meQuery),
      // No amount can be shown without: a page would have dashes in their place, and buttons that pay them.
      context.queryClient.ensureQueryData(currenciesQuery).catch(() => {}),
    ])
    // The people of carriers have a page of their own, and nothing to see here.
    if (me.user?.role === 'partner') {
      window.location.replace('/portal')
      await new Promise(() => {})
    }
    return me
  },
})

function Frame() {
  return <Shell groups={useNavigation()} />
}

const billPage = lazyRouteComponent(() => import('./bill-page.tsx'), 'BillPage')
const objectPage = lazyRouteComponent(() => import('./object-page.tsx'), 'ObjectPage')
const homePage = lazyRouteComponent(() => import('./home/home-page.tsx'), 'HomePage')
const homeRoutes = ['/', '/home'].map((path) =>
  createRoute({ getParentRoute: () => rootRoute, path, component: homePage }),
)

/** A group of the navigation has no page of its own: its address leads to its first page. */
const groupRoutes = Object.entries({ '/settings': '/settings/organization', '/developers': eventsPath }).map(
  ([path, to]) =>
    createRoute({
      getParentRoute: () => rootRoute,
      path,
      beforeLoad: () => {
        throw redirect({ to, replace: true })
      },
    }),
)

/** The table of contents of the console: a resource is one line here, one in navigation.ts, and its section in server/src/tools/console/routes.ts. */
const routeTree = rootRoute.addChildren([
  ...homeRoutes,
  ...groupRoutes,
  ...dispatchRoutes(rootRoute),
  ...payableRoutes(rootRoute),
  ...billRoutes(rootRoute, billPage),
  ...statementRoutes(rootRoute),
  ...invoiceRoutes(rootRoute),
  ...creditRoutes(rootRoute),
  ...payeeRoutes(rootRoute),
  ...paymentRoutes(rootRoute),
  ...paymentRunRoutes(rootRoute),
  ...reportRoutes(rootRoute),
  ...emanifestRoutes(rootRoute),
  ...organizationRoutes(rootRoute),
  ...approvalRoutes(rootRoute),
  ...auditPolicyRoutes(rootRoute),
  ...periodRoutes(rootRoute),
  ...documentRuleRoutes(rootRoute),
  ...exchangeRateRoutes(rootRoute),
  ...taxRateRoutes(rootRoute),
  ...billItemTypeRoutes(rootRoute),
  ...payTermRoutes(rootRoute),
  ...payingAccountRoutes(rootRoute),
  ...connectionRoutes(rootRoute),
  ...partnerRoutes(rootRoute),
  ...transferRoutes(rootRoute),
  ...mailRoutes(rootRoute),
  ...peopleRoutes(rootRoute),
  ...securityLogRoutes(rootRoute),
  ...eventRoutes(rootRoute),
  ...webhookRoutes(rootRoute),
  ...requestLogRoutes(rootRoute),
  ...applicationRoutes(rootRoute),
  ...objectRoutes(rootRoute, objectPage),
  ...definitionRoutes(rootRoute),
])

export function makeRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    context: { queryClient },
    // Unknown parameters are removed from the address, so that nobody takes them for a filter.
    search: { strict: true },
    defaultPreload: 'intent',
    scrollRestoration: true,
    defaultErrorComponent: Broken,
    defaultNotFoundComponent: NotFound,
    defaultPendingComponent: Waiting,
  })
}
