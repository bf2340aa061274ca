import { type Context, together, transaction } from '../../../platform/context.ts'
import { invalid, notFound } from '../../../platform/core/refusal.ts'
import type { ExpectedRevision } from '../../../platform/core/schema/revisions.ts'
import { toWire } from '../../../platform/core/values/dates.ts'
import type { Reference } from '../../../platform/core/values/ids.ts'
import { requireOpenPeriods } from '../../periods/open.ts'
import { lifecycleAfterChange } from '../model/fields/lifecycle.ts'
import type { Line, LineEdit, NewLine, PricedLine, RowLine } from '../model/fields/line-fields.ts'
import type { Document } from '../model/fields/standard-fields.ts'
import { datesOfChange } from '../model/guarded-dates.ts'
import { type Kind, parentOf } from '../model/kind/kind.ts'
import { ignoredOf, mostLines, type SentLine, tooManyLines } from '../model/kind/line-changes.ts'
import { editLine, priceLine, withSums } from '../model/kind/line-model.ts'
import { withPaid } from '../model/kind/paying.ts'
import { recordChanges } from '../store/history.ts'
import { deleteLine, findLine, insertLines, linesOf, saveLine, saveLines, saveOrder } from '../store/line-store.ts'
import { type LockedDocument, readLocked, saveDocument } from '../store/store.ts'
import { addHomeAmount } from './home-amounts.ts'
import { linesTaxedAnew, taxLines } from './line-taxes.ts'
import { lockExpected } from './locks.ts'

/** The JSON text of the line, where one is meant, and of the document whose sums it changed; and what of the line was not the client's to set. */
export type WithDocument = { line: string | null; document: string; revision: number; ignored?: readonly string[] }

export function addLine(
  ctx: Context,
  kind: Kind,
  reference: Reference,
  input: NewLine,
  expected: ExpectedRevision,
): Promise<WithDocument & { id: string }> {
  return transaction(ctx, async (ctx) => {
    const opened = await open(ctx, kind, reference, expected)
    const { document, lines } = opened
    if (lines.length >= mostLines) throw tooManyLines(kind)
    const touched = lifecycleAfterChange(document, kind.noun)
    const after = await taxed(ctx, lines, [...lines, priceLine(kind.lines.fields, input)])
    const next = after.at(-1) as PricedLine
    const [id] = (await insertLines(ctx, kind, document.id, [next])) as [string]
    await updateSums(ctx, kind, opened, touched, after)
    const ignored = ignoredOf(kind, input as SentLine, { position: lines.length + 1 }, next)
    return { id, ...(await answer(ctx, kind, document.id, id)), ignored }
  })
}

export function changeLine(
  ctx: Context,
  kind: Kind,
  reference: Reference,
  id: string,
  input: LineEdit,
  expected: ExpectedRevision,
): Promise<WithDocument> {
  return transaction(ctx, async (ctx) => {
    const opened = await open(ctx, kind, reference, expected)
    const { document, lines } = opened
    const line = lineAmong(lines, id)
    const { next, changed } = editLine(kind.lines.fields, line, input)
    if (changed) {
      const touched = lifecycleAfterChange(document, kind.noun)
      const after = await taxed(
        ctx,
        lines,
        lines.map((one) => (one === line ? { ...next, id: line.id } : one)),
      )
      await saveLine(ctx, kind, line.id, after[lines.indexOf(line)] as PricedLine)
      await updateSums(ctx, kind, opened, touched, after)
    }
    return { ...(await answer(ctx, kind, document.id, id)), ignored: ignoredOf(kind, input as SentLine, line, next) }
  })
}

export function removeLine(
  ctx: Context,
  kind: Kind,
  reference: Reference,
  id: string,
  expected: ExpectedRevision,
): Promise<WithDocument> {
  return transaction(ctx, async (ctx) => {
    const opened = await open(ctx, kind, reference, expected)
    const { document, lines } = opened
    const line = lineAmong(lines, id)
    const touched = lifecycleAfterChange(document, kind.noun)
    await deleteLine(ctx, kind, document.id, line)
    const left = lines.filter((one) => one !== line)
    await updateSums(ctx, kind, opened, touched, await taxed(ctx, lines, left))
    return answer(ctx, kind, document.id)
  })
}

