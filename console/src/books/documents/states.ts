import type { Schemas } from '@lading/sdk'
import type { Tab } from './search.ts'

export type Status = Schemas['Bill']['status_id']

export const statusWords: Record<Status, string> = {
  draft: 'Draft',
  saved: 'Saved',
  sent: 'Sent',
  edited: 'Edited',
  paid: 'Paid',
}

const statuses = Object.keys(statusWords) as Status[]

/** The tabs of a list of documents: all of them, and one for each state. */
export const statusTabs: Record<string, Tab> = {
  all: { label: 'All', query: {} },
  ...Object.fromEntries(
    statuses.map((status) => [status, { label: statusWords[status], query: { status_ids: [status] } }]),
  ),
}
