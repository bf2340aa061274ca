import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import { periodRoutes } from './accounting-periods/routes.ts'
import { currenciesQuery } from './api/currencies.ts'
import { meQuery } from './api/me.ts'
import { approvalRoutes } from './approvals/routes.ts'
import { auditPolicyRoutes } from './audit-policies/routes.ts'
import { billItemTypeRoutes } from './bill-item-types/routes.ts'
import { billRoutes } from './bills/routes.ts'
import { connectionRoutes } from './connections/routes.ts'
import { creditRoutes } from './credits/routes.tsx'
import { definitionRoutes } from './definitions/routes.ts'
import { eventsPath } from './developers/paths.ts'
import { dispatchRoutes } from './dispatch/routes.ts'
import { documentRuleRoutes } from './document-rules/routes.ts'
import { emanifestRoutes } from './emanifests/routes.ts'
import { eventRoutes } from './events/routes.ts'
import { exchangeRateRoutes } from './exchange-rates/routes.ts'
import { invoiceRoutes } from './invoices/routes.ts'
import { mailRoutes } from './mail/routes.ts'
import { applicationRoutes } from './oauth-applications/routes.ts'
import { objectRoutes } from './objects/routes.ts'
import { organizationRoutes } from './organization/routes.ts'
import { partnerRoutes } from './partners/routes.ts'
import { payTermRoutes } from './pay-terms/routes.ts'
import { payableRoutes } from './payables/routes.ts'
import { payeeRoutes } from './payees/routes.ts'
import { payingAccountRoutes } from './paying-accounts/routes.ts'
import { paymentRunRoutes } from './payment-runs/routes.ts'
import { paymentRoutes } from './payments/routes.ts'
import { peopleRoutes } from './people/routes.ts'
import { reportRoutes } from './reports/routes.ts'
import { requestLogRoutes } from './request-log/routes.ts'
import { securityLogRoutes } from './security-log/routes.ts'
import { Broken } from './shell/broken.tsx'
import { NotFound } from './shell/not-found.tsx'
import { Shell } from './shell/shell.tsx'
import { Waiting } from './shell/waiting.tsx'
import { statementRoutes } from './statements/routes.ts'
import { taxRateRoutes } from './tax-rates/routes.ts'
import { transferRoutes } from './transfers/routes.ts'
import { webhookRoutes } from './webhooks/routes.ts'

export const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Shell,
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

/** The table of contents of the console: a resource is one line here, one in shell/navigation.ts, and its section in server/src/console/routes.ts. */
const routeTree = rootRoute.addChildren([
  ...homeRoutes,
  ...groupRoutes,
  ...dispatchRoutes(rootRoute),
  ...payableRoutes(rootRoute),
  ...billRoutes(rootRoute),
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
  ...objectRoutes(rootRoute),
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
