import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { bills, booksOf, faultsOf, type Json, openBooks } from '../../../test/books/books.ts'
import { callerIn, databaseOf, newCaller, openService } from '../../../test/service.ts'
import { createDefinition, removeDefinition, updateDefinition } from '../../records/definitions/actions.ts'
import { transferables } from '../../transferables.ts'
import { contextFor } from '../context.ts'
import { sql } from '../db/sql/sql.ts'
import { workLot } from './lots.ts'
import { deleteOldTransfers } from './retention.ts'
import { workAll } from './rounds.ts'

type Transfer = {
  id: string
  state: string
  rows_total: number
  rows_done: number
  counts: Record<string, number>
  failure_code: string | null
  result_bytes: number
  failures_bytes: number
  [field: string]: unknown
}

const service = await openService({ TRANSFER_LIMIT_MB: '1' })
const { database } = service

type Caller = Awaited<ReturnType<typeof newCaller>>

/** The organizations of this file. Other files have transfers too, which wait for nobody to work them off. */
const own = new Set<string>()
const here = databaseOf(service, own)

async function startImport(caller: Caller, csv: string, query = '', headers = {}): Promise<Transfer> {
  own.add(caller.org)
  const answer = await caller.call('POST', `${bills}/imports${query}`, csv, { 'content-type': 'text/csv', ...headers })
  assert.equal(answer.statusCode, 202, answer.body)
  assert.equal(answer.headers.location, `/api/v1/transfers/${answer.json().transfer.id}`)
  return answer.json().transfer
}

async function read(caller: Caller, { id }: { id: string }): Promise<Transfer> {
  const answer = await caller.get(`/api/v1/transfers/${id}`)
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json().transfer
}

async function fileOf(caller: Caller, { id }: { id: string }, file: 'result' | 'failures', headers = {}) {
  return caller.get(`/api/v1/transfers/${id}/${file}`, { accept: '*/*', ...headers })
}

