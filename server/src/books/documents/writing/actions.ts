import { actorId } from '../../../platform/access/acting/acting.ts'
import { type Context, together, transaction } from '../../../platform/context.ts'
import { conflict } from '../../../platform/core/refusal.ts'
import type { ExpectedRevision, WireRecord } from '../../../platform/core/schema/revisions.ts'
import { toWire } from '../../../platform/core/values/dates.ts'
import type { Reference } from '../../../platform/core/values/ids.ts'
import { requireCurrencies } from '../../currencies/known.ts'
import { daysOf } from '../../pay-terms/actions.ts'
import { requireOpenPeriods } from '../../periods/open.ts'
import type { HomeCurrencyRate } from '../../rates/conversion.ts'
import { blankDocument } from '../model/blank.ts'
import { edit } from '../model/edit.ts'
import { creationIn } from '../model/fields/creation.ts'
import { type Move, type MoveInput, moveTargets } from '../model/fields/lifecycle.ts'
import type { NewLine, PricedLine } from '../model/fields/line-fields.ts'
import { normalDate } from '../model/fields/normal.ts'
import { aroundDocument, typeKey } from '../model/fields/shape.ts'
import type { Document, Edit } from '../model/fields/standard-fields.ts'
import { dateOf } from '../model/guarded-dates.ts'
import type { EditResult } from '../model/kind/conclude.ts'
import { type Kind, type PaymentDetails, parentOf } from '../model/kind/kind.ts'
import { changeLines, ignoredInNew, type LineChanges, type SentLine } from '../model/kind/line-changes.ts'
import { priceLine, withSums } from '../model/kind/line-model.ts'
import { taxOfLines } from '../model/kind/line-taxes.ts'
import { type PaymentMeans, payAmount } from '../model/kind/paying.ts'
import { unknownLineType } from '../model/refusals.ts'
import { requireAccess } from '../store/access.ts'
import type { AnswerShape } from '../store/answer-sql.ts'
import type { Step } from '../store/history.ts'
import { recordEvents } from '../store/history-store.ts'
import { insertLines, linesOf, listUnknownTypes, saveLines } from '../store/line-store.ts'
import { deleteDocument, findDocument } from '../store/store.ts'
import { applyRound, numbersFor } from './apply.ts'
import { create, type Written } from './creating.ts'
import { duplicatesAsked } from './duplicates.ts'
import { addHomeAmount } from './home-amounts.ts'
import { taxChanges, taxLines } from './line-taxes.ts'
import { type LockedDocument, lockExpected } from './locks.ts'
import { nobody, type OriginHooks } from './origins.ts'
import { requireSamePayment } from './payable.ts'

/** A new document. Its lines can also come by the name that answers have for them. */
export type DocumentInput<E extends Edit = Edit, L extends NewLine = NewLine> = E & {
  external_id?: string | null
  items?: L[]
}
export type UpdateResult = WireRecord & { ignored: string[]; duplicates: readonly string[] }

/** A new document is a draft, with its lines if it comes with some. */
export function createDocument<D extends Document, E extends Edit, L extends NewLine>(
  ctx: Context,
  kind: Kind<D, E, L>,
  { items: sentItems, ...body }: DocumentInput<E, L>,
  /** What only the event carries. */
  noted?: Record<string, unknown>,
  /** What it takes over from another document: the lines, which may carry what is no longer given to others, and the tax that was set by hand and does not count. */
  copied: { lines: readonly PricedLine[]; kept_tax_amount: number | null } = { lines: [], kept_tax_amount: null },
): Promise<UpdateResult & { id: string }> {
  return transaction(ctx, async (ctx) => {
    const { given, rest } = creationIn(kind, body as Record<string, unknown>)
    requireAccess(ctx, kind, given)
    const { [kind.lines.plural]: sameAsItems, ...sent } = rest
    const items = (sentItems ?? sameAsItems ?? []) as readonly (L & SentLine)[]
    const list = sentItems ? 'items' : kind.lines.plural
    const bare = items.map((line) => priceLine(kind.lines.fields, line))
    const lines = await taxLines(ctx, bare, copied.lines, (index) => `${list}[${index}].tax_rate_id`)
    const { input, ignored } = forDraft(sent as Edit, lines)
    const { kept_tax_amount } = copied
    const blank = { ...blankDocument(kind, { org: ctx.org, createdBy: await actorId(ctx) }, given), kept_tax_amount }
    const dated = { [kind.date]: blank[kind.date as keyof D], ...input }
    const edited = await decide(
      ctx,
      kind,
      { document: blank, lines: 0, payTermDays: null, defaultTerm: null, lineTax: null, home: null, approves: false },
      dated,
    )
    const document =
      lines.length > 0 ? withSums(edited.next, lines, { before: null, isTaxOn: input.is_tax_on }) : edited.next
    const asked = duplicatesAsked(kind, null, document, sent)
    const plan = { status: 'created' as const, document, lines, linesBefore: [], steps: [], ignored: [], noted }
    const { answers, found } = (await create(
      ctx,
      kind,
      [{ ...plan, reason: undefined, allowsDuplicate: false }],
      new Map(),
      { whereTaken: 'refused', asked, shape: { withCurrency: true } },
    )) as Written
    if (found) await kind.duplicates?.hold(ctx, asked, found)
    const unused = [...(sentItems && sameAsItems ? [kind.lines.plural] : []), ...aroundIn(kind, sent)]
    const duplicates = found?.others.get(document.id) ?? []
    return {
      id: document.id,
      ...(answers[0] as WireRecord),
      duplicates,
      ignored: [...ignored, ...edited.ignored, ...unused, ...ignoredInNew(kind, list, items, lines)],
    }
  })
}

