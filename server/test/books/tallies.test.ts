import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { searchStatement } from '../../src/books/documents/search/page-sql.ts'
import { createBill } from '../../src/books/kinds/bills.ts'
import { bills as billKind, documentTallies, findDocumentTally } from '../../src/books/kinds/kinds.ts'
import { transaction } from '../../src/platform/context.ts'
import { foldAll, foldTallies, recountTally } from '../../src/platform/db/counts/tally-folding.ts'
import type { Database } from '../../src/platform/db/database.ts'
import { sql } from '../../src/platform/db/sql/sql.ts'
import { runs, seed } from '../depth.ts'
import { sharedService } from '../service.ts'
import { type Books, bills, faultsOf, openBooks, type Row, statements } from './books.ts'

const service = await sharedService()
const { database, pool } = service

const statuses = ['draft', 'saved', 'sent', 'edited', 'paid'] as const
const fold = (org: string) => foldTallies(database, findDocumentTally, org)

/** Bills of two years, and an hour with so many that it is counted by the second; times meet often. */
async function aged(): Promise<Books> {
  const books = await openBooks(service)
  await pool.transaction(async (run) => {
    await run({ text: `set local app.org_id = '${books.org}'`, values: [] })
    await run({ text: insertAged, values: [books.org] })
    await run(sql`insert into counters (org_id, name, value) values (${books.org}, 'bill', 2700)`)
  })
  for (const tally of documentTallies) await recountTally(database, tally, books.org)
  return books
}

const insertAged = `
  insert into bills (org_id, id, full_id, status_id, number, currency_id, sent_at, paid_at, created_by, created_at, updated_at)
  select $1::uuid, gen_random_uuid(), gen_random_uuid(), status, case when status <> 'draft' then n end, 'usd', case when status = 'sent' then at end,
    case when status = 'paid' then at end, 'test', at, at + interval '1 hour' * (n % 50)
  from (select n, (array['draft', 'saved', 'sent', 'edited', 'paid'])[1 + n % 5] as status,
      case when n <= 2300 then timestamptz '2025-03-31T23:00:00Z' + interval '777 milliseconds' * (n / 3) else timestamptz '2024-11-01T00:00:00Z' + interval '31 hours' * (n - 2300) end as at
    from generate_series(1, 2700) as n) made`

type Query = {
  status_ids?: string[]
  unpaid?: boolean
  created?: [string?, string?]
  updated?: [string?, string?]
  sort?: string
  offset: number
  limit: number
}

const time = fc.oneof(
  fc.constantFrom(
    '2025-03-31T23:05:07.770Z',
    '2025-03-31T23:00:00Z',
    '2025-04-01',
    '2025-03-31',
    '2025-04-01T00:00:00.001Z',
    '2024-11-02T07:00:00Z',
    '0001-01-01',
    '9999-12-31',
  ),
  fc
    .date({ min: new Date('2024-10-01'), max: new Date('2026-12-01'), noInvalidDate: true })
    .map((date) => date.toISOString()),
)
const range = fc.tuple(fc.option(time, { nil: undefined }), fc.option(time, { nil: undefined }))
const offset = fc.oneof(fc.constantFrom(0, 1, 199, 200, 201, 2300, 2699, 2700, 100_000), fc.nat(2800))
const query: fc.Arbitrary<Query> = fc
  .record({
    status_ids: fc.option(fc.uniqueArray(fc.constantFrom(...statuses), { minLength: 1, maxLength: 4 }), {
      nil: undefined,
    }),
    unpaid: fc.option(fc.boolean(), { nil: undefined, freq: 6 }),
    along: fc.constantFrom('created', 'updated', 'neither', 'neither'),
    range,
    sort: fc.constantFrom(undefined, 'created_at', '-created_at', 'updated_at', '-updated_at', '-due_date'),
    offset,
    limit: fc.constantFrom(0, 1, 7, 20, 200),
  })
  .map(({ along, range, ...rest }) => ({ ...rest, ...(along !== 'neither' && { [along]: range }) }) as Query)

