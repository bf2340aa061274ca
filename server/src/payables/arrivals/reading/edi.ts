import { minorUnits } from '../../../books/currencies/known.ts'
import type { Context } from '../../../platform/context.ts'
import { Refusal } from '../../../platform/core/refusal.ts'
import { checkerOf } from '../../../platform/core/schema/check.ts'
import { mostRows } from '../../../platform/core/schema/rows.ts'
import { withoutEnd } from '../../../platform/core/values/text.ts'
import { badEdi, type Fault, faultsIn, type Interchange, readX12, refusalOf } from '../../../platform/x12/read.ts'
import { type ArrivedInvoice, type InvoiceLine, NewCarrierInvoice } from '../../carrier-invoices/received/model.ts'
import { type Carriers, carriersByScac } from './carriers.ts'
import { findHomeCurrency, listKnownTypes } from './carriers-store.ts'
import { isTax, type KnownType, nameOfCharge, typeOfCharge } from './charge-types.ts'
import { type FreightInvoice, type FreightLine, readFreightInvoice } from './freight-invoice.ts'

/** A freight invoice with what tells a second arrival of it. */
export type EdiInvoice = FreightInvoice & { source_key: string }

const check = checkerOf(NewCarrierInvoice)

/** All freight invoices of a file. Anything else in it, or anything wrong, refuses the whole file, and names what is wrong with each transaction. */
export function readFreightInvoices(text: string): EdiInvoice[] {
  const faults: Fault[] = []
  const invoices = readX12(text).flatMap((interchange) =>
    interchange.groups.flatMap((group) =>
      group.transactions.flatMap((transaction) => {
        const invoice = unless(faults, () => readFreightInvoice(transaction))
        return invoice ? [{ ...invoice, source_key: keyOf(interchange, group.control, transaction.control) }] : []
      }),
    ),
  )
  if (faults.length > 0) throw refusalOf(faults)
  if (invoices.length === 0)
    throw badEdi({ tag: 'ST', place: 1 }, null, 'the file holds no transaction 210, so there is no invoice in it.')
  if (invoices.length > mostRows)
    throw new Refusal(
      'too_large',
      'too_many_rows',
      `The file has ${invoices.length} invoices, and ${mostRows} are taken at once. Split it.`,
    )
  const repeated = invoices.find(
    ({ source_key }, index) => invoices.findIndex((other) => other.source_key === source_key) < index,
  )
  if (repeated)
    throw badEdi(repeated.start, 2, 'another transaction of the same interchange has this control number.', {
      error: '7',
    })
  return invoices
}

/** The first fault of a transaction is kept, and the next transaction has its turn. */
function unless<T>(faults: Fault[], read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    const found = faultsIn(error)
    if (found.length === 0) throw error
    faults.push(...found)
    return null
  }
}

/**
 * Control numbers are counted by each sender, and some begin anew every year: sender and date are part of the key. Whoever sends an interchange again
 * sends it with the numbers and the date that it had.
 */
function keyOf({ sender, date, control }: Interchange, group: string, transaction: string): string {
  return ['x12', sender, date, control, group, transaction].join(':')
}

/** As carrier invoices, with the carrier by its SCAC, and bill item types by the codes of the charges. */
export async function arrivedByEdi(ctx: Context, invoices: readonly EdiInvoice[]): Promise<ArrivedInvoice[]> {
  const scacs = invoices.flatMap(({ scac }) => scac ?? [])
  const [carriers, types, home, units] = [
    await carriersByScac(ctx, scacs),
    await listKnownTypes(ctx),
    await findHomeCurrency(ctx),
    await minorUnits(ctx),
  ]
  const faults: Fault[] = []
  const arrived = invoices.flatMap(
    (invoice) => unless(faults, () => arrivedOf(invoice, { carriers, types, home, units })) ?? [],
  )
  if (faults.length > 0) throw refusalOf(faults)
  return arrived
}

