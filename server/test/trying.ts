import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import type { LightMyRequestResponse } from 'fastify'
import { sql } from '../src/platform/db/sql/sql.ts'
import { recorded } from '../src/platform/events/announcing.ts'
import type { Caller, Service } from './service.ts'

type Call = Caller['call']

/**
 * Looks at what dry runs do: `tried` makes a request with `Prefer: dry-run` and fails unless it ran in one transaction, left every table of the
 * organization as it was, and announced nothing. Tables without an organization are written by the other tests meanwhile: for those it is the one
 * transaction that counts, since its rollback takes all of it back.
 */
export async function watchDryRuns({ pool }: Service): Promise<{
  tried(call: Call, org: string, ...request: Parameters<Call>): ReturnType<Call>
  /** What every table of an organization has, as a hash of each. */
  contentOf(org: string): Promise<Record<string, string | null>>
}> {
  const transactions = new AsyncLocalStorage<string[]>()
  const { run, transaction } = pool
  Object.assign(pool, {
    run: (statement: { text: string }) => {
      // On a slow machine a request may find the list of revoked tokens too old, and read it before anything else.
      if (!statement.text.includes('left join revocations')) transactions.getStore()?.push(statement.text)
      return run(statement as never)
    },
    transaction: (work: never, opening?: string) => {
      transactions.getStore()?.push(opening ?? 'begin')
      return transaction(work, opening)
    },
  })
  const tables = await run<{ name: string }>(sql`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id'
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by 1`)
  const all = tables.map(
    ({ name }) =>
      `select '${name}' as name, md5(string_agg(t::text, '' order by t::text)) as rows from "${name}" t where org_id = $1`,
  )
  const text = all.join(' union all ')

  async function contentOf(org: string): Promise<Record<string, string | null>> {
    const opening = `begin; set local app.org_id = '${org}'`
    const rows = await transaction(
      (run) => run<{ name: string; rows: string | null }>({ text, values: [org] }),
      opening,
    )
    return Object.fromEntries(rows.map(({ name, rows }) => [name, rows]))
  }

  return {
    contentOf,
    async tried(call, org, method, url, body, headers = {}) {
      const before = await contentOf(org)
      const announced: string[] = []
      const stop = recorded.listen((which) => announced.push(which))
      const begun: string[] = []
      const prefer = [headers.prefer, 'dry-run'].filter(Boolean).join(', ')
      const answer = await transactions.run(begun, () => call(method, url, body, { ...headers, prefer }))
      stop()
      assert.match(String(answer.headers['preference-applied']), /(?:^|, )dry-run$/)
      assert.deepEqual(await contentOf(org), before, `${method} ${url} left something`)
      assert.equal(announced.includes(org), false, `${method} ${url} announced an event`)
      // Whichever request comes when it is due renews the row by which other processes know this one.
      const own = begun.filter((text) => !text.includes('serving_processes'))
      assert.equal(own.length, 1, `${method} ${url} must be one transaction: ${own.join(' | ')}`)
      return answer
    },
  }
}

/** The same answer, but for what is made anew each time: ids, times and secrets. */
export function assertAlike(tried: LightMyRequestResponse, done: LightMyRequestResponse): void {
  assert.equal(tried.statusCode, done.statusCode, tried.body)
  const own = ['preference-applied', 'x-request-id', 'date', 'content-length', 'ratelimit', 'content-encoding']
  const headersOf = ({ headers }: LightMyRequestResponse) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => !own.includes(name)))
  compare(headersOf(tried), headersOf(done), 'headers')
  if (tried.body === '' || done.body === '') assert.equal(tried.body, done.body)
  else compare(tried.json(), done.json(), 'body')
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g
/** Such as `client_secret`, the link of an invitation, and a signed link. */
const secret = /secret|invitation|client_id|^body\.url$/

function compare(one: unknown, other: unknown, where: string): void {
  if (typeof one === 'string' && typeof other === 'string') {
    const plain = (text: string) => text.replace(uuid, '(id)').replace(time, '(time)')
    if (!secret.test(where)) assert.equal(plain(one), plain(other), where)
  } else if (typeof one === 'object' && typeof other === 'object' && one !== null && other !== null) {
    assert.deepEqual(Object.keys(one), Object.keys(other), where)
    for (const [key, value] of Object.entries(one))
      compare(value, (other as Record<string, unknown>)[key], `${where}.${key}`)
  } else assert.equal(one, other, where)
}