function spelled({ status_ids, unpaid, created, updated, sort, offset, limit }: Query): string {
  const given = {
    status_ids,
    unpaid,
    created_start_at: created?.[0],
    created_end_at: created?.[1],
    update_start_at: updated?.[0],
    updated_end_at: updated?.[1],
    sort,
    offset,
    limit,
  }
  return new URLSearchParams(
    Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  ).toString()
}

/** The same by counting one by one. */
async function counted(
  org: string,
  { status_ids, unpaid, created, updated, sort = '-created_at', offset, limit }: Query,
): Promise<[number, string[]]> {
  const direction = sort.startsWith('-') ? 'desc' : 'asc'
  const column = sort.replace('-', '')
  const end = (text: string | undefined) => (text?.length === 10 ? `${text}T23:59:59.999Z` : text)
  const values = [
    org,
    status_ids ?? null,
    unpaid ?? null,
    created?.[0] ?? null,
    end(created?.[1]) ?? null,
    updated?.[0] ?? null,
    end(updated?.[1]) ?? null,
  ]
  const filter = `org_id = $1 and voided_at is null and ($2::text[] is null or status_id = any($2)) and ($3::boolean is null or (status_id <> 'paid') = $3)
    and created_at between coalesce($4::timestamptz, '-infinity') and coalesce($5::timestamptz, 'infinity')
    and updated_at between coalesce($6::timestamptz, '-infinity') and coalesce($7::timestamptz, 'infinity')`
  const rows = await within(
    org,
    `select (select count(*)::int from bills where ${filter}) as total, array(
      select id from bills where ${filter} order by ${column} ${direction} nulls last, id ${direction} offset ${offset} limit ${limit}) as ids`,
    values,
  )
  return [rows[0]?.total as number, rows[0]?.ids as string[]]
}

async function assertCounted(books: Books, wanted: Query): Promise<void> {
  const text = spelled(wanted)
  const answer = await books.get(`${bills}?${text}`)
  assert.equal(answer.statusCode, 200, `${text}: ${answer.body}`)
  const found = answer.json()
  assert.deepEqual([found.total, found.bills.map(({ id }: Row) => id)], await counted(books.org, wanted), text)
}

/** Whatever comes to the books at once; some of it is refused, which is part of the test. */
async function change(books: Books, made: Row[], what: number, which: number): Promise<void> {
  const { id } = made[which % made.length] as Row
  const other = made[(which + 1) % made.length] as Row
  const call = (method: string, path: string, body?: object) => books.call(method, path, body)
  const answer = await [
    () => call('POST', bills, { currency_id: 'usd', sub_total_amount: which }),
    () => call('PUT', `${bills}/${id}`, { notes: String(which) }),
    () => call('POST', `${bills}/${id}/save`),
    () => call('POST', `${bills}/${id}/send`),
    () => call('POST', `${bills}/${id}/pay`),
    () => call('POST', `${bills}/${id}/reopen`, { reason: 'a test' }),
    () => call('DELETE', `${bills}/${id}`),
    () => call('POST', `${bills}/${id}/items`, { unit_price: which }),
    () => call('POST', `${bills}/${id}/void`, { reason: 'a test' }),
    () => call('POST', statements, { bill_ids: [id, other.id] }),
    async () => {
      const list = (await books.get(`${statements}?limit=200`)).json().consolidated_bills as Row[]
      const statement = list[which % Math.max(1, list.length)]
      const step = ['save', 'send', 'pay', 'delete'][which % 4] as string
      if (!statement) return call('PUT', `${bills}/${id}`, { status_id: 'saved' })
      return step === 'delete'
        ? call('DELETE', `${statements}/${statement.id}`)
        : call('POST', `${statements}/${statement.id}/${step}`)
    },
  ][what]?.()
  assert.ok((answer?.statusCode ?? 500) < 500, answer?.body ?? 'nothing was done')
}