type Known = {
  carriers: Carriers
  types: readonly KnownType[]
  home: string | null
  units: ReadonlyMap<string, number>
}

function arrivedOf(invoice: EdiInvoice, { carriers, types, home, units }: Known): ArrivedInvoice {
  const { number, date, scac, loadNumber, start } = invoice
  const found = carriers(scac)
  const [carrier] = found.length === 1 ? found : []
  const currency = invoice.currency?.toLowerCase() ?? carrier?.currency ?? home
  if (!currency)
    throw badEdi(
      start,
      null,
      'the transaction has no C3 with its currency, and neither its carrier nor the organization has one to go by.',
      {
        error: '3',
        missing: 'C3',
      },
    )
  const decimals = units.get(currency)
  if (decimals === undefined)
    throw badEdi(start, null, `its currency ${currency.toUpperCase()} is not known; ISO 4217 codes such as USD are.`, {
      error: '5',
    })
  const amountOf = (hundredths: number, what: string) => {
    const amount = scaled(hundredths, decimals)
    if (amount === null)
      throw badEdi(
        start,
        null,
        `${what} of ${hundredths / 100} is no amount of ${currency.toUpperCase()}, which has ${decimals} decimals.`,
        { error: '5' },
      )
    return amount
  }
  const arrived: ArrivedInvoice = {
    partner_carrier_id: carrier?.id ?? null,
    invoice_number: number,
    invoice_date: date,
    currency_id: currency,
    reference_number: loadNumber,
    lines: invoice.lines.map((line) => lineOf(line, types, amountOf, decimals)),
    total_amount: amountOf(invoice.total, 'the total'),
    notes: notesOf(invoice, found.length),
    source: 'edi',
    source_key: invoice.source_key,
  }
  check(arrived)
  return arrived
}

function lineOf(
  line: FreightLine,
  types: readonly KnownType[],
  amountOf: (hundredths: number, what: string) => number,
  decimals: number,
): InvoiceLine {
  const price = line.rate === null ? null : exactly(line.rate, decimals)
  // PM is "per mile". Other rates are for weights and the like, which an invoice does not keep.
  const isPerMile = line.rateQualifier === 'PM' && line.quantity !== null && price !== null
  return {
    type: typeOfCharge(line, types),
    description: nameOfCharge(line),
    ...(isPerMile ? { quantity: line.quantity, unit: 'mile' as const, unit_price: price } : {}),
    amount: amountOf(line.charge, 'a charge'),
    ...(isTax(line.code) && { is_tax: true }),
  }
}

function notesOf({ scac, references, correction }: FreightInvoice, carriers: number): string | null {
  const notes = [
    ...(carriers === 1 || scac === null
      ? []
      : [`The SCAC ${scac} is that of ${carriers === 0 ? 'no carrier' : `${carriers} carriers`} here.`]),
    ...(correction === null ? [] : [`Marked as a correction (${correction}).`]),
    ...(references.length === 0
      ? []
      : [`References: ${references.map(({ qualifier, value }) => `${qualifier} ${value}`).join(', ')}`]),
  ]
  return notes.length === 0 ? null : notes.join('\n').slice(0, 10_000).toWellFormed()
}

/** Hundredths in the minor unit of a currency; null where that has a remainder or is too large. */
function scaled(hundredths: number, decimals: number): number | null {
  const amount = decimals >= 2 ? hundredths * 10 ** (decimals - 2) : hundredths / 10 ** (2 - decimals)
  return Number.isSafeInteger(amount) ? amount : null
}

/** A decimal number in the minor unit of a currency; null where it is finer than that. */
function exactly(value: string, decimals: number): number | null {
  const [whole = '', fraction = ''] = value.replace('-', '').split('.')
  const kept = withoutEnd(fraction, '0')
  if (kept.length > decimals) return null
  const amount = Number(`${whole}${kept.padEnd(decimals, '0')}` || '0')
  return Number.isSafeInteger(amount) ? (value.startsWith('-') ? -amount : amount) : null
}
