import type { Context } from '../../../platform/context.ts'
import { notFound, type Refusal } from '../../../platform/core/refusal.ts'
import type { WireRecord } from '../../../platform/core/schema/revisions.ts'
import { referenceParam } from '../../../platform/core/schema/schema.ts'
import type { Reference } from '../../../platform/core/values/ids.ts'
import { type RecordedSubject, recordedBy } from '../../../platform/events/history/history-route.ts'
import { referenceIn } from '../../../platform/http/input/params.ts'
import { requireCurrencies } from '../../currencies/known.ts'
import { capitalize } from '../model/fields/shape.ts'
import { type Kind, onceFor } from '../model/kind/kind.ts'
import type { Search } from '../search/search-sql.ts'
import { seesAll } from '../store/access.ts'
import { findDocument } from '../store/store.ts'

/** What the routes of one kind share. */
export const pathsOf = onceFor(({ noun, plural, scope, wording, numberPrefix }) => {
  const param = `${noun}ID`
  const sent = (params: unknown) => (params as Record<string, string>)[param] as string
  return {
    /** `/bills` */
    all: `/${plural}`,
    /** `/bills/:billID` */
    one: `/${plural}/:${param}`,
    config: { scope },
    tags: [capitalize(plural)],
    params: referenceParam(param, noun, wording.externalIdExample, `${numberPrefix.toUpperCase()}-000123`),
    /** The document as the path writes it. */
    sent,
    referenceIn: (params: unknown): Reference => referenceIn(sent(params), param, numberPrefix.toUpperCase()),
    unknown: (params: unknown): Refusal => notFound(noun, sent(params)),
  }
})

export async function readOne(ctx: Context, kind: Kind, params: unknown): Promise<WireRecord> {
  const { referenceIn, unknown } = pathsOf(kind)
  const found = await findDocument(ctx, kind, referenceIn(params))
  if (!found) throw unknown(params)
  return found
}

/** Refuses a filter by a currency that there is not: it would find nothing, and nobody would know why. */
export async function requireKnownCurrencies(ctx: Context, { fields }: Kind, search: Search): Promise<void> {
  const filter = fields.currency_id?.filter
  if (filter?.by === 'any') await requireCurrencies(ctx, search[filter.name] as string[] | undefined, filter.name)
}

export async function idIn(ctx: Context, kind: Kind, params: unknown): Promise<string> {
  const { json } = await readOne(ctx, kind, params)
  return JSON.parse(json)[kind.noun].id
}

/** Whose history is asked for. Where the caller may not see every document, it has to be one that is there. */
export async function recordIn(ctx: Context, kind: Kind, params: unknown): Promise<RecordedSubject> {
  if (!seesAll(ctx, kind)) await readOne(ctx, kind, params)
  return subjectIn(ctx, kind, params)
}

/** The document that the path names, by its id also one that is gone. Whether the caller may see it is still to be asked. */
export async function subjectIn(ctx: Context, kind: Kind, params: unknown): Promise<RecordedSubject> {
  const { sent, referenceIn } = pathsOf(kind)
  const find = async (reference: Reference) => {
    const found = await findDocument(ctx, kind, reference)
    return found && JSON.parse(found.json)[kind.noun].id
  }
  return recordedBy(referenceIn(params), { type: kind.noun, what: kind.noun, sent: sent(params), find })
}
