import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LightMyRequestResponse } from 'fastify'
import { newId } from '../src/core/ids.ts'
import { isAway, whyUnusable } from '../src/db/away.ts'
import { type Statement, sql } from '../src/db/sql.ts'
import { connectionName, newCaller, openService, type Service } from './service.ts'

const types = '/api/v1/bill_item_types'

function assertUnavailable(answer: LightMyRequestResponse, outcome?: 'not_written' | 'unknown'): void {
  assert.equal(answer.statusCode, 503, answer.body)
  assert.match(String(answer.headers['retry-after']), /^[1-9]\d*$/)
  assert.equal(answer.json().outcome, outcome)
}

describe('what PostgreSQL cannot do for the moment is 503 with Retry-After, and says whether a write was saved', () => {
  /** Full disk, no memory, too many connections, cancelled, locked, read-only, input and output, shutting down, lost, colliding again and again. */
  const passing = '53100 53200 53300 53400 57014 55P03 25006 58030 58000 57P01 57P03 57P05 08006 40001 40P01 25P03'.split(' ')

  test('whatever SQLSTATE says so, in reads, writes and exports', async () => {
    const service = await openService()
    const { call, get, org } = await newCaller(service)
    const raised = raisingIn(service)
    for (const code of passing) {
      raised.code = code
      // In a read, that it must not write would be a fault of ours.
      if (code !== '25006') assertUnavailable(await get(`${types}?search_term=${code}`))
      assertUnavailable(await get('/api/v1/bills/export'))
      assertUnavailable(await call('POST', types, { name: code }), 'not_written')
      const v2 = await call('PATCH', '/api/v2/platformModel/objects', { objectKey: 'customer', json: { name: code } })
      assertUnavailable(v2, 'not_written')
      assert.equal(v2.json().statusCode, 503)
    }
    raised.code = 'P0001'
    assert.equal((await get(types)).statusCode, 500)
    assert.equal((await call('POST', types, { name: 'a fault of ours' })).statusCode, 500)
    raised.code = null
    assert.equal((await get(types)).json().total, 0)
    const [events] = await service.pool.transaction(
      (run) => run<{ count: number }>(sql`select count(*)::int as count from events where org_id = ${org} and subject_type <> 'organization'`),
      `begin; set local app.org_id = '${org}'`,
    )
    assert.equal(events?.count, 0)
  })

  test('a write that waits for a lock and is cancelled, really', async () => {
    const service = await openService()
    const { call, ctx } = await newCaller(service)
    const { id } = (await call('POST', types, { name: 'Held' })).json().bill_item_type
    await ctx.transaction(async ({ run, org }) => {
      const [own] = await run<{ pid: number }>(sql`select pg_backend_pid() as pid from bill_item_types where org_id = ${org} and id = ${id} for update`)
      const waiting = call('PUT', `${types}/${id}`, { name: 'Late' })
      const cancel = sql`select pg_cancel_backend(pid) from pg_stat_activity where application_name = ${connectionName} and ${own?.pid} = any(pg_blocking_pids(pid))`
      while ((await service.pool.run(cancel)).length === 0) await sleep(5)
      assertUnavailable(await waiting, 'not_written')
    })
    assert.equal((await call('PUT', `${types}/${id}`, { name: 'Later' })).statusCode, 200)
  })

  test('a right that PostgreSQL lacks on its disk is not one that the role lacks on a table', async () => {
    const { refusalFor } = await import('../src/db/trouble.ts')
    const denied = (message: string, file: string) => Object.assign(new Error(message), { code: '42501', file })
    assert.equal(refusalFor(denied('could not extend file "base/5/16384": Read-only file system', 'md.c'))?.kind, 'unavailable')
    assert.equal(refusalFor(denied('permission denied for table bills', 'aclchk.c')), null)
    assert.equal(refusalFor(denied('new row violates row-level security policy for table "bills"', 'execMain.c')), null)
  })
})

test('only what the driver says of connections means that the database is away', () => {
  const failing = (code: string, syscall: string) => Object.assign(new Error(code), { code, syscall })
  assert.equal(isAway(failing('ENOENT', 'connect')), true)
  assert.equal(isAway(failing('ENOENT', 'open')), false)
  assert.equal(isAway(failing('ECONNREFUSED', 'connect')), true)
})

test('a password that DATABASE_URL lacks is named in one line', () => {
  const driverSays = new Error('SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string')
  assert.match(whyUnusable(driverSays) ?? '', /^DATABASE_URL names no password, [^\n]+$/)
})

/** Has PostgreSQL raise this code at the beginning of every read and transaction, while there is one. */
function raisingIn({ database }: Service): { code: string | null } {
  const raised: { code: string | null } = { code: null }
  const statement = (): Statement => ({ text: `do $$ begin raise exception 'raised' using errcode = '${raised.code}'; end $$ -- ${newId()}`, values: [] })
  const { read, stream, transaction } = database
  database.read = (org, asked) => (raised.code ? read(org, statement()) : read(org, asked))
  database.stream = (org, asked, toText, head) => stream(org, raised.code ? statement() : asked, toText, head)
  database.transaction = (org, work) =>
    transaction(org, async (run) => {
      if (raised.code) await run(statement())
      return work(run)
    })
  return raised
}
