import { conflict } from '../../../platform/core/refusal.ts'
import { type IssuedRun, type Payout, paymentsIn, plainText, requireAccount } from './model.ts'

/** The largest amount that the ten digits of an entry hold. */
const largest = 9_999_999_999
/** The largest sum that the twelve digits of the control records hold. */
const largestSum = 999_999_999_999

/**
 * The ACH payments of a run as a file of NACHA: records of 94 characters, one batch of credits to companies (CCD), sums and hash totals, filled up with
 * lines of nines to whole blocks of ten.
 */
export function nachaFile(run: IssuedRun): string {
  const account = requireAccount(run)
  const { routing_number } = account.details
  if (!routing_number || !account.company_id)
    throw conflict(
      'paying_account_missing',
      'A NACHA file needs the "routing_number" and the "company_id" of the paying account. Add them to it.',
    )
  const payments = paymentsIn(run, 'nacha')
  const tooLarge = payments.find(({ amount }) => amount > largest)
  if (tooLarge)
    throw conflict(
      'amount_too_large',
      `${tooLarge.number} comes to ${tooLarge.amount}, and an entry of a NACHA file holds at most ${largest}.`,
    )
  const sums = sumsOf(payments)
  if (sums.total > largestSum)
    throw conflict(
      'amount_too_large',
      `The ACH payments of ${run.number} come to ${sums.total}, and a NACHA file holds at most ${largestSum}. Use the CSV file for this run, and make smaller ones.`,
    )
  const from = {
    bank: routing_number,
    odfi: routing_number.slice(0, 8),
    company: account.company_id,
    name: account.name,
  }
  const entries = payments.map((payment, index) => entryOf(payment, from.odfi, index + 1))
  const records = [
    fileHeader(run, from),
    batchHeader(run, from),
    ...entries,
    batchControl(entries.length, sums, from),
    fileControl(entries.length, sums),
  ]
  const filling = Array.from({ length: (10 - (records.length % 10)) % 10 }, () => '9'.repeat(94))
  return [...records, ...filling].map((line) => `${line}\r\n`).join('')
}

type From = { bank: string; odfi: string; company: string; name: string }
type Sums = { hash: bigint; total: number }

function fileHeader({ number, issued_at }: IssuedRun, { bank, company, name }: From): string {
  const [day = '', time = ''] = issued_at.split('T')
  // The file of a run keeps its letter, by which a bank knows one that is sent again on the same day.
  const modifier = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'[(Number(number.replace(/\D/g, '')) - 1) % 36] as string
  return [
    ...[
      '1',
      '01',
      ` ${bank}`,
      right(company, 10),
      compact(day),
      time.slice(0, 5).replace(':', ''),
      modifier,
      '094',
      '10',
      '1',
    ],
    ...[left('', 23), left(name, 23), left(number, 8)],
  ].join('')
}

function batchHeader({ pay_on, issued_at }: IssuedRun, { odfi, company, name }: From): string {
  return [
    ...[
      '5',
      '220',
      left(name, 16),
      left('', 20),
      left(company, 10),
      'CCD',
      left('PAYMENTS', 10),
      compact(issued_at.slice(0, 10)),
      compact(pay_on),
    ],
    ...['   ', '1', odfi, digits(1, 7)],
  ].join('')
}

function entryOf({ number, amount, payee_name, details }: Payout, odfi: string, sequence: number): string {
  const { account_type, routing_number, account_number } = details as NonNullable<Payout['details']>
  return [
    ...[
      '6',
      account_type === 'savings' ? '32' : '22',
      routing_number as string,
      left(account_number as string, 17),
      digits(amount, 10),
    ],
    ...[left(number, 15), left(payee_name, 22), '  ', '0', odfi, digits(sequence, 7)],
  ].join('')
}

function batchControl(count: number, { hash, total }: Sums, { odfi, company }: From): string {
  return [
    '8',
    '220',
    digits(count, 6),
    digits(hash, 10),
    digits(0, 12),
    digits(total, 12),
    left(company, 10),
    left('', 19),
    left('', 6),
    odfi,
    digits(1, 7),
  ].join('')
}

function fileControl(count: number, { hash, total }: Sums): string {
  // The header, the batch with its two records, and this one, in blocks of ten.
  const blocks = Math.ceil((4 + count) / 10)
  return [
    '9',
    digits(1, 6),
    digits(blocks, 6),
    digits(count, 8),
    digits(hash, 10),
    digits(0, 12),
    digits(total, 12),
    left('', 39),
  ].join('')
}

/** The hash is the sum of the first eight digits of all routing numbers, of which the last ten digits count. */
function sumsOf(payments: readonly Payout[]): Sums {
  const hash =
    payments.reduce((sum, { details }) => sum + BigInt(details?.routing_number?.slice(0, 8) ?? 0), 0n) % 10n ** 10n
  return { hash, total: payments.reduce((sum, { amount }) => sum + amount, 0) }
}

const left = (text: string, width: number) => plainText(text, width).padEnd(width)
const right = (text: string, width: number) => plainText(text, width).padStart(width)
const digits = (value: number | bigint, width: number) => String(value).padStart(width, '0')
/** YYMMDD of 2026-11-16. */
const compact = (day: string) => day.slice(2, 10).replaceAll('-', '')