describe('totals and deep pages', { concurrency: true }, () => {
  test('are those of counting one by one, after random changes at once, with changes being folded all the while', async () => {
    const books = await aged()
    const all: Row[] = (await books.get(`${bills}?sort=updated_at&limit=200`)).json().bills
    const dense: Row[] = (
      await books.get(`${bills}?created_start_at=2025-03-31T23:00:00Z&created_end_at=2025-03-31T23:05:00Z&limit=100`)
    ).json().bills
    const made = [...all.slice(0, 20), ...dense.slice(0, 20)]
    for (let round = 0; round < 2; round += 1) {
      const steps = fc.sample(fc.tuple(fc.nat(10), fc.nat(99)), { numRuns: 60, seed: seed + round })
      let busy = true
      const watching = watch(books.org, () => busy)
      const folding = Promise.all([1, 2].map(() => foldWhile(books.org, () => busy)))
      await Promise.all(steps.map(([what, which]) => change(books, made, what, which)))
      busy = false
      await Promise.all([watching, folding])
      assert.deepEqual(await faultsOf(service, [books.org]), [])
      for (const wanted of fc.sample(query, { numRuns: runs(30) })) await assertCounted(books, wanted)
    }
    await fold(books.org)
    assert.deepEqual(await pending(books.org), 0)
    assert.deepEqual(await faultsOf(service, [books.org]), [])
    for (const wanted of fc.sample(query, { numRuns: runs(60) })) await assertCounted(books, wanted)
    assert.ok(await hasLevel(books.org, 5), 'no hour was counted by the second')
  })

  test('find every bill once, with changes still to be folded and an hour that becomes dense meanwhile', async () => {
    const books = await aged()
    await pool.transaction(async (run) => {
      await run({ text: `set local app.org_id = '${books.org}'`, values: [] })
      await run({ text: `delete from tallies where org_id = $1 and level > 3`, values: [books.org] })
    })
    const saved = (await books.get(`${bills}?status_ids=saved&limit=30&offset=400`)).json().bills as Row[]
    await Promise.all(saved.map(({ id }) => books.call('POST', `${bills}/${id}/send`)))
    for (const folded of [false, true]) {
      if (folded) await fold(books.org)
      for (const sort of ['-created_at', 'updated_at']) {
        const seen = new Set<string>()
        for (let offset = 0; offset < 2800; offset += 200)
          for (const { id } of (await books.get(`${bills}?sort=${sort}&offset=${offset}&limit=200`)).json().bills)
            seen.add(id)
        assert.equal(seen.size, 2700)
      }
    }
    assert.deepEqual(await faultsOf(service, [books.org]), [])
  })
})

