import { dateDocuments } from '../../books/documents/store/dating.ts'
import { bills, credits, invoices } from '../../books/kinds/kinds.ts'
import type { Context } from '../../platform/context.ts'
import { dateObjects } from '../../records/upkeep/dating.ts'
import { dateRecords } from './store.ts'

const day = 86_400_000
/** From how many days ago to how many: parties first, then what is done for them. */
const spans: Record<string, readonly [number, number]> = {
  customer: [90, 84],
  partner: [90, 84],
  service: [90, 89],
  equipment: [89, 80],
  contact: [89, 80],
  quote: [80, 1],
  order: [80, 0],
  leg: [80, 0],
  manifest: [80, 0],
}

/** What was made in one moment says that it was made over the last 90 days. */
export async function spreadOverTime(ctx: Context): Promise<void> {
  const ago = (days: number) => new Date(Date.now() - days * day)
  for (const [objectKey, [from, to]] of Object.entries(spans)) await dateObjects(ctx, objectKey, [ago(from), ago(to)])
  for (const kind of [bills, invoices, credits]) await dateDocuments(ctx, kind, ago(90))
  await dateRecords(ctx, ago(90))
}