export function updateDocument<D extends Document, E extends Edit>(
  ctx: Context,
  kind: Kind<D, E>,
  reference: Reference,
  body: E,
  expected: ExpectedRevision,
): Promise<UpdateResult> {
  const { [kind.lines.plural]: sent = [], ...input } = body as E & Record<string, SentLine[] | undefined>
  return transaction(ctx, async (ctx) => {
    const locked = await lockExpected(ctx, kind, reference, expected)
    const changed =
      sent.length > 0
        ? changeLines(kind, await linesOf(ctx, kind, locked.document.id), sent)
        : { changes: null, ignored: [] }
    const { ignored } = changed
    const changes = changed.changes && (await taxChanges(ctx, kind, changed.changes, sent))
    const edited = await decide(ctx, kind, locked, input as Edit, changes)
    if (changes) await requireTypes(ctx, kind, changes, sent)
    const updated = await applyEdit(ctx, kind, locked, edited, {
      reason: body.reason,
      lines: changes && writesOf(ctx, kind, locked.document.id, changes),
      shape: { withCurrency: false },
      options: input,
    })
    return {
      ...updated,
      ignored: [...edited.ignored, ...('items' in input ? ['items'] : []), ...aroundIn(kind, input), ...ignored],
    }
  })
}

/** The named actions: the same moves as by `status_id`. */
export function moveDocument<D extends Document>(
  ctx: Context,
  kind: Kind<D>,
  reference: Reference,
  move: Move,
  input: MoveInput & PaymentMeans & { amount?: number },
  expected: ExpectedRevision,
  /** The rate that it takes over from another document, or that it has none, instead of the rate of its date. */
  valued?: HomeCurrencyRate,
): Promise<WireRecord> {
  return transaction(ctx, async (ctx) => {
    const locked = await lockExpected(ctx, kind, reference, expected)
    const { amount, method, reference_number, reason, ...asked } = input
    const now = toWire(new Date())
    const paid_at = normalDate(asked.paid_at, 'paid_at')
    if (move === 'pay' && locked.document.status_id === 'paid') {
      await requireSamePayment(ctx, kind, locked.document, {
        amount,
        method,
        reference_number,
        paid_at: paid_at ?? undefined,
      })
      return readBack(ctx, kind, locked.document.id)
    }
    const edited =
      move === 'pay' && amount !== undefined
        ? payAmount(kind, locked.document, { amount, paid_at, now })
        : await decide(
            ctx,
            kind,
            locked,
            { ...asked, ...(reason !== undefined && { reason }), status_id: moveTargets[move] },
            null,
            valued,
          )
    return applyEdit(ctx, kind, locked, edited, { reason, paid: { method, reference_number, paid_at } })
  })
}

export function removeDocument(
  ctx: Context,
  kind: Kind,
  reference: Reference,
  expected: ExpectedRevision,
  following: OriginHooks = nobody,
): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const followed = await following.lock(ctx, reference)
    const { document } = await lockExpected(ctx, kind, reference, expected)
    const { id, status_id, number } = document
    if (status_id !== 'draft')
      throw conflict('not_a_draft', `Only drafts can be deleted, and this ${kind.noun} is ${status_id}.`)
    if (number !== null)
      throw conflict(
        'has_number',
        `This ${kind.noun} has the number ${number}, which must not disappear. Void it instead, with a reason.`,
      )
    await followed.letGo(ctx, id, `The draft of the ${kind.noun} was deleted.`)
    await together(
      recordEvents(ctx, kind, [{ type: `${kind.noun}.deleted`, id }]),
      requireOpenPeriods(ctx, [dateOf(kind, document)]),
      deleteDocument(ctx, kind, id),
    )
    await followed.reconsider(ctx)
  })
}

export async function readBack(
  ctx: Context,
  kind: Kind,
  id: string,
  options?: { withCurrency: boolean },
): Promise<WireRecord> {
  const found = await findDocument(ctx, kind, { by: 'id', id }, options)
  if (!found) throw new Error(`${kind.noun} ${id} is missing within its own transaction`)
  return found
}