async function resultsOf(caller: Caller, transfer: { id: string }): Promise<Json[]> {
  const { body } = await fileOf(caller, transfer, 'result')
  return body
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

const contextOf = ({ org }: Caller) => contextFor(database, { org, actor: { type: 'system', id: 'test' } })
const lotOf = (caller: Caller, { id }: { id: string }) => workLot(contextOf(caller), transferables, id)
const csvOf = (rows: number, prefix = 'row') =>
  `external_id,currency_id,status_id\n${Array.from({ length: rows }, (_, index) => `${prefix}-${index},usd,saved\n`).join('')}`

describe('an import in the background', () => {
  test('is worked off in lots, counts every row, and says what came of each', async () => {
    const books = await openBooks(service)
    await books.make(bills, { external_id: 'there', currency_id: 'usd', notes: 'old' })
    const csv =
      'external_id,currency_id,notes,colour,revision\nnew,usd,a,red,1\nthere,usd,b,red,1\nbad,xyz,c,red,1\nnew,usd,d,red,1\nshort\nthere,usd,b,red,1\n'
    const queued = await startImport(books, csv)
    assert.deepEqual(
      [queued.state, queued.rows_total, queued.rows_done, queued.unknown_columns, queued.ignored_columns],
      ['queued', 6, 0, ['colour'], ['revision']],
    )
    assert.equal((await fileOf(books, queued, 'result')).json().error_code, 'transfer_has_no_result')
    await workAll(here, transferables)
    const done = await read(books, queued)
    assert.deepEqual(
      [done.state, done.rows_done, done.counts],
      ['done', 6, { created: 1, updated: 1, unchanged: 0, failed: 4 }],
    )
    assert.deepEqual(
      (await resultsOf(books, done)).map(({ line, status, error }) => [
        line,
        status,
        (error as Json | undefined)?.error_code,
      ]),
      [
        [2, 'created', undefined],
        [3, 'updated', undefined],
        [4, 'failed', 'unknown_currency'],
        [5, 'failed', 'duplicate_row'],
        [6, 'failed', 'wrong_number_of_cells'],
        [7, 'failed', 'duplicate_row'],
      ],
    )
    const failures = await fileOf(books, done, 'failures')
    const [head, first] = failures.body.split('\r\n')
    assert.equal(
      head,
      'external_id,currency_id,notes,colour,revision,failed_line,failed_code,failed_column,failed_because',
    )
    assert.match(String(first), /^bad,xyz,c,red,1,4,unknown_currency,currency_id,/)
    assert.equal(Number(failures.headers['content-length']), done.failures_bytes)
    const events = (await books.events()).filter(({ subject_id }) => subject_id === done.id).map(({ type }) => type)
    assert.deepEqual(events, ['transfer.created', 'transfer.done'])
    // Corrected there, the file is imported as it is.
    const corrected = await startImport(
      books,
      failures.body.split('\r\n').slice(0, 2).join('\r\n').replace('xyz', 'usd'),
    )
    await workAll(here, transferables)
    assert.deepEqual((await read(books, corrected)).counts, { created: 1, updated: 0, unchanged: 0, failed: 0 })
  })

  test('goes on after a crash with the first row that was not written: no row twice, none lost, and every number once', async () => {
    const books = await openBooks(service)
    const queued = await startImport(books, csvOf(300))
    assert.equal(await lotOf(books, queued), true)
    const before = await read(books, queued)
    assert.ok(before.state === 'running' && before.rows_done > 0 && before.rows_done < 300)
    // The process dies after the rows of a lot were written and before their transaction ends.
    const dies = contextFor(database, { org: books.org, actor: { type: 'system', id: 'test' } })
    const crash = new Error('the process died')
    await assert.rejects(
      dies.transaction(async (ctx) => {
        assert.equal(await workLot(ctx, transferables, queued.id), true)
        throw crash
      }),
      crash,
    )
    assert.deepEqual(await read(books, queued), before)
    assert.equal((await books.get(`${bills}?limit=0`)).json().total, before.rows_done)
    await workAll(here, transferables)
    const done = await read(books, queued)
    assert.deepEqual([done.state, done.counts], ['done', { created: 300, updated: 0, unchanged: 0, failed: 0 }])
    const found = (await resultsOf(books, done)).map(({ line, status }) => `${line} ${status}`)
    assert.deepEqual(
      found,
      Array.from({ length: 300 }, (_, index) => `${index + 2} created`),
    )
    const numbers = (await books.get(`${bills}/export?format=ndjson`)).body
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).number)
    assert.deepEqual([...new Set(numbers)].length, 300)
    assert.deepEqual(numbers.sort().at(-1), 'BILL-000300')
    assert.deepEqual(await faultsOf(service, [books.org]), [])
  })

  test('is shared by several processes without a row being written twice', async () => {
    const books = await openBooks(service)
    const queued = await startImport(books, csvOf(400))
    await Promise.all([1, 2, 3].map(() => workAll(here, transferables)))
    // One that found the others at it has ended early; the last of them has not.
    await workAll(here, transferables)
    const done = await read(books, queued)
    assert.deepEqual([done.state, done.counts], ['done', { created: 400, updated: 0, unchanged: 0, failed: 0 }])
    assert.equal((await resultsOf(books, done)).length, 400)
    assert.equal((await books.events()).filter(({ type }) => type === 'bill.created').length, 400)
  })

  test('of one organization lets the small one of another through after one lot, and its own bills get their numbers in between', async () => {
    const [loud, quiet] = await Promise.all([openBooks(service), openBooks(service)])
    const large = await startImport(loud, csvOf(1500))
    await lotOf(loud, large)
    const small = await startImport(quiet, csvOf(3))
    const stop = new AbortController()
    const working = workAll(here, transferables, stop.signal)
    while ((await read(quiet, small)).state !== 'done');
    // Nor is the counter of numbers held for longer than a lot: a bill gets its number in between.
    assert.notEqual((await loud.bill('saved')).number, null)
    const { state, rows_done } = await read(loud, large)
    stop.abort()
    await working.catch(() => {})
    assert.deepEqual([state, rows_done < 1500], ['running', true])
    await loud.call('POST', `/api/v1/transfers/${large.id}/cancel`)
  })

  test('that is cancelled keeps what was written, writes nothing more, and is cancelled once', async () => {
    const books = await openBooks(service)
    const queued = await startImport(books, csvOf(200))
    await lotOf(books, queued)
    const cancelled = await books.call('POST', `/api/v1/transfers/${queued.id}/cancel`)
    assert.deepEqual([cancelled.statusCode, cancelled.json().transfer.state], [200, 'cancelled'])
    assert.equal(await lotOf(books, queued), false)
    const { rows_done } = await read(books, queued)
    assert.equal((await books.get(`${bills}?limit=0`)).json().total, rows_done)
    assert.equal((await resultsOf(books, queued)).length, rows_done)
    assert.equal((await books.call('POST', `/api/v1/transfers/${queued.id}/cancel`)).statusCode, 200)
    assert.equal((await books.events()).filter(({ type }) => type === 'transfer.cancelled').length, 1)
    const other = await startImport(books, csvOf(1, 'other'))
    await workAll(here, transferables)
    assert.equal(
      (await books.call('POST', `/api/v1/transfers/${other.id}/cancel`)).json().error_code,
      'transfer_has_ended',
    )
  })

  test('that is a dry run writes nothing and says what would be', async () => {
    const books = await openBooks(service)
    const queued = await startImport(books, csvOf(60), '?dry_run=true')
    await workAll(here, transferables)
    const done = await read(books, queued)
    assert.deepEqual(
      [done.state, done.dry_run, done.counts],
      ['done', true, { created: 60, updated: 0, unchanged: 0, failed: 0 }],
    )
    assert.equal((await books.get(`${bills}?limit=0`)).json().total, 0)
    assert.ok((await resultsOf(books, done)).every(({ status, id }) => status === 'would_create' && id === null))
  })

  test('takes an Idempotency-Key: the same file is queued once, another with the same key is refused', async () => {
    const books = await openBooks(service)
    const key = { 'idempotency-key': 'k' }
    const first = await startImport(books, csvOf(2), '', key)
    assert.equal((await startImport(books, csvOf(2), '', key)).id, first.id)
    const other = await books.call('POST', `${bills}/imports`, csvOf(3), { 'content-type': 'text/csv', ...key })
    assert.deepEqual([other.statusCode, other.json().error_code], [422, 'idempotency_key_reused'])
    assert.equal((await books.get('/api/v1/transfers')).json().total, 1)
  })

  test('is refused with the line where the file cannot be read, is too large, or is none; nothing is queued', async () => {
    const books = await openBooks(service)
    const refused = async (body: string, status: number, code: string, headers = {}) => {
      const answer = await books.call('POST', `${bills}/imports`, body, { 'content-type': 'text/csv', ...headers })
      assert.deepEqual([answer.statusCode, answer.json().error_code], [status, code], answer.body)
      return answer.json().error_message as string
    }
    assert.match(await refused('external_id\na\n"b\n', 400, 'malformed_csv'), /Line 3/)
    await refused('1,2\n', 400, 'bad_header')
    await refused('', 400, 'bad_header')
    await refused('{}', 415, 'unsupported_media_type', { 'content-type': 'application/json' })
    await refused('external_id,colour\na,red\n', 400, 'unknown_column', { prefer: 'handling=strict' })
    assert.match(
      await refused(`external_id,notes\n${`a,${'x'.repeat(1000)}\n`.repeat(1100)}`, 413, 'body_too_large'),
      /1 MiB/,
    )
    assert.equal((await books.get('/api/v1/transfers')).json().total, 0)
    const empty = await startImport(books, 'external_id\n')
    await workAll(here, transferables)
    assert.deepEqual([(await read(books, empty)).state, (await fileOf(books, empty, 'failures')).body], ['done', ''])
  })

  test('is seen by its own organization alone, with the scope of what it brings', async () => {
    const [caller, other] = await Promise.all([newCaller(service), newCaller(service)])
    const { id } = await startImport(caller, csvOf(1))
    for (const path of ['', '/result', '/failures'])
      assert.equal((await other.get(`/api/v1/transfers/${id}${path}`, { accept: '*/*' })).statusCode, 404)
    assert.equal((await other.call('POST', `/api/v1/transfers/${id}/cancel`)).statusCode, 404)
    assert.equal((await other.get('/api/v1/transfers')).json().total, 0)
    assert.equal(await lotOf(other, { id }), false)
    const without = callerIn(service, caller.org, ['customers'])
    assert.equal((await without.get(`/api/v1/transfers/${id}`)).statusCode, 403)
    assert.equal((await without.call('POST', `/api/v1/transfers/${id}/cancel`)).statusCode, 403)
    assert.equal((await without.get('/api/v1/transfers')).json().total, 0)
    const reader = callerIn(service, caller.org, ['bills'])
    assert.equal((await reader.get('/api/v1/transfers?states=queued&direction=import')).json().transfers[0].id, id)
  })

  test('that fails through a fault of ours is tried again, and ends as failed without a half of a lot', async () => {
    const books = booksOf(await newCaller(service))
    const queued = await startImport(books, csvOf(100))
    const broken = transferables.map((one) => ({
      ...one,
      writeLot: (async (ctx, lot, ...rest) => {
        await one.writeLot(ctx, lot, ...rest)
        throw new Error('a fault')
      }) satisfies typeof one.writeLot,
    }))
    const letTimePass = () =>
      contextOf(books).transaction((ctx) =>
        ctx.run(sql`update transfers set retry_at = null where org_id = ${books.org} and id = ${queued.id}`),
      )
    for (let attempt = 1; attempt < 10; attempt += 1) {
      await assert.rejects(workAll(here, broken), /a fault/)
      await letTimePass()
    }
    assert.deepEqual([(await read(books, queued)).state, (await read(books, queued)).rows_done], ['queued', 0])
    await assert.rejects(workAll(here, broken), /a fault/)
    const failed = await read(books, queued)
    assert.deepEqual([failed.state, failed.failure_code], ['failed', 'internal_error'])
    assert.equal((await books.get(`${bills}?limit=0`)).json().total, 0)
  })
})