describe('tallies', { concurrency: true }, () => {
  test('know nothing of a transaction that was rolled back', async () => {
    const books = await openBooks(service)
    await books.bill('saved')
    const before = await pending(books.org)
    const regret = new Error('regret')
    await assert.rejects(
      transaction(books.ctx, async (ctx) => {
        await createBill(ctx, { currency_id: 'usd' })
        throw regret
      }),
      regret,
    )
    assert.equal((await books.get(bills)).json().total, 1)
    assert.equal(await pending(books.org), before)
  })

  test('hold up nobody: while one transaction has made its changes and is not done, others write, read and fold', async () => {
    const books = await openBooks(service)
    const bill = await books.bill('saved')
    await transaction(books.ctx, async (ctx) => {
      await createBill(ctx, { currency_id: 'usd' })
      // Through connections of their own; a wait for the transaction above would never end.
      await books.bill('paid')
      assert.equal((await books.call('POST', `${bills}/${bill.id}/send`)).statusCode, 200)
      await fold(books.org)
      assert.equal((await books.get(bills)).json().total, 2)
    })
    assert.equal((await books.get(bills)).json().total, 3)
    assert.deepEqual(await faultsOf(service, [books.org]), [])
  })

  test('survive a folding that dies at its end, and two at once fold every change once', async () => {
    const books = await openBooks(service)
    await Promise.all(Array.from({ length: 10 }, (_, index) => books.bill(statuses[index % 5])))
    const before = await pending(books.org)
    const dying: Database = {
      ...database,
      transaction: (org, work) =>
        database.transaction(org, async (run) => {
          await work(run)
          throw new Error('killed')
        }),
    }
    await assert.rejects(foldTallies(dying, findDocumentTally, books.org), /killed/)
    assert.equal(await pending(books.org), before)
    await Promise.all(Array.from({ length: 5 }, () => fold(books.org)))
    assert.equal(await pending(books.org), 0)
    assert.equal((await books.get(`${bills}?unpaid=true`)).json().total, 8)
    assert.deepEqual(await faultsOf(service, [books.org]), [])
  })

  test('are folded by whoever serves next, where a process died with many changes unfolded', async () => {
    const books = await openBooks(service)
    await books.bill('sent')
    const change = `insert into tally_changes (org_id, tally, label, at, n) select $1::uuid, 'bill.created_at', 'paid', now(), n from generate_series(1, 150), unnest(array[1, -1]) n`
    await within(books.org, change, [books.org])
    assert.ok((await pending(books.org)) > 300)
    await foldAll(database, findDocumentTally)
    assert.equal(await pending(books.org), 0)
    assert.equal((await books.get(`${bills}?status_ids=sent`)).json().total, 1)
    assert.deepEqual(await faultsOf(service, [books.org]), [])
  })

  test('of one organization are never those of another', async () => {
    const [ours, theirs] = await Promise.all([openBooks(service), openBooks(service)])
    await Promise.all([ours.bill('sent'), ours.bill(), theirs.bill('sent'), fold(ours.org), fold(theirs.org)])
    await fold(ours.org)
    assert.deepEqual([await pending(ours.org), (await pending(theirs.org)) > 0], [0, true])
    const totals = async (books: Books) =>
      Promise.all(
        ['', '?status_ids=sent', '?status_ids=paid'].map(async (text) => (await books.get(bills + text)).json().total),
      )
    assert.deepEqual(await totals(ours), [2, 1, 0])
    assert.deepEqual(await totals(theirs), [1, 1, 0])
    assert.deepEqual(await faultsOf(service, [ours.org, theirs.org]), [])
  })
})

async function foldWhile(org: string, busy: () => boolean): Promise<void> {
  while (busy()) await fold(org)
}

/** Whatever is under way, the tally and the count agree in any one snapshot. */
async function watch(org: string, busy: () => boolean): Promise<void> {
  const { text, values } = searchStatement(billKind, org, { status_ids: ['sent', 'paid'], limit: 0 } as never)
  while (busy()) {
    await pool.transaction(async (run) => {
      await run(sql`set transaction isolation level repeatable read read only`)
      await run({ text: `set local app.org_id = '${org}'`, values: [] })
      const [counted] = await run({ text, values })
      const [plain] = await run(
        sql`select count(*)::int as total from bills where org_id = ${org} and voided_at is null and status_id in ('sent', 'paid')`,
      )
      assert.equal(counted?.total, plain?.total)
    })
  }
}

async function pending(org: string): Promise<number> {
  const [row] = await within(org, 'select count(*)::int as pending from tally_changes where org_id = $1', [org])
  return row?.pending as number
}

async function hasLevel(org: string, level: number): Promise<boolean> {
  return (await within(org, 'select from tallies where org_id = $1 and level = $2 limit 1', [org, level])).length > 0
}

function within(org: string, text: string, values: unknown[]): Promise<Record<string, unknown>[]> {
  return pool.transaction(async (run) => {
    await run({ text: `set local app.org_id = '${org}'`, values: [] })
    return run({ text, values })
  }) as never
}