/** Asks the rule, with what it needs to know of other records. */
async function decide<D extends Document>(
  ctx: Context,
  kind: Kind<D>,
  { document, lines, lineTax, home, ...known }: LockedDocument<D>,
  input: Edit,
  changes: LineChanges | null = null,
  valued?: HomeCurrencyRate,
): Promise<EditResult<D>> {
  if (input.currency_id) await requireCurrencies(ctx, [input.currency_id], 'currency_id')
  const stays = input.pay_term_id === undefined || input.pay_term_id === document.pay_term_id
  const payTermDays = stays ? known.payTermDays : await daysOf(ctx, input.pay_term_id as string | null)
  const edited = edit(kind, document, input, {
    hasLines: lines > 0,
    now: new Date(),
    payTermDays,
    defaultTerm: known.defaultTerm,
    lineTax,
    lines: changes,
  })
  return addHomeAmount(ctx, kind, document, edited, home, valued)
}

type Applying = {
  reason: string | undefined
  lines?: Step['lines'] | null
  shape?: AnswerShape
  paid?: PaymentDetails
  options?: object
}

/** Writes what the rule decided, and answers with the document. A parent changes with it, and only then is the document's own answer known. */
async function applyEdit<D extends Document>(
  ctx: Context,
  kind: Kind<D>,
  { document: before, approves }: LockedDocument<D>,
  edited: EditResult<D>,
  { reason, lines, shape = { withCurrency: true }, paid = {}, options = {} }: Applying,
): Promise<WireRecord & { duplicates: readonly string[] }> {
  const { next, moved, contentChanged } = edited
  if (Object.keys(edited.previous).length === 0)
    return { ...(await readBack(ctx, kind, before.id, shape)), duplicates: [] }
  const asked = duplicatesAsked(kind, before, next, options)
  const parent = parentOf(kind, before) === null ? null : kind.parent
  if (moved) await parent?.beforeMove(ctx, before, next)
  const numbers = await numbersFor(ctx, kind, [{ document: before, steps: [edited] }])
  const step = { before, edited, reason, lines: lines ?? undefined }
  const how = { numbers, paid, approves, asked, shape: parent ? null : shape }
  const { answers, found } = await applyRound(ctx, kind, [step], how)
  if (found) await kind.duplicates?.hold(ctx, asked, found)
  const duplicates = found?.others.get(before.id) ?? []
  if (!parent) return { ...(answers[0] as WireRecord), duplicates }
  await parent.afterChange(ctx, { before, after: next, contentChanged })
  return { ...(await readBack(ctx, kind, before.id, shape)), duplicates }
}

/** What an update writes of the lines: those that changed, and the new ones behind them. */
function writesOf(ctx: Context, kind: Kind, document: string, { before, saved, added }: LineChanges): Step['lines'] {
  return () => [
    saveLines(ctx, kind, saved),
    insertLines(ctx, kind, [{ document, lines: added, behind: before.length }]),
  ]
}

/** A document begins as a draft, so what belongs to a later state is ignored, and so is a sum where there are lines, and a tax where those have taxes. */
function forDraft(
  { status_id, sent_at, paid_at, reason, ...input }: Edit,
  lines: readonly PricedLine[],
): { input: Edit; ignored: string[] } {
  const later = {
    status_id: status_id === 'draft' ? undefined : status_id,
    sent_at: sent_at ?? undefined,
    paid_at: paid_at ?? undefined,
    reason,
  }
  const tax = taxOfLines(lines)
  const ofLines = {
    ...(lines.length > 0 && { sub_total_amount: undefined }),
    ...(tax !== null && { tax_amount: undefined }),
  }
  const sum = {
    ...('sub_total_amount' in ofLines && { sub_total_amount: input.sub_total_amount }),
    ...('tax_amount' in ofLines && input.tax_amount !== tax && { tax_amount: input.tax_amount }),
  }
  const ignored = Object.entries({ ...later, ...sum }).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  return { input: { ...input, ...ofLines }, ignored }
}

/** What an answer shows around a document belongs to other records: sent back, it is ignored and named. */
function aroundIn(kind: Kind, sent: object): string[] {
  return aroundDocument(kind).filter((name) => Object.hasOwn(sent, name))
}

/** Names the line whose type is not there, which the constraint cannot. */
async function requireTypes(
  ctx: Context,
  kind: Kind,
  { saved, added }: LineChanges,
  sent: readonly object[],
): Promise<void> {
  const { type, plural } = kind.lines
  if (!type) return
  const key = typeKey(type)
  const typeOf = (line: object) => (line as Record<string, string | null | undefined>)[key]?.toLowerCase()
  const [unknown] = await listUnknownTypes(ctx, kind, [
    ...new Set([...saved, ...added].flatMap((line) => typeOf(line) ?? [])),
  ])
  if (unknown)
    throw unknownLineType(type, `${plural}[${sent.findIndex((line) => typeOf(line) === unknown)}].${key}`, unknown)
}
