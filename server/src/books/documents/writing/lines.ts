import { type Context, together, transaction } from '../../../platform/context.ts'
import { invalid, notFound } from '../../../platform/core/refusal.ts'
import type { ExpectedRevision } from '../../../platform/core/schema/revisions.ts'
import { toWire } from '../../../platform/core/values/dates.ts'
import { newId, type Reference } from '../../../platform/core/values/ids.ts'
import { lifecycleAfterChange } from '../model/fields/lifecycle.ts'
import type { Line, LineEdit, NewLine, PricedLine, RowLine } from '../model/fields/line-fields.ts'
import type { Document } from '../model/fields/standard-fields.ts'
import { type Kind, parentOf } from '../model/kind/kind.ts'
import { ignoredOf, mostLines, type SentLine, tooManyLines } from '../model/kind/line-changes.ts'
import { editLine, priceLine, withSums } from '../model/kind/line-model.ts'
import { withPaid } from '../model/kind/paying.ts'
import { deleteLine, findLine, insertLines, linesOf, saveLines, saveOrder } from '../store/line-store.ts'
import { type LockedDocument, readLocked } from '../store/store.ts'
import { applyRound } from './apply.ts'
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
    const id = newId()
    const added = [{ document: document.id, lines: [{ ...next, id }], behind: lines.length }]
    await updateSums(ctx, kind, opened, { touched, after, write: () => [insertLines(ctx, kind, added)] })
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
      const saved = { ...(after[lines.indexOf(line)] as PricedLine), id: line.id }
      await updateSums(ctx, kind, opened, { touched, after, write: () => [saveLines(ctx, kind, [saved])] })
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
    const after = await taxed(
      ctx,
      lines,
      lines.filter((one) => one !== line),
    )
    await updateSums(ctx, kind, opened, { touched, after, write: () => [deleteLine(ctx, kind, document.id, line)] })
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
      const after = await taxed(
        ctx,
        lines,
        wanted.map((id) => there.get(id) as Line),
      )
      await updateSums(ctx, kind, opened, { touched, after, write: () => [saveOrder(ctx, kind, document.id, wanted)] })
    }
    return answer(ctx, kind, document.id)
  })
}

type Opened = Pick<LockedDocument, 'document' | 'lineTax' | 'home' | 'approves'> & { lines: Line[] }

/** Whatever touches a line has the document locked until its sums are right again. */
async function open(ctx: Context, kind: Kind, reference: Reference, expected: ExpectedRevision): Promise<Opened> {
  const locked = await lockExpected(ctx, kind, reference, expected)
  return { ...locked, lines: await linesOf(ctx, kind, locked.document.id) }
}

/** The lines as they will be, with their taxes: a line of a rate takes part in the rounding of all of them. */
function taxed(ctx: Context, before: readonly Line[], after: readonly PricedLine[]): Promise<PricedLine[]> {
  return taxLines(ctx, after, before, () => 'tax_rate_id')
}

/** What becomes of the lines, and of the state with them; `write` sends what changes in the rows. */
type LineChange = { touched: Partial<Document>; after: readonly RowLine[]; write: () => Promise<unknown>[] }

/** The lines change: the taxes of the others, and the document's sums and state follow. */
async function updateSums(
  ctx: Context,
  kind: Kind,
  { document, lineTax, home, approves, lines: before }: Opened,
  { touched, after, write }: LineChange,
): Promise<void> {
  // What is wrong with the line itself is said before what is wrong with the sums.
  await together(...write())
  const summed = withSums({ ...document, ...touched }, after, { before: lineTax })
  const changed = ([...summedFields, 'status_id'] as const).filter((field) => summed[field] !== document[field])
  const ofLines = {
    [kind.lines.plural]: before,
    ...Object.fromEntries(changed.map((field) => [field, document[field]])),
  }
  const paid = withPaid(
    kind,
    document,
    { next: summed, previous: ofLines, ignored: [], moved: false, contentChanged: true },
    toWire(new Date()),
  )
  const edited = await addHomeAmount(ctx, kind, document, paid, home)
  const lines = () => [saveLines(ctx, kind, linesTaxedAnew(before, after))]
  await applyRound(ctx, kind, [{ before: document, edited, reason: undefined, lines }], { approves })
  if (parentOf(kind, document) !== null)
    await kind.parent?.afterChange(ctx, { before: document, after: edited.next, contentChanged: true })
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