export function reorderLines(
  ctx: Context,
  kind: Kind,
  reference: Reference,
  ids: readonly string[],
  expected: ExpectedRevision,
): Promise<WithDocument> {
  return transaction(ctx, async (ctx) => {
    const opened = await open(ctx, kind, reference, expected)
    const { document, lines } = opened
    const wanted = ids.map((id) => id.toLowerCase())
    const there = new Map(lines.map((line) => [line.id, line]))
    if (wanted.length !== there.size || new Set(wanted).size !== wanted.length || wanted.some((id) => !there.has(id))) {
      throw invalid('item_ids', 'not_all_lines', `Name every line of the ${kind.noun} exactly once.`)
    }
    if (lines.some(({ id }, index) => id !== wanted[index])) {
      const touched = lifecycleAfterChange(document, kind.noun)
      await saveOrder(ctx, kind, document.id, wanted)
      const ordered = wanted.map((id) => there.get(id) as Line)
      await updateSums(ctx, kind, opened, touched, await taxed(ctx, lines, ordered))
    }
    return answer(ctx, kind, document.id)
  })
}

type Opened = Pick<LockedDocument, 'document' | 'lineTax' | 'home'> & { lines: Line[] }

/** Whatever touches a line has the document locked until its sums are right again. */
async function open(ctx: Context, kind: Kind, reference: Reference, expected: ExpectedRevision): Promise<Opened> {
  const { document, lineTax, home } = await lockExpected(ctx, kind, reference, expected)
  return { document, lineTax, home, lines: await linesOf(ctx, kind, document.id) }
}

/** The lines as they will be, with their taxes: a line of a rate takes part in the rounding of all of them. */
function taxed(ctx: Context, before: readonly Line[], after: readonly PricedLine[]): Promise<PricedLine[]> {
  return taxLines(ctx, after, before, () => 'tax_rate_id')
}

/** The lines have changed: the taxes of the others, and the document's sums and state follow. */
async function updateSums(
  ctx: Context,
  kind: Kind,
  opened: Opened,
  touched: Partial<Document>,
  after: readonly RowLine[],
): Promise<void> {
  const { document, lineTax, home, lines: before } = opened
  await saveLines(ctx, kind, linesTaxedAnew(before, after))
  const summed = withSums({ ...document, ...touched }, after, { before: lineTax })
  const changed = ([...summedFields, 'status_id'] as const).filter((field) => summed[field] !== document[field])
  const ofLines = {
    [kind.lines.plural]: before,
    ...Object.fromEntries(changed.map((field) => [field, document[field]])),
  }
  const edited = { next: summed, previous: ofLines, ignored: [], moved: false, contentChanged: true }
  const { next, previous } = await addHomeAmount(
    ctx,
    kind,
    document,
    withPaid(kind, document, edited, toWire(new Date())),
    home,
  )
  await together(
    saveDocument(ctx, kind, next, null),
    recordChanges(ctx, kind, [{ before: document, to: next.status_id, previous }]),
    requireOpenPeriods(ctx, datesOfChange(kind, { before: document, next, previous })),
  )
  if (parentOf(kind, document) !== null)
    await kind.parent?.afterChange(ctx, { before: document, after: next, contentChanged: true })
}

const summedFields = ['is_tax_on', 'sub_total_amount', 'tax_amount', 'kept_tax_amount', 'total_amount'] as const

async function answer(ctx: Context, kind: Kind, id: string, line?: string): Promise<WithDocument> {
  const [{ document }] = (await readLocked(ctx, kind, [id])) as [LockedDocument]
  return {
    line: (line && (await findLine(ctx, kind, id, line))) || null,
    document: JSON.stringify(document),
    revision: document.revision,
  }
}

function lineAmong(lines: readonly Line[], id: string): Line {
  const line = lines.find((one) => one.id === id.toLowerCase())
  if (!line) throw notFound('line', id)
  return line
}
