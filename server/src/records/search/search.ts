import type { Context } from '../../platform/context.ts'
import { notFound, unavailable } from '../../platform/core/refusal.ts'
import type { Cursor } from '../../platform/core/schema/cursors.ts'
import { envelope, type NextName, type Page, type PageRequest, pageOf } from '../../platform/core/schema/pages.ts'
import type { Statement } from '../../platform/db/sql/sql.ts'
import { currencyIds } from '../definitions/currencies.ts'
import { type Define, withDefinitions } from '../definitions/read.ts'
import { revisionNow } from '../definitions/revision-sql.ts'
import type { Extension } from '../kinds/extension.ts'
import type { Definition } from '../kinds/kind.ts'
import { withCurrencyCodes } from './conditions/currency-codes.ts'
import { pageIn } from './page-sql.ts'
import { readPaths } from './paths.ts'
import { type ObjectSelection, onlyFound, select } from './selection-sql.ts'
import { type Key, readSort } from './sort.ts'
import { keyOfObject, termsOf, typeOf } from './sort-terms-sql.ts'
import { countUpTo, type FoundObject, findChosenFields, findPage } from './store.ts'

export type Search = ObjectSelection &
  PageRequest & {
    /** Fields, each with - in front for descending; newest first by default. */
    sort?: string | undefined
    paths?: readonly string[] | undefined
  }

/** Called with every kind whose objects are shown: throws if the caller may not see them. */
type Permit = (objectKey: string) => void

export type SearchOptions = {
  /** What other parts of the program add to kinds. */
  extensions: readonly Extension[]
  /** The name of the list in the envelope. */
  name?: string
  nextName?: NextName
  permit?: Permit
}

/** A page of objects of a kind as JSON text, in the envelope `{ <name>, offset, limit, total }`: one round trip while definitions do not change. */
export async function searchObjects(
  ctx: Context,
  objectKey: string,
  search: Search,
  options: SearchOptions,
): Promise<string> {
  options.permit?.(objectKey)
  const answer = await withDefinitions(ctx, (define) => attempt(ctx, objectKey, search, options, define))
  if (answer === undefined) throw unavailable('The definition of this kind is being changed at this moment. Try again.')
  return answer
}

/** Refuses what such a search would refuse, without searching. */
export async function requireSearch(
  ctx: Context,
  objectKey: string,
  search: Search,
  define: Define,
  extensions: readonly Extension[],
): Promise<void> {
  const definition = await define(objectKey)
  if (search.paths) await readPaths(definition, search.paths, define)
  select(ctx, definition, await withCodes(ctx, definition, search), extensions)
  sortOf(definition, search, extensions)
}

/** What a search finds, in its order: the items of a `with`, `select id, place from …`, and the values of a cursor behind an object. */
export type Finding = { found: Statement; ids: Statement; keyOf: (id: Statement) => Statement }

/** Everything that a search finds, or the part of it behind a cursor. */
export async function readEverything(
  ctx: Context,
  definition: Definition,
  search: Search,
  extensions: readonly Extension[],
  { after, limit }: { after?: Cursor | undefined; limit: number } = { limit: 2 ** 40 },
): Promise<Finding> {
  const selection = select(ctx, definition, await withCodes(ctx, definition, search), extensions)
  const keys = sortOf(definition, search, extensions)
  const terms = termsOf(ctx, definition.objectKey, keys)
  return {
    found: selection.found,
    ids: pageIn(ctx, definition, keys, selection, { offset: 0, limit, after }),
    keyOf: (id) => keyOfObject(ctx, terms, id),
  }
}

/** A page of what a search finds, for who shows objects in a shape of their own: the ids in their order, one more than the page has, and the parts of the envelope. */
export type FoundPage = Finding & { page: Page; total: Statement; revision: Statement }