describe('an export in the background', () => {
  const startExport = async (caller: Caller, query = '', headers = {}): Promise<Transfer> => {
    own.add(caller.org)
    const answer = await caller.call('POST', `${bills}/exports${query}`, undefined, headers)
    assert.equal(answer.statusCode, 202, answer.body)
    return answer.json().transfer
  }

  test('is the file that the export answers, whatever the filters, the order and the form, in as many lots as it takes', async () => {
    const books = await openBooks(service)
    const rows = Array.from({ length: 180 }, (_, index) => ({
      external_id: `e-${index}`,
      currency_id: index % 3 === 0 ? 'cad' : 'usd',
      status_id: ['draft', 'saved', 'paid'][index % 3],
      due_date: index % 5 === 0 ? null : `2026-01-${String((index % 28) + 1).padStart(2, '0')}`,
      items: [{ unit_price: index % 7, quantity: 1 }],
    }))
    assert.equal((await books.call('POST', `${bills}/bulk`, { bills: rows })).json().counts.created, 180)
    for (const query of [
      '',
      '?format=ndjson',
      '?sort=due_date',
      '?sort=-due_date&format=ndjson',
      '?sort=total_amount&status_ids=saved,paid',
      '?currency_ids=cad',
      '?search_term=bill',
      '?status_ids=edited',
    ]) {
      const queued = await startExport(books, query)
      await workAll(here, transferables)
      const done = await read(books, queued)
      const { body, headers } = await books.get(`${bills}/export${query}`)
      const file = await fileOf(books, queued, 'result')
      assert.ok(file.body === body, query)
      assert.deepEqual(
        [done.state, done.rows_done, file.headers['content-type'], Number(file.headers['content-length'])],
        ['done', done.rows_total, headers['content-type'], done.result_bytes],
      )
    }
  })

  test('can be downloaded in parts, and is none before it is done', async () => {
    const books = await openBooks(service)
    await books.call('POST', `${bills}/bulk`, {
      bills: Array.from({ length: 120 }, (_, index) => ({ external_id: `e-${index}` })),
    })
    const queued = await startExport(books)
    assert.equal((await fileOf(books, queued, 'result')).json().error_code, 'transfer_has_no_result')
    assert.equal(await lotOf(books, queued), true)
    await workAll(here, transferables)
    const whole = await fileOf(books, queued, 'result')
    const size = whole.rawPayload.length
    for (const [range, first, last] of [
      ['bytes=0-99', 0, 99],
      [`bytes=${size - 10}-`, size - 10, size - 1],
      ['bytes=-20', size - 20, size - 1],
      [`bytes=5000-${size - 5000}`, 5000, size - 5000],
    ] as const) {
      const part = await fileOf(books, queued, 'result', { range })
      assert.deepEqual([part.statusCode, part.headers['content-range']], [206, `bytes ${first}-${last}/${size}`])
      assert.ok(part.rawPayload.equals(whole.rawPayload.subarray(first, last + 1)), range)
    }
    for (const range of [`bytes=${size}-`, 'bytes=-', 'bytes=1-0', 'lines=1-2'])
      assert.equal((await fileOf(books, queued, 'result', { range })).statusCode, 200, range)
    const stale = await fileOf(books, queued, 'result', { range: 'bytes=0-9', 'if-range': '"other"' })
    assert.deepEqual([stale.statusCode, stale.rawPayload.length], [200, size])
    const head = await books.call('HEAD', `/api/v1/transfers/${queued.id}/result`, undefined, { accept: '*/*' })
    assert.deepEqual([head.statusCode, head.headers['content-length'], head.body], [200, String(size), ''])
  })

  test('has every bill once that was there all the while, although others come and change in between', async () => {
    const books = await openBooks(service)
    await books.call('POST', `${bills}/bulk`, {
      bills: Array.from({ length: 120 }, (_, index) => ({ external_id: `e-${index}`, notes: 'old' })),
    })
    const queued = await startExport(books, '?format=ndjson')
    await lotOf(books, queued)
    await books.call('POST', `${bills}/bulk`, {
      bills: Array.from({ length: 5 }, (_, index) => ({ external_id: `late-${index}` })),
    })
    await books.call('POST', `${bills}/bulk`, {
      bills: Array.from({ length: 120 }, (_, index) => ({ external_id: `e-${index}`, notes: 'new' })),
    })
    await workAll(here, transferables)
    const lines: Json[] = (await resultsOf(books, queued)) as Json[]
    assert.deepEqual([lines.length, new Set(lines.map(({ id }) => id)).size], [120, 120])
    assert.deepEqual([lines[0]?.notes, lines.at(-1)?.notes], ['old', 'new'])
  })

  test('refuses what the export refuses, is queued once for a key, and no more than twenty wait', async () => {
    const books = await openBooks(service)
    assert.equal((await books.call('POST', `${bills}/exports?status_ids=lost`)).statusCode, 400)
    assert.equal((await books.call('POST', `${bills}/exports?currency_ids=xyz`)).statusCode, 400)
    const key = { 'idempotency-key': 'k' }
    assert.equal((await startExport(books, '', key)).id, (await startExport(books, '', key)).id)
    for (let waiting = 1; waiting < 20; waiting += 1) await startExport(books)
    const refused = await books.call('POST', `${bills}/exports`)
    assert.deepEqual([refused.statusCode, refused.json().error_code], [429, 'too_many_transfers'])
    assert.equal((await books.get('/api/v1/transfers?limit=5')).json().transfers.length, 5)
    await workAll(here, transferables)
  })
})

