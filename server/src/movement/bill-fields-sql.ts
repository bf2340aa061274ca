import { invalid, quote } from '../core/refusal.ts'
import { sql } from '../db/sql.ts'
import type { ExternalField } from '../objects/kinds/extension.ts'

/** Where the read-only fields of a manifest are read from: the bill that pays for it. */
export const billFields: readonly ExternalField[] = [
  {
    key: 'billId',
    valueType: 'uuid',
    all: (org) => sql`select m.manifest_id as object_id, m.bill_id as value from manifest_bills m where m.org_id = ${org}`,
    of: (org, id) => sql`select m.manifest_id as object_id, m.bill_id as value from manifest_bills m where m.org_id = ${org} and m.manifest_id = ${id}`,
  },
  {
    key: 'billStatusId',
    valueType: 'text',
    all: (org) => sql`select m.manifest_id as object_id, b.status_id as value from ${billsOf(org)}`,
    of: (org, id) => sql`select m.manifest_id as object_id, b.status_id as value from ${billOf(org, id)}`,
  },
  {
    key: 'billNumber',
    valueType: 'integer',
    hasText: true,
    all: (org) => sql`select m.manifest_id as object_id, b.number as value, bill_number(b.number) as text from ${billsOf(org)}`,
    of: (org, id) => sql`select m.manifest_id as object_id, b.number as value, bill_number(b.number) as text from ${billOf(org, id)}`,
    readOperand: readBillNumber,
  },
]

/** From bills to their manifests, so that a condition that few bills meet reads few manifests. */
function billsOf(org: string) {
  return sql`bills b cross join lateral (select m.manifest_id from manifest_bills m where m.org_id = ${org} and m.bill_id = b.id offset 0) as m where b.org_id = ${org}`
}

function billOf(org: string, id: unknown) {
  return sql`manifest_bills m join bills b on b.org_id = m.org_id and b.id = m.bill_id where m.org_id = ${org} and m.manifest_id = ${id}`
}

/** `BILL-000123` → 123: so numbers are stored, and so they have an order. */
function readBillNumber(value: unknown, at: string): number {
  const [, digits] = (typeof value === 'string' && /^BILL-0*(\d{1,9})$/i.exec(value)) || []
  if (digits === undefined) throw invalid(at, 'wrong_type', `"${at}" must be the number of a bill such as "BILL-000123", not ${quote(value)}.`)
  return Number(digits)
}
