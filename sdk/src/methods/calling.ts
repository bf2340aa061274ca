import type { PlainLading } from '../client.ts'
import { answerOf, responseOf } from '../errors.ts'
import { type FollowOptions, follow } from '../follow.ts'
import { listOf } from './list.ts'
import type { AsCsv, AsOfOptions, ChangeOptions, Content, Revision } from './options.ts'

/**
 * The methods of a group by name. Each says its method and path, then what it takes behind the ids of the path: `query`, `body`, `form`, the media types of a
 * text or file, or `-` for nothing; then what it gives where that is no single answer in JSON: `page`, `file` or `stream`.
 */
export type Table = { readonly [name: string]: string | Table }

type Options = ChangeOptions & AsOfOptions & Partial<AsCsv> & { contentType?: string }
type Init = { params: { path: object; query: object }; headers: object; body?: unknown } & Record<string, unknown>
type Call = (
  method: string,
  path: string,
  init: Init,
) => Promise<{ data?: object; error?: unknown; response: Response }>
type Entry = { method: string; path: string; takes: string; gives: string | undefined }

export function methodsOf(lading: PlainLading, table: Table): object {
  const methods = Object.entries(table).map(([name, entry]) => [
    name,
    typeof entry === 'string' ? methodOf(lading, entry) : methodsOf(lading, entry),
  ])
  return Object.fromEntries(methods)
}

function methodOf(lading: PlainLading, text: string): (...given: never[]) => unknown {
  const [method = '', path = '', takes = '-', gives] = text.split(' ')
  if (gives === 'stream') return (options?: FollowOptions) => follow(lading, options)
  const names = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name as string)
  const call = lading.request as unknown as Call
  return (...given: unknown[]) => {
    const ids = Object.fromEntries(names.map((name, at) => [name, idOf(name, given[at])]))
    const [main, options = {}] = (takes === '-' ? [undefined, given[names.length]] : given.slice(names.length)) as [
      unknown,
      Options?,
    ]
    const ask = (asked: unknown) => call(method, path, initOf({ method, path, takes, gives }, ids, asked, options))
    if (gives === 'page') return listOf((asked) => answerOf(ask(asked)) as Promise<object>, main ?? {})
    return gives === 'file' || options.accept ? responseOf(ask(main)) : answerOf(ask(main))
  }
}

/** Without its id, the address of a record would be that of a list, or of nothing. */
function idOf(name: string, id: unknown): string {
  if (typeof id === 'string' && id !== '') return id
  throw new TypeError(`"${name}" must be an id, not ${JSON.stringify(id)}.`)
}

function initOf({ path, takes, gives }: Entry, ids: object, main: unknown, options: Options): Init {
  const { timeout, signal, headers, idempotencyKey, ifMatch, dryRun, asOf, accept, contentType, ...beside } = options
  const ofTake = takes === 'query' || takes === '-' ? {} : contentOf(takes, main, contentType)
  const dry = path.startsWith('/api/v2/') ? 'dryRun' : 'dry_run'
  return {
    params: {
      path: ids,
      query: {
        ...(takes === 'query' && (main as object)),
        ...beside,
        ...(dryRun !== undefined && { [dry]: dryRun }),
        ...(asOf !== undefined && { as_of: asOf }),
      },
    },
    ...ofTake,
    headers: {
      ...ofTake.headers,
      ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
      ...(ifMatch !== undefined && { 'If-Match': tagOf(ifMatch) }),
      ...(accept !== undefined && { Accept: accept }),
      ...headers,
    },
    ...((gives === 'file' || accept !== undefined) && { parseAs: 'stream' }),
    ...(timeout !== undefined && { timeout }),
    ...(signal !== undefined && { signal }),
  }
}

function contentOf(takes: string, main: unknown, contentType: string | undefined): Partial<Init> {
  if (takes === 'body') return main === undefined ? {} : { body: main }
  const bodySerializer = (body: unknown) => body
  if (takes === 'form') return { body: formOf(main as Record<string, unknown>), bodySerializer }
  const media = takes.split(',')
  const ofFile = main instanceof Blob ? media.find((one) => main.type.startsWith(one)) : undefined
  return {
    body: main as Content,
    bodySerializer,
    headers: { 'Content-Type': contentType ?? ofFile ?? media[0] },
  }
}

function formOf({ file, file_name, ...fields }: Record<string, unknown>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields))
    if (value !== undefined) form.append(name, typeof value === 'string' ? value : JSON.stringify(value))
  if (file_name === undefined) form.append('file', file as Blob)
  else form.append('file', file as Blob, file_name as string)
  return form
}

function tagOf(revision: Revision): string {
  return typeof revision === 'number' ? `"${revision}"` : revision
}
