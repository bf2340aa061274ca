import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useKinds } from '../../records/kinds/queries.ts'
import type { Event } from './queries.ts'
import { nounOf } from './types.ts'

const nouns: Record<string, string> = {
  consolidated_bill: 'statement',
  oauth_application: 'application',
  definition: 'object definition',
}

/** A record in words: what kind it is, and its number or name, or the end of its id. */
export function subjectWords({ subject: { type, id }, data }: Event): string {
  const kind = nouns[type] ?? type.replaceAll('_', ' ')
  return `${kind.charAt(0).toUpperCase()}${kind.slice(1)} ${nameIn(data) ?? `…${id.slice(-8)}`}`
}

function nameIn(data: unknown): string | undefined {
  if (typeof data !== 'object' || data === null) return undefined
  const { number, name, title, email, url, fullId, label, invoice_number } = data as Record<string, unknown>
  return [number, invoice_number, name, title, fullId, label, email, url].find(
    (text) => typeof text === 'string' && text !== '',
  ) as string | undefined
}

/** The same with a link to its page, where it has one and is not gone. */
export function SubjectLink({ event }: { event: Event }) {
  const kinds = useKinds()
  const { type, id } = event.subject
  const kind = kinds.find(({ objectKey }) => nounOf(objectKey) === type)
  const to = kind ? `/objects/${kind.objectKey}/${id}` : pages[type]?.(id, event.data)
  if (!to || event.type.endsWith('.deleted')) return subjectWords(event)
  return <Anchor renderRoot={(props) => <Link to={to} {...props} />}>{subjectWords(event)}</Anchor>
}

const pages: Record<string, (id: string, data: unknown) => string> = {
  credit: (id, data) =>
    `/credits/${(data as { direction?: string } | null)?.direction === 'in' ? 'customers' : 'carriers'}/${id}`,
  bill: (id) => `/bills/${id}`,
  consolidated_bill: (id) => `/statements/${id}`,
  invoice: (id) => `/invoices/${id}`,
  payment: (id) => `/payments/${id}`,
  carrier_invoice: (id) => `/payables/${id}`,
  audit_policy: () => '/settings/audit-policies',
  organization: () => '/settings/organization',
  exchange_rate: () => '/settings/exchange-rates',
  tax_rate: () => '/settings/tax-rates',
  approval_rule: () => '/settings/approvals',
  approval_delegation: () => '/settings/approvals',
  accounting_period: () => '/settings/accounting-periods',
  oauth_application: (id) => `/settings/api/oauth-applications/${id}`,
  webhook: (id) => `/developers/webhooks/${id}`,
  user: () => '/settings/people',
  pay_term: () => '/settings/pay-terms',
  bill_item_type: () => '/settings/bill-item-types',
  transfer: () => '/settings/transfers',
}
