import { conflict } from '../../../platform/core/refusal.ts'
import type { BankDetails, PayoutMethod } from '../../bank-details/model.ts'

export const fileFormats = ['nacha', 'pain001', 'csv'] as const
export type FileFormat = (typeof fileFormats)[number]

/** A payment as it was issued, with the bank details that it went to. */
export type Payout = {
  payment_id: string
  number: string
  method: PayoutMethod
  amount: number
  payee_name: string
  details: BankDetails | null
  address: Record<string, string | null> | null
  references: readonly string[]
}

/** All that the files of a run are made from. The same run gives the same bytes, and so the same ids, by which a bank knows a file that was sent twice. */
export type IssuedRun = {
  id: string
  number: string
  currency_id: string
  /** How many decimals an amount has. */
  decimals: number
  pay_on: string
  issued_at: string
  account: { name: string; company_id: string | null; ach_file: string; details: BankDetails } | null
  payments: readonly Payout[]
}

/** In which bank file a payment is, so that no two files pay it: null where no bank file does, or where that is open because the run has no account yet. */
export function fileOf(
  { method }: Pick<Payout, 'method'>,
  { currency_id, account }: Pick<IssuedRun, 'currency_id' | 'account'>,
): 'nacha' | 'pain001' | null {
  if (method === 'wire') return 'pain001'
  if (method !== 'ach') return null
  if (currency_id !== 'usd') return 'pain001'
  if (account === null) return null
  return account.ach_file === 'pain001' ? 'pain001' : 'nacha'
}

export function requireAccount(run: IssuedRun): NonNullable<IssuedRun['account']> {
  if (run.account) return run.account
  throw conflict(
    'paying_account_missing',
    `There is no paying account in ${run.currency_id}, which the file has to name. Set one under /api/v1/paying_accounts/${run.currency_id}.`,
  )
}

/** The payments that go into one of the bank files. A file without any is no file. */
export function paymentsIn(run: IssuedRun, format: 'nacha' | 'pain001'): Payout[] {
  const payments = run.payments.filter((payment) => fileOf(payment, run) === format)
  if (payments.length === 0)
    throw conflict(
      'file_is_empty',
      `No payment of ${run.number} goes into this file. The CSV file says which payment is in which.`,
    )
  return payments
}

/** Letters of other alphabets than the plain one without their marks; what remains unknown is a question mark. */
export function plainText(text: string, most: number): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]/g, '?')
    .slice(0, most)
}
