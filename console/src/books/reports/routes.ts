import { type AnyRoute, createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import type { ReportName } from './queries.ts'

type ReportPage = { name: ReportName; tab: string; title: string; lead: string }

/** The reports by the last part of their path. */
export const reportPages: Record<string, ReportPage> = {
  'payables-aging': {
    name: 'payables_aging',
    tab: 'Payables aging',
    title: 'Payables aging',
    lead: 'What you owe to carriers, by how long ago it was due.',
  },
  'receivables-aging': {
    name: 'receivables_aging',
    tab: 'Receivables aging',
    title: 'Receivables aging',
    lead: 'What customers owe you, by how long ago it was due.',
  },
  margin: {
    name: 'margin',
    tab: 'Margin',
    title: 'Margin by order',
    lead: 'What each order brings in, what it costs, and what is left, in the home currency and before tax.',
  },
  accruals: {
    name: 'accruals',
    tab: 'Delivered, not billed',
    title: 'Delivered and not billed',
    lead: 'Manifests without a bill, and orders without an invoice, whose freight was delivered.',
  },
  spend: {
    name: 'spend',
    tab: 'Spend',
    title: 'Spend',
    lead: 'What the bills come to before tax, less the credits of carriers, by month, carrier and type of line.',
  },
}

export function reportRoutes(root: AnyRoute) {
  const getParentRoute = () => root
  return [
    createRoute({
      getParentRoute,
      path: '/reports',
      beforeLoad: () => {
        throw redirect({ to: '/reports/payables-aging', replace: true })
      },
    }),
    createRoute({
      getParentRoute,
      path: '/reports/$report',
      validateSearch: ({ as_of }: Record<string, unknown>) =>
        typeof as_of === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(as_of) ? { as_of } : {},
      component: lazyRouteComponent(() => import('./page.tsx'), 'ReportPage'),
    }),
  ]
}