describe('objects in the background', () => {
  const objects = '/api/v2/platformModel/objects'
  type TransferV2 = {
    id: string
    state: string
    objectKey: string
    rowsDone: number
    rowsTotal: number
    counts: Record<string, number>
    failureCode: string | null
  }

  async function start(caller: Caller, path: string, csv?: string): Promise<TransferV2> {
    own.add(caller.org)
    const answer = await caller.call(
      'POST',
      `${objects}/${path}`,
      csv,
      csv === undefined ? {} : { 'content-type': 'text/csv' },
    )
    assert.equal(answer.statusCode, 202, answer.body)
    assert.equal(answer.headers.location, `/api/v2/platformModel/transfers/${answer.json().transfer.id}`)
    return answer.json().transfer
  }
  const readV2 = async (caller: Caller, { id }: { id: string }): Promise<TransferV2> =>
    (await caller.get(`/api/v2/platformModel/transfers/${id}`)).json().transfer

  test('come in and go out as in an import and an export, in any order, in as many lots as it takes', async () => {
    const caller = await newCaller(service)
    const csv = `externalId,name,city,creditLimit\n${Array.from({ length: 130 }, (_, index) => `c-${index},Customer ${index % 11},City ${index % 3},${index % 4 ? index : ''}\n`).join('')}c-0,twice,,\nc-bad,,Oakland,many\n`
    const queued = await start(caller, 'imports?objectKey=customer', csv)
    assert.deepEqual([queued.objectKey, queued.rowsTotal], ['customer', 132])
    await workAll(here, transferables)
    const done = await readV2(caller, queued)
    assert.deepEqual([done.state, done.counts], ['done', { created: 130, updated: 0, unchanged: 0, failed: 2 }])
    const failures = (
      await caller.get(`/api/v2/platformModel/transfers/${queued.id}/failures`, { accept: 'text/csv' })
    ).body.split('\r\n')
    assert.match(failures[1] as string, /^c-0,twice,,,132,duplicate_row,externalId,/)
    for (const query of [
      '',
      '&format=ndjson',
      '&sort=name',
      '&sort=-creditLimit,name&format=ndjson',
      '&q=customer&sort=city',
      `&filter=${encodeURIComponent('{"field":"city","op":"eq","value":"City 1"}')}`,
      '&status=inactive',
    ]) {
      const exported = await start(caller, `exports?objectKey=customer${query}`)
      await workAll(here, transferables)
      const { state, rowsDone, rowsTotal } = await readV2(caller, exported)
      assert.deepEqual([state, rowsDone], ['done', rowsTotal], query)
      const file = await fileOf(caller, exported, 'result')
      assert.ok(
        file.body === (await caller.get(`${objects}/export?objectKey=customer${query}`, { accept: '*/*' })).body,
        query,
      )
    }
    assert.equal((await caller.get('/api/v2/platformModel/transfers?limit=2')).json().nextAfter !== null, true)
  })

  test('of a kind that is changed or gone meanwhile are refused as a whole, and say why', async () => {
    const caller = await newCaller(service)
    const ctx = contextOf(caller)
    await createDefinition(ctx, { objectKey: 'dock', name: 'Dock', prefix: 'DOCK', fields: [] })
    const brought = await start(caller, 'imports?objectKey=dock', 'externalId,name\na,A\n')
    const exported = await start(caller, 'exports?objectKey=customer')
    await removeDefinition(ctx, 'dock', null)
    await updateDefinition(ctx, 'customer', { fields: [{ key: 'score', name: 'Score', type: 'integer' }] }, null)
    await workAll(here, transferables)
    assert.deepEqual(
      [(await readV2(caller, brought)).state, (await readV2(caller, brought)).failureCode],
      ['failed', 'unknown_object_key'],
    )
    assert.deepEqual(
      [(await readV2(caller, exported)).state, (await readV2(caller, exported)).failureCode],
      ['failed', 'definition_changed'],
    )
    assert.equal((await caller.events()).filter(({ type }) => type === 'transfer.failed').length, 2)
  })

  test('need the scope of their kind, and rows the scopes of what they refer to', async () => {
    const { org } = await newCaller(service)
    const caller = callerIn(service, org, ['customers'])
    assert.equal(
      (
        await caller.call('POST', `${objects}/imports?objectKey=order`, 'externalId\na\n', {
          'content-type': 'text/csv',
        })
      ).statusCode,
      403,
    )
    assert.equal((await caller.call('POST', `${objects}/exports?objectKey=order`)).statusCode, 403)
    assert.equal(
      (await caller.call('POST', `${objects}/imports`, 'externalId\na\n', { 'content-type': 'text/csv' })).statusCode,
      400,
    )
    const orders = callerIn(service, org, ['orders'])
    const queued = await start(orders, 'imports?objectKey=order', 'externalId,customerId\na,ext:c-1\n')
    await workAll(here, transferables)
    const [result] = await resultsOf(orders, queued)
    assert.deepEqual([result?.status, (result?.error as Json | undefined)?.code], ['failed', 'insufficient_scope'])
  })
})

