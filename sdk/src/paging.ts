import type { Lading } from './client.ts'
import { answerOf } from './errors.ts'
import type { paths } from './schema.d.ts'

/** Every record that a search finds, page by page: `for await (const bill of each(lading, '/api/v1/bills', { params: { query: { unpaid: true } } })) …` */
export async function* each<P extends ListPath>(
  lading: Lading,
  path: P,
  ...init: InitOf<P>
): AsyncGenerator<RecordOf<P>, void, undefined> {
  for await (const page of pages(lading, path, ...init)) {
    const list = Object.values(page as object).find(Array.isArray) as RecordOf<P>[]
    yield* list
  }
}

/**
 * The pages of a search, each as it was answered, with the `total`. Each begins behind the last record of the one before, so that records which are
 * written meanwhile move no others in or out of it. A page has 200 records unless `limit` says otherwise.
 */
export async function* pages<P extends SearchPath>(
  lading: Lading,
  path: P,
  ...init: InitOf<P>
): AsyncGenerator<PageOf<P>, void, undefined> {
  const call = callOf(lading, path, (init[0] ?? {}) as AnyInit)
  let after: string | null | undefined
  do {
    const page = await answerOf(call(after))
    yield page as PageOf<P>
    after = nextOf(page)
  } while (after)
}

type AnyInit = { params?: { query?: object }; body?: object }
type AnyPage = { next_after?: string | null; nextAfter?: string | null; has_more?: boolean }
type Call = Promise<{ data?: AnyPage; error?: unknown; response: Response }>

/** The feed of events has a position behind every page, to go on from later: there `has_more` says whether anything follows now. */
function nextOf({ next_after, nextAfter, has_more }: AnyPage): string | null | undefined {
  return has_more === false ? null : (next_after ?? nextAfter)
}

/** The types of all searches at once are more than one call can be checked against. */
function callOf(lading: Lading, path: string, init: AnyInit): (after: string | null | undefined) => Call {
  const { GET, POST } = lading as unknown as Record<'GET' | 'POST', (path: string, init: AnyInit) => Call>
  const { params, body } = init
  const paged = (asked: object | undefined, after: string | null | undefined) => ({
    limit: 200,
    ...asked,
    ...(after && { after }),
  })
  return body
    ? (after) => POST(path, { ...init, body: paged(body, after) })
    : (after) => GET(path, { ...init, params: { ...params, query: paged(params?.query, after) } })
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
