import type { Tone } from '../../app/parts/state-badge.tsx'

export type RunStatus = 'draft' | 'approved' | 'issued'

export const runStatusWords: Record<RunStatus, string> = { draft: 'Draft', approved: 'Approved', issued: 'Issued' }

export const runTones: Record<RunStatus, Tone> = { draft: 'quiet', approved: 'moving', issued: 'done' }

/** Why the bills of a carrier are not in a run. */
export const leftOutWords: Record<string, string> = {
  no_payee: 'It has no payee',
  payee_change_waiting: 'A change of its payee waits for approval',
  nothing_to_pay: 'Its deductions come to as much as it is owed',
  covered_by_credits: 'Its credits come to as much as it is owed: apply them to the bills',
  not_approved: 'The bills are not approved',
}