test('what takes too long while the caller waits is refused, and the refusal names what to send instead', async () => {
  const small = await openService({ EXPORT_LIMIT_ROWS: '2', IMPORT_LIMIT_MB: '1', IMPORT_LIMIT_ROWS: '1001' })
  const books = await openBooks(small)
  const headers = { 'content-type': 'text/csv', 'idempotency-key': 'k' }
  const keyed = await books.call('POST', `${bills}/import`, csvOf(1001), headers)
  assert.deepEqual([keyed.statusCode, keyed.json().error_code], [413, 'too_many_rows'])
  assert.match(keyed.json().error_message, /1001 rows.*POST \/api\/v1\/bills\/imports/)
  const large = await books.call('POST', `${bills}/import`, `external_id,notes\na,"${'x'.repeat(2 ** 20)}"\n`, headers)
  assert.match(large.json().error_message, /POST \/api\/v1\/bills\/imports/)
  await books.call('POST', `${bills}/import`, csvOf(2), headers)
  const csv = { 'content-type': 'text/csv' }
  assert.equal((await books.call('POST', `${bills}/import?dry_run=true`, csvOf(1001), csv)).statusCode, 200)
  for (const [url, instead] of [
    [`${bills}/import`, 'POST /api/v1/bills/imports'],
    ['/api/v1/invoices/import', 'POST /api/v1/invoices/imports'],
    ['/api/v2/platformModel/objects/import?objectKey=customer', 'POST /api/v2/platformModel/objects/imports'],
    ['/api/v1/carrier_invoices/import', 'Split the file'],
  ] as const) {
    const file = `${url.includes('objectKey') ? 'externalId,name' : 'invoice_number,external_id'}\n${'a,b\n'.repeat(1002)}`
    const answer = await books.call('POST', url, file, csv)
    assert.equal(answer.statusCode, 413, answer.body)
    assert.match(answer.body, /The file has more than 1001 rows/)
    for (const part of ['too_many_rows', instead]) assert.ok(answer.body.includes(part), answer.body)
  }
  assert.equal((await books.get(`${bills}/export`)).statusCode, 200)
  await books.make(bills, { currency_id: 'usd' })
  const refused = await books.get(`${bills}/export`)
  assert.deepEqual([refused.statusCode, refused.json().error_code], [413, 'too_many_rows'])
  assert.match(refused.json().error_message, /POST \/api\/v1\/bills\/exports/)
  assert.equal((await books.get(`${bills}/export?status_ids=draft`)).statusCode, 200)
  const objects = '/api/v2/platformModel/objects'
  await books.call('POST', `${objects}/bulk`, {
    objects: ['A', 'B', 'C'].map((name) => ({ objectKey: 'customer', json: { name } })),
  })
  for (const query of ['', '&q=a']) {
    const answer = await books.get(`${objects}/export?objectKey=customer${query}`)
    assert.equal(answer.statusCode, query === '' ? 413 : 200, answer.body)
  }
})

