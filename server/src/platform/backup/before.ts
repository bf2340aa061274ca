/** Backups of 0.1, the version before there was the baseline. This file goes when nobody has such a backup any more. */
import { createHash } from 'node:crypto'
import { StartError } from '../core/start-error.ts'
import { baseline } from '../db/schema/migrations.ts'
import type { Run } from '../db/sql/rows.ts'
import type { Manifest } from './format.ts'
import { columnBefore, countPaidWithoutPayment, renameCurrencies, renameStreets, type Table } from './store.ts'

/** The names and checksums of the 126 migrations of the last 0.1: they made the tables, columns and constraints that the baseline makes. */
const migrationsOfLast = '257d803f1c4b6836e42e5442c893344425a390ce400ef090f38cfcf60d8b4846'

/** Which columns of 0.1 PostgreSQL computes, and where they were among the columns of their table: backups do not list them, and their hashes are of whole rows. */
const computed: Record<string, Record<string, number>> = {
  allocations: { standing_currency_id: 13, standing_payee_id: 14 },
  bill_item_types: { name_key: 9, wire: 10 },
  bill_items: { wire: 13 },
  bills: { payee_id: 32, reference_key: 33, wire: 34 },
  carrier_invoices: { number_key: 27 },
  consolidated_bills: { payee_id: 30 },
  credit_items: { wire: 13 },
  credits: { party_id: 40, reference_key: 41, wire: 42 },
  currencies: { description: 2, wire: 6 },
  definitions: { widgets_wire: 10 },
  document_links: {
    bill_id: 6,
    invoice_id: 7,
    credit_id: 8,
    payment_id: 9,
    consolidated_bill_id: 10,
    carrier_invoice_id: 11,
    object_id: 12,
  },
  invoice_items: { wire: 13 },
  invoices: { party_id: 38, reference_key: 39, wire: 40 },
  objects: { live: 17, wire: 18 },
  pay_terms: { wire: 7 },
  payees: { is_factor: 17, has_factor: 18 },
  payments: { payee_id: 7 },
  users: { email_key: 12 },
}

/** Whether a backup was made by the last 0.1. One that an older 0.1 made is refused. */
export function isOfBefore({ lading, migrations }: Pick<Manifest, 'lading' | 'migrations'>, path: string): boolean {
  if (!lading.startsWith('0.1.') || migrations.some(({ name }) => name === baseline)) return false
  const lines = migrations.map(({ name, checksum }) => `${name} ${checksum}`).sort()
  const isOfLast = createHash('sha256').update(lines.join('\n')).digest('hex') === migrationsOfLast
  if (isOfLast) return true
  throw new StartError(
    `The backup ${path} was made by a version before the last 0.1. Restore it with the last 0.1 (its last commit before 0.2.0), and make a backup with that.`,
  )
}

/** The columns of a row as 0.1 had them, in their order, as SQL. */
export function columnsBefore({ name, columns }: Table): string[] {
  const all = [...columns]
  for (const [column, place] of Object.entries(computed[name] ?? {})) all.splice(place, 0, column)
  return all.map((column) => columnBefore(name, column))
}

/** What becomes of the rows once they were compared with what was saved. */
export async function carryOver(run: Run, path: string): Promise<void> {
  await requirePayments(run, path)
  await renameStreets(run)
  await renameCurrencies(run)
}

/** What 0.1 recorded in the background of bills that were paid before there were payments is not recorded here any more. */
export async function requirePayments(run: Run, path: string): Promise<void> {
  const bills = await countPaidWithoutPayment(run)
  if (bills === 0) return
  throw new StartError(
    `In the backup ${path} ${bills} paid bills wait for their payment to be recorded, which that version does in the background. Let it run for some minutes, and make another backup with it. Nothing was restored from this one.`,
  )
}
