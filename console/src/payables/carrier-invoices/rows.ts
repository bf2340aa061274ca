import type { Paths } from '@lading/sdk'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { organizationQuery } from '../../app/api/organization.ts'
import { answered } from '../../app/api/problem.ts'
import { lading } from '../../app/api/session.ts'
import { type Bill, nameOf as nameOfBill } from '../../books/bills/bill.ts'
import type { CarrierInvoice } from './invoice.ts'
import { type InboxSearch, type Tab, tabs } from './paths.ts'
import { invoicesQuery } from './queries.ts'

/** What a list of the inbox has: invoices of carriers, and bills. */
export type Row = { id: string; invoice: CarrierInvoice; bill?: never } | { id: string; bill: Bill; invoice?: never }

export function nameOf({ invoice, bill }: Row): string {
  return invoice ? invoice.invoice_number : nameOfBill(bill)
}

export const pageSize = 50

type BillQuery = NonNullable<Paths['/api/v1/bills']['get']['parameters']['query']>
type State = CarrierInvoice['state']

const open = ['saved', 'sent', 'edited'] as const
const invoicesOf: Record<Tab, State[]> = {
  received: ['received'],
  exceptions: ['exception'],
  approve: ['matched', 'approved'],
  pay: [],
}

/** Where an invoice is found after something was done, in a sentence of its own; nothing where it stayed. */
export function sentenceOfMove(before: State, now: State): string {
  const tabOf = (state: State) => (Object.keys(invoicesOf) as Tab[]).find((tab) => invoicesOf[tab].includes(state))
  const tab = tabOf(now)
  return tab && tab !== tabOf(before) ? ` It is now under ${tabs[tab]}.` : ''
}

const billsOf: Record<Tab, BillQuery | null> = {
  received: null,
  exceptions: null,
  approve: { approval_status: ['pending'], status_ids: [...open] },
  pay: { approval_status: ['approved', 'not_needed'], status_ids: [...open] },
}

const billsQuery = (query: BillQuery) =>
  queryOptions({
    queryKey: ['bills', 'inbox', query],
    queryFn: () => answered(lading.GET('/api/v1/bills', { params: { query } })),
    placeholderData: keepPreviousData,
  })

/** How many there are under each tab, whatever is searched for. */
export function useCounts(): Record<Tab, number | undefined> {
  const asksForApproval = useApprovals()
  const { data: received } = useQuery(invoicesQuery({ status_ids: invoicesOf.received, limit: 0 }))
  const { data: exceptions } = useQuery(invoicesQuery({ status_ids: invoicesOf.exceptions, limit: 0 }))
  const { data: matched } = useQuery(invoicesQuery({ status_ids: invoicesOf.approve, limit: 0 }))
  const { data: pending } = useQuery({ ...billsQuery({ ...billsOf.approve, limit: 0 }), enabled: asksForApproval })
  const { data: payable } = useQuery(billsQuery({ ...billsOf.pay, limit: 0 }))
  const approve = matched && (pending || !asksForApproval) ? matched.total + (pending?.total ?? 0) : undefined
  return { received: received?.total, exceptions: exceptions?.total, approve, pay: payable?.total }
}

type Found = {
  rows: readonly Row[]
  paging: { offset: number; limit: number; total: number }
  /** How many bills there are besides those that are shown. */
  moreBills: number
}

/** The rows of a tab. Bills that wait for approval come first, on the first page; in a tab of bills alone they have pages of their own. */
export function useRows({ tab = 'received', term, page = 1 }: InboxSearch) {
  const asksForApproval = useApprovals()
  const states = invoicesOf[tab]
  const hasInvoices = states.length > 0
  const hasBills = tab === 'pay' || (tab === 'approve' && asksForApproval && page === 1)
  const slice = { limit: pageSize, offset: (page - 1) * pageSize, ...(term && { search_term: term }) }
  const invoices = useQuery({ ...invoicesQuery({ status_ids: states, ...slice }), enabled: hasInvoices })
  const bills = useQuery({ ...billsQuery({ ...billsOf[tab], ...slice, sort: 'due_date' }), enabled: hasBills })
  const asked = [...(hasInvoices ? [invoices] : []), ...(hasBills ? [bills] : [])]
  const error = asked.find((one) => one.error)?.error ?? null
  const isWaiting = asked.some(({ isPlaceholderData }) => isPlaceholderData)
  const retry = () => void Promise.all(asked.map(({ refetch }) => refetch()))
  return { data: asked.every(({ data }) => data) ? found() : undefined, error, retry, isWaiting }

  function found(): Found {
    const billRows = hasBills ? (bills.data?.bills ?? []).map((bill): Row => ({ id: bill.id, bill })) : []
    const invoiceRows = hasInvoices
      ? (invoices.data?.carrier_invoices ?? []).map((invoice): Row => ({ id: invoice.id, invoice }))
      : []
    const { offset, limit, total } = (hasInvoices ? invoices.data : bills.data) ?? {
      offset: 0,
      limit: pageSize,
      total: 0,
    }
    const moreBills = hasInvoices && hasBills ? (bills.data?.total ?? 0) - billRows.length : 0
    return { rows: [...billRows, ...invoiceRows], paging: { offset, limit, total }, moreBills }
  }
}

/** Whether the organization has bills approved. */
function useApprovals(): boolean {
  return useQuery(organizationQuery).data?.approvals === 'on'
}
