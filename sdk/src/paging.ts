import type { PlainLading } from './client.ts'
import { answerOf } from './errors.ts'
import type { paths } from './schema.d.ts'

/** Every record that a search finds, page by page: `for await (const bill of each(lading, '/api/v1/bills', { params: { query: { unpaid: true } } })) …` */
export async function* each<P extends ListPath>(
  lading: PlainLading,
  path: P,
  ...init: InitOf<P>
): AsyncGenerator<RecordOf<P>, void, undefined> {
  for await (const page of pages(lading, path, ...init)) yield* recordsOf(page as object) as RecordOf<P>[]
}

/**
 * The pages of a search, each as it was answered, with the `total`. Each begins behind the last record of the one before, so that records which are
 * written meanwhile move no others in or out of it. A page has 200 records unless `limit` says otherwise.
 */
export async function* pages<P extends SearchPath>(
  lading: PlainLading,
  path: P,
  ...init: InitOf<P>
): AsyncGenerator<PageOf<P>, void, undefined> {
  const { params, body, ...rest } = (init[0] ?? {}) as AnyInit
  // The types of all searches at once are more than one call can be checked against.
  const { GET, POST } = lading as unknown as Record<'GET' | 'POST', (path: string, init: AnyInit) => Call>
  const ask = (asked: object) =>
    answerOf(
      body
        ? POST(path, { ...rest, ...(params && { params }), body: asked })
        : GET(path, { ...rest, params: { ...params, query: asked } }),
    )
  yield* pagesOf(ask as (asked: object) => Promise<object>, body ?? params?.query ?? {}) as AsyncGenerator<PageOf<P>>
}

/** The pages of what is asked for, as `ask` gets them. */
export async function* pagesOf(
  ask: (asked: object) => Promise<object>,
  asked: object,
): AsyncGenerator<object, void, undefined> {
  let next: object | undefined = asked
  while (next) {
    const page: AnyPage = await ask({ limit: 200, ...next })
    yield page
    next = nextOf(page, next)
  }
}

/** The records of a page, whatever the list is called. */
export function recordsOf(page: object): unknown[] {
  return Object.values(page).find(Array.isArray) ?? []
}

type AnyInit = { params?: { query?: object }; body?: object }
type AnyPage = {
  next_after?: string | null
  nextAfter?: string | null
  next_before?: string | null
  has_more?: boolean
}
type AnyQuery = { offset?: number; after?: string; before?: string; newest_first?: boolean }
type Call = Promise<{ data?: AnyPage; error?: unknown; response: Response }>

/**
 * What to ask for the page behind this one. The feed of events has a position behind every page, to go on from later: there `has_more` says whether anything
 * follows now; and it can be read from its end.
 */
function nextOf(
  { next_after, nextAfter, next_before, has_more }: AnyPage,
  { offset: _, ...asked }: AnyQuery,
): AnyQuery | undefined {
  if (has_more === false) return undefined
  if (asked.newest_first) return next_before ? { ...asked, before: next_before } : undefined
  const after = next_after ?? nextAfter
  return after ? { ...asked, after } : undefined
}

type AnswerOf<Operation> = Operation extends { responses: { 200: { content: { 'application/json': infer Answer } } } }
  ? Answer
  : never
type IsPage<Answer> = [Answer] extends [never]
  ? false
  : Answer extends { next_after: string | null } | { nextAfter: string | null }
    ? true
    : false

type ReadPath = { [P in keyof paths]: IsPage<AnswerOf<paths[P]['get']>> extends true ? P : never }[keyof paths]
type BodyPath = { [P in keyof paths]: IsPage<AnswerOf<paths[P]['post']>> extends true ? P : never }[keyof paths]
/** The paths that answer pages. */
export type SearchPath = ReadPath | BodyPath

/** What a search answers. */
export type PageOf<P extends SearchPath> = P extends ReadPath ? AnswerOf<paths[P]['get']> : AnswerOf<paths[P]['post']>
/** What a search finds. */
export type RecordOf<P extends SearchPath> = {
  [K in keyof PageOf<P>]-?: PageOf<P>[K] extends (infer One)[] ? One : never
}[keyof PageOf<P>]

/** The paths whose pages are lists of records. What a page of the others has lies deeper, as the positions of a track do: those are read by `pages`. */
export type ListPath = { [P in SearchPath]: [RecordOf<P>] extends [never] ? never : P }[SearchPath]

/** Where the page begins is for the iterator to say. The feed of events is read from a position that was kept, and forwards. */
type Unpaged<Asked> = 'newest_first' extends keyof Asked
  ? Omit<Asked, 'before' | 'newest_first'>
  : Omit<Asked, 'after' | 'offset'>
type Query<Parameters> = Parameters extends { query: infer Asked }
  ? { query: Unpaged<Asked> }
  : Parameters extends { query?: infer Asked }
    ? { query?: Unpaged<Asked> }
    : object
type ParamsOf<Operation> = Operation extends { parameters: infer Parameters }
  ? Omit<Parameters, 'query'> & Query<Parameters>
  : never
type BodyOf<Operation> = Operation extends { requestBody: { content: { 'application/json': infer Body } } }
  ? Unpaged<Body>
  : never
type CallOptions = { signal?: AbortSignal; timeout?: number }
type ReadInit<Params> = object extends Params
  ? [init?: { params?: Params } & CallOptions]
  : [init: { params: Params } & CallOptions]
export type InitOf<P extends SearchPath> = P extends ReadPath
  ? ReadInit<ParamsOf<paths[P]['get']>>
  : [init: { body: BodyOf<paths[P]['post']> } & CallOptions]
