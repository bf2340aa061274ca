import type { Context } from '../../context.ts'
import { conflict, type Refusal } from '../../core/refusal.ts'
import type { Step } from './model.ts'
import { listMissing, listMissingOfPlanned, type PlannedBill } from './store.ts'

/** Refuses a step of these bills while documents are missing that a rule asks for. Whatever approves or pays bills calls it, in its transaction. */
export async function requireDocuments(ctx: Context, step: Step, bills: readonly string[]): Promise<void> {
  if (bills.length === 0) return
  const missing = await listMissing(ctx, step, bills)
  const [first] = missing
  if (!first) return
  const sentences = missing.map(
    ({ id, number, document_types }) => `${nameOf(id, number)} lacks ${document_types.join(' and ')}.`,
  )
  const more =
    missing.length > 1
      ? ` ${missing.length - 1} more ${missing.length === 2 ? 'bill lacks' : 'bills lack'} documents.`
      : ''
  throw conflict(
    'documents_missing',
    `${sentences[0]}${more} A rule asks for it before it is ${step === 'pay' ? 'paid' : 'approved'}: attach it to the bill, or to its manifest.`,
    missing.flatMap(({ document_types }, index) => ({
      field: 'documents',
      code: 'documents_missing',
      message: sentences[index] as string,
      allowed: document_types,
    })),
  )
}

/** The same for each of several bills, by their ids: those that lack nothing are not in it. */
export async function refusalsOfMissing(
  ctx: Context,
  step: Step,
  bills: readonly string[],
): Promise<Map<string, Refusal>> {
  const missing = bills.length > 0 ? await listMissing(ctx, step, bills) : []
  return new Map(missing.map(({ id, number, document_types }) => [id, lacking(nameOf(id, number), document_types)]))
}

/** The same for bills as they are going to be, in their order: null for those that lack nothing. */
export async function refusalsOfPlanned(
  ctx: Context,
  step: Step,
  bills: readonly (PlannedBill & { number: string | null })[],
): Promise<(Refusal | null)[]> {
  const missing = new Map((await listMissingOfPlanned(ctx, step, bills)).map((one) => [one.index, one.document_types]))
  return bills.map(({ number }, index) => {
    const types = missing.get(index)
    return types ? lacking(number ?? 'The bill', types) : null
  })
}

function lacking(name: string, types: readonly string[]): Refusal {
  const message = `${name} lacks ${types.join(' and ')}. Attach it to the bill, or to its manifest.`
  return conflict('documents_missing', message, [
    { field: 'documents', code: 'documents_missing', message, allowed: types },
  ])
}

function nameOf(id: string, number: number | null): string {
  return number === null ? `The bill ${id}` : `BILL-${String(number).padStart(6, '0')}`
}
