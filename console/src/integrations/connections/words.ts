import type { Tone } from '../../app/parts/state-badge.tsx'
import type { Connection, Gap, MappingKind, Sync, SyncResult } from './queries.ts'

export const statusWords: Record<Connection['status'], string> = {
  connected: 'Connected',
  needs_sign_in: 'Sign-in needed',
  error: 'Error',
  disconnected: 'Disconnected',
}
export const statusTones: Record<Connection['status'], Tone> = {
  connected: 'done',
  needs_sign_in: 'attention',
  error: 'attention',
  disconnected: 'stopped',
}

export const syncWords: Record<Sync['state'], string> = {
  running: 'Running',
  done: 'Done',
  failed: 'Failed',
  cancelled: 'Cancelled',
}
export const syncTones: Record<Sync['state'], Tone> = {
  running: 'moving',
  done: 'done',
  failed: 'attention',
  cancelled: 'stopped',
}

export const outcomeWords: Record<SyncResult['outcome'], string> = {
  pending: 'Pending',
  created: 'Created',
  updated: 'Updated',
  removed: 'Removed',
  unchanged: 'Unchanged',
  skipped: 'Skipped',
  failed: 'Failed',
}
export const outcomeTones: Record<SyncResult['outcome'], Tone> = {
  pending: 'moving',
  created: 'done',
  updated: 'done',
  removed: 'done',
  unchanged: 'quiet',
  skipped: 'quiet',
  failed: 'attention',
}

export const kindWords: Record<MappingKind | Gap['kind'], string> = {
  partner_carriers: 'Carriers',
  customers: 'Customers',
  bill_items: 'Types on bills',
  invoice_items: 'Types on invoices',
  tax_rates: 'Tax rates',
  pay_terms: 'Pay terms',
  paying_accounts: 'Paying accounts',
  settings: 'Settings',
  documents: 'Documents',
}

const settingWords: Record<string, string> = {
  client_id: 'Client id of your application',
  client_secret: 'Client secret of your application',
  start_on: 'Only documents dated from',
  expense_account: 'Account of lines of bills',
  income_account: 'Account of lines of invoices',
  tax_account: 'Account of taxes',
  payables_account: 'Account of payables',
  receivables_account: 'Account of receivables',
  payment_account: 'Account that bills are paid from',
  deposit_account: 'Account that customers pay to',
}

export function settingLabel(name: string): string {
  return settingWords[name] ?? name
}