export async function pageOfFound(
  ctx: Context,
  definition: Definition,
  search: Search,
  extensions: readonly Extension[],
): Promise<FoundPage> {
  const selection = select(ctx, definition, await withCodes(ctx, definition, search), extensions)
  const keys = sortOf(definition, search, extensions)
  const terms = termsOf(ctx, definition.objectKey, keys)
  const page = pageAsked(definition.objectKey, search, keys)
  return {
    page,
    found: selection.found,
    total: selection.total,
    ids: pageIn(ctx, definition, keys, selection, { ...page, limit: page.limit + 1 }),
    keyOf: (id) => keyOfObject(ctx, terms, id),
    revision: revisionNow(ctx, definition.objectKey),
  }
}

/** What a search finds as `objects o where …` behind the items of a `with`, for who has conditions of their own; and the revision of the definition by now. */
export async function rowsFound(
  ctx: Context,
  definition: Definition,
  search: ObjectSelection,
  extensions: readonly Extension[],
): Promise<{ found: Statement; rows: Statement; revision: Statement }> {
  const selection = select(ctx, definition, await withCodes(ctx, definition, search), extensions)
  return { found: selection.found, rows: onlyFound(selection), revision: revisionNow(ctx, definition.objectKey) }
}

/** How many objects a search finds; counts no further than one more than `most`. */
export async function countFound(
  ctx: Context,
  definition: Definition,
  search: Search,
  extensions: readonly Extension[],
  most: number,
): Promise<number> {
  return countUpTo(ctx, select(ctx, definition, await withCodes(ctx, definition, search), extensions), most)
}

/** One object by its id and kind, as much of it as the paths ask for. */
export async function findChosen(
  ctx: Context,
  { id, object_key }: { id: string; object_key: string },
  paths: readonly string[],
  permit: Permit,
): Promise<FoundObject> {
  const found = await withDefinitions(ctx, async (define) =>
    findChosenFields(ctx, id, await readPaths(await define(object_key), paths, permitted(define, permit))),
  )
  if (!found) throw notFound('object', id)
  return found
}

/** Undefined if the definition has changed since it was cached. */
async function attempt(
  ctx: Context,
  objectKey: string,
  search: Search,
  options: SearchOptions,
  define: Define,
): Promise<string | undefined> {
  const { extensions, name = 'objects', nextName = 'nextAfter', permit } = options
  const definition = await define(objectKey)
  const choice = search.paths?.length ? await readPaths(definition, search.paths, permitted(define, permit)) : undefined
  const selection = select(ctx, definition, await withCodes(ctx, definition, search), extensions)
  const keys = sortOf(definition, search, extensions)
  const page = pageAsked(objectKey, search, keys)
  const found = await findPage(ctx, definition, selection, {
    keys,
    page,
    choice,
    deleted: search.deleted !== undefined,
  })
  return found?.revision === definition.revision ? envelope(name, found, page, nextName) : undefined
}

/** What is shown of each object has no part in which search it is. */
function pageAsked(objectKey: string, { paths: _, ...search }: Search, keys: readonly Key[]): Page {
  return pageOf(`objects ${objectKey}`, { ...search, sort: sortIn(search) }, [
    ...keys.map(({ place }) => typeOf(place)),
    'id',
  ])
}

async function withCodes(ctx: Context, definition: Definition, { filter, ...search }: Search): Promise<Search> {
  return filter === undefined
    ? search
    : { ...search, filter: withCurrencyCodes(definition, filter, await currencyIds(ctx)) }
}

function permitted(define: Define, permit: Permit | undefined): Define {
  return (objectKey) => {
    permit?.(objectKey)
    return define(objectKey)
  }
}

function sortOf(definition: Definition, search: Search, extensions: readonly Extension[]): Key[] {
  return readSort(definition, sortIn(search), { deleted: search.deleted !== undefined, extensions })
}

function sortIn({ sort, deleted }: Search): string {
  return sort ?? (deleted ? '-deletedAt' : '-createdAt')
}
