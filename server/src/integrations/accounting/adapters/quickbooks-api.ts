import { type Client, RemoteFault, type RemoteRecord } from './adapter.ts'

export type Json = Record<string, unknown>

/** The longest that a number may be. */
export const longestNumber = 21
const pageSize = 1000
const version = 'minorversion=75'

export async function call(client: Client, path: string, body?: Json): Promise<unknown> {
  const at = `${client.addresses.api}/v3/company/${client.remoteId}/${path}${path.includes('?') ? '&' : '?'}${version}`
  return client.ask(at, body ? { method: 'POST', body } : {})
}

/** The fault in an answer that is no success, in the two spellings that there are. */
export function quickbooksFault(status: number, body: unknown): RemoteFault {
  const { Fault, fault } = (body ?? {}) as { Fault?: FaultBody; fault?: FaultBody }
  const errors = (Fault?.Error ?? fault?.error ?? []) as {
    Message?: string
    message?: string
    Detail?: string
    detail?: string
    code?: string
  }[]
  const [first] = errors
  const message =
    [first?.Message ?? first?.message, first?.Detail ?? first?.detail].filter(Boolean).join(': ') ||
    `QuickBooks answered ${status}.`
  const code = first?.code ? ` (${first.code})` : ''
  if (first?.code === '5010') return new RemoteFault('stale', message + code)
  if (first?.code === '610') return new RemoteFault('gone', message + code)
  return new RemoteFault(status === 403 || first?.code === '120' ? 'sign_in' : 'refused', message + code)
}

type FaultBody = { Error?: unknown[]; error?: unknown[] }

export async function queryAll(client: Client, entity: string, where: string): Promise<Json[]> {
  const found: Json[] = []
  for (let start = 1; ; start += pageSize) {
    // The query language of QuickBooks, which looks like SQL.
    const query = ['select', '*', 'from', entity, where, 'startposition', start, 'maxresults', pageSize]
      .filter(Boolean)
      .join(' ')
    const { QueryResponse = {} } = (await call(client, `query?query=${encodeURIComponent(query)}`)) as {
      QueryResponse?: Json
    }
    const page = (QueryResponse[entity] ?? []) as Json[]
    found.push(...page)
    if (page.length < pageSize) return found
  }
}

export function escapeText(text: string): string {
  return text.replace(/[\\']/g, (character) => `\\${character}`)
}

export function knownIn(entity: Json | undefined): RemoteRecord {
  if (!entity?.Id) throw new RemoteFault('no_answer', 'QuickBooks answered something else than a record.')
  return { remote_id: String(entity.Id), version: entity.SyncToken === undefined ? null : String(entity.SyncToken) }
}