test('what has been kept long enough is deleted with its files, and what was sent as soon as the import has ended', async () => {
  const books = await openBooks(service)
  const ended = await startImport(books, csvOf(10))
  await workAll(here, transferables)
  const waiting = await startImport(books, csvOf(10, 'other'))
  await books.call('POST', `${bills}/imports`, 'external_id\na\n"b\n', { 'content-type': 'text/csv' })
  const kept = () =>
    contextOf(books).transaction(async (ctx) => {
      const [row] = await ctx.run<{ transfers: number; sent: number; files: number; keys: number }>(sql`
        select (select count(*)::int from transfers where org_id = ${ctx.org}) as transfers,
          (select count(*)::int from transfer_parts where org_id = ${ctx.org} and file = 'rows') as sent,
          (select count(*)::int from transfer_parts where org_id = ${ctx.org} and file <> 'rows') as files,
          (select count(*)::int from transfer_keys where org_id = ${ctx.org}) as keys`)
      return row
    })
  assert.deepEqual(await kept(), { transfers: 3, sent: 2, files: 1, keys: 10 })
  await deleteOldTransfers(here, service.settings.transfers.kept)
  assert.deepEqual(await kept(), { transfers: 3, sent: 1, files: 1, keys: 0 })
  await contextOf(books).transaction(async (ctx) => {
    await ctx.run(sql`update transfers set created_at = now() - interval '9 days' where org_id = ${ctx.org}`)
    await ctx.run(
      sql`update transfers set ended_at = now() - interval '8 days' where org_id = ${ctx.org} and ended_at is not null`,
    )
  })
  await deleteOldTransfers(here, service.settings.transfers.kept)
  assert.deepEqual(await kept(), { transfers: 1, sent: 1, files: 0, keys: 0 })
  assert.equal((await books.get(`/api/v1/transfers/${ended.id}`)).statusCode, 404)
  assert.equal((await read(books, waiting)).state, 'queued')
  await workAll(here, transferables)
})

test('of those that have ended so many are kept, with so many bytes; the oldest go first, and the last one stays', async () => {
  const books = await newCaller(service)
  const ids: string[] = []
  for (let n = 0; n < 4; n++) {
    const { id } = (await books.call('POST', `${bills}/exports`)).json().transfer
    await workAll(databaseOf(service, new Set([books.org])), transferables)
    ids.push(id)
  }
  const there = async () => {
    const answers = await Promise.all(ids.map((id) => books.get(`/api/v1/transfers/${id}`)))
    return ids.filter((_, n) => answers[n]?.statusCode === 200)
  }
  const here = databaseOf(service, new Set([books.org]))
  await deleteOldTransfers(here, { count: 3, bytes: 1e9 })
  assert.deepEqual(await there(), ids.slice(1))
  await deleteOldTransfers(here, { count: 3, bytes: 1 })
  assert.deepEqual(await there(), ids.slice(3))
})
