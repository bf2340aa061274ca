import { pageIn } from '../../app/table/page-number.ts'

export const inboxPath = '/payables'
export const invoicePath = (id: string) => `${inboxPath}/${id}`

export const tabs = {
  received: 'Received',
  exceptions: 'Exceptions',
  approve: 'To approve',
  pay: 'To pay',
} as const
export type Tab = keyof typeof tabs

/** What the address of the inbox says: the tab, what is searched for, the page, and the record that is shown next to the list. */
export type InboxSearch = { tab?: Tab; term?: string; page?: number; open?: string }

export function searchIn(given: Record<string, unknown>): InboxSearch {
  const text = (value: unknown) => (typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '')
  const [tab, term, open] = [text(given.tab), text(given.term), text(given.open)]
  return { ...(tab in tabs && { tab: tab as Tab }), ...(term && { term }), ...pageIn(given), ...(open && { open }) }
}
