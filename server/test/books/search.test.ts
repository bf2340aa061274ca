import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { documentTallies } from '../../src/books/kinds/kinds.ts'
import { newId } from '../../src/platform/core/values/ids.ts'
import { recountTally } from '../../src/platform/db/counts/tally-folding.ts'
import { numbersFrom, runs } from '../depth.ts'
import { sharedService } from '../service.ts'
import { type Books, openBooks, bills as path, type Row } from './books.ts'

const service = await sharedService()

type Line = { bill: string; manifest_id: string | null; manifest_payment_item_id: string | null }
type Library = {
  books: Books
  bills: Row[]
  lines: Line[]
  manifests: string[]
  partners: string[]
  statements: string[]
}
type Query = { [name: string]: string | string[] }

const day = 86_400_000
const base = Date.parse('2026-03-01T00:00:00.000Z')
const statuses = ['draft', 'saved', 'sent', 'edited', 'paid']
const fieldsOfSort = ['created_at', 'updated_at', 'due_date', 'bill_date', 'total_amount', 'number']

/** Some hundred bills whose times, amounts and references meet often enough to test every tie. */
async function library(): Promise<Library> {
  const books = await openBooks(service)
  const pick = <T>(from: readonly T[], index: number) => from[index % from.length] as T
  const [manifests, partners] = [Array.from({ length: 6 }, () => newId()), Array.from({ length: 4 }, () => newId())]
  const [owner] = await Promise.all([books.bill('saved', { partner_carrier_id: partners[0] })])
  const statement = await books.statement([owner as Row])
  const chance = numbersFrom('a library of bills')
  const rows = Array.from({ length: 300 }, (_, index) => {
    const status_id = pick(statuses, chance(5))
    const at = (days: number) =>
      new Date(base + chance(days) * day + pick([0, 1, 999, 1000, day - 1], chance(5))).toISOString()
    const created_at = at(6)
    const partner = chance(4) === 0 ? null : pick(partners, chance(4))
    const onStatement = status_id !== 'draft' && partner === partners[0] && chance(2) === 0
    return {
      id: newId(),
      full_id: newId(),
      status_id,
      number: status_id === 'draft' ? null : index + 100,
      currency_id: onStatement ? 'usd' : pick(['usd', 'cad', 'eur'], chance(3)),
      master_trip_id: chance(5) === 0 ? pick(manifests, chance(6)) : null,
      partner_carrier_id: partner,
      consolidated_bill_id: onStatement ? statement.id : null,
      bill_date: chance(6) === 0 ? null : at(9),
      // Far from now on either side: whether it is overdue does not depend on when the test runs.
      due_date:
        chance(5) === 0
          ? null
          : new Date((chance(2) ? base : Date.parse('2096-01-01')) + chance(8) * day).toISOString(),
      sent_at: status_id === 'sent' ? created_at : null,
      paid_at: status_id === 'paid' ? created_at : null,
      reference_number: chance(3) === 0 ? null : `Ref-${chance(9)}`,
      total: (chance(9) - 3) * 100,
      created_at,
      updated_at: new Date(Date.parse(created_at) + chance(4) * day).toISOString(),
    }
  })
  const lines = rows.flatMap((row) =>
    Array.from({ length: chance(3) }, (_, index) => ({
      id: newId(),
      bill: row.id,
      position: index + 1,
      manifest_id: chance(2) ? pick(manifests, chance(6)) : null,
      manifest_payment_item_id: chance(4) === 0 ? pick(manifests, chance(6)) : null,
    })),
  )
  await service.pool.transaction(async (run) => {
    await run({ text: `set local app.org_id = '${books.org}'`, values: [] })
    await run({ text: insertBills, values: [books.org, JSON.stringify(rows)] })
    await run({ text: insertLines, values: [books.org, JSON.stringify(lines)] })
  })
  for (const tally of documentTallies) await recountTally(service.database, tally, books.org)
  const stored = (await service.pool.transaction(async (run) => {
    await run({ text: `set local app.org_id = '${books.org}'`, values: [] })
    return run({ text: 'select json from bills_wire where org_id = $1', values: [books.org] })
  })) as unknown as { json: string }[]
  return {
    books,
    bills: stored.map(({ json }) => JSON.parse(json)),
    lines,
    manifests,
    partners,
    statements: [statement.id],
  }
}

const insertBills = `
  insert into bills (org_id, id, full_id, status_id, number, currency_id, master_trip_id, partner_carrier_id, consolidated_bill_id, bill_date, due_date, sent_at, paid_at,
    reference_number, sub_total_amount, total_amount, created_by, created_at, updated_at)
  select $1, id, full_id, status_id, number, currency_id, master_trip_id, partner_carrier_id, consolidated_bill_id, bill_date, due_date, sent_at, paid_at,
    reference_number, total, total, 'test', created_at, updated_at
  from jsonb_to_recordset($2::text::jsonb) as r(id uuid, full_id uuid, status_id text, number int, currency_id text, master_trip_id uuid, partner_carrier_id uuid,
    consolidated_bill_id uuid, bill_date timestamptz, due_date timestamptz, sent_at timestamptz, paid_at timestamptz, reference_number text, total bigint, created_at timestamptz,
    updated_at timestamptz)`
const insertLines = `
  insert into bill_items (org_id, id, bill_id, position, manifest_id, manifest_payment_item_id, unit_price, quantity, total_amount)
  select $1, id, bill, position, manifest_id, manifest_payment_item_id, 0, 1, 0
  from jsonb_to_recordset($2::text::jsonb) as r(id uuid, bill uuid, position int, manifest_id uuid, manifest_payment_item_id uuid)`

/** The plain reading of every filter, over what the wire shows of each bill. */
function expected({ bills, lines }: Library, query: Query): Row[] {
  const list = (name: string) => (query[name] as string[] | undefined) ?? []
  const text = (name: string) => query[name] as string | undefined
  const among = (name: string, value: unknown) => list(name).length === 0 || list(name).includes(value as string)
  const within = (value: unknown, start: string | undefined, end: string | undefined) =>
    (start === undefined || (value !== null && Date.parse(value as string) >= instant(start, 'start'))) &&
    (end === undefined || (value !== null && Date.parse(value as string) <= instant(end, 'end')))
  const isOverdue = (bill: Row) =>
    ['saved', 'sent', 'edited'].includes(bill.status_id) &&
    bill.due_date !== null &&
    Date.parse(bill.due_date as string) < Date.now()
  return bills.filter(
    (bill) =>
      among('ids', bill.id) &&
      among('status_ids', bill.status_id) &&
      (list('in_manifest_ids').length === 0 ||
        among('in_manifest_ids', bill.master_trip_id) ||
        lines.some(
          (line) =>
            line.bill === bill.id &&
            (among('in_manifest_ids', line.manifest_id) || among('in_manifest_ids', line.manifest_payment_item_id)),
        )) &&
      within(bill.created_at, text('created_start_at'), text('created_end_at')) &&
      within(bill.updated_at, text('update_start_at'), text('updated_end_at')) &&
      within(bill.updated_at, text('updated_start_at'), undefined) &&
      within(bill.due_date, text('due_start_at'), text('due_end_at')) &&
      among('partner_carrier_ids', bill.partner_carrier_id) &&
      among('consolidated_bill_ids', bill.consolidated_bill_id) &&
      among('currency_ids', bill.currency_id) &&
      (query.reference_number === undefined ||
        (bill.reference_number as string | null)?.toLowerCase() === String(query.reference_number).toLowerCase()) &&
      (query.min_total_amount === undefined || bill.total_amount >= Number(query.min_total_amount)) &&
      (query.max_total_amount === undefined || bill.total_amount <= Number(query.max_total_amount)) &&
      (query.unpaid === undefined || (bill.status_id !== 'paid') === (query.unpaid === 'true')) &&
      (query.overdue === undefined || isOverdue(bill) === (query.overdue === 'true')),
  )
}

function instant(text: string, edge: 'start' | 'end'): number {
  return text.length === 10
    ? Date.parse(`${text}T${edge === 'start' ? '00:00:00.000' : '23:59:59.999'}Z`)
    : Date.parse(text)
}

function inOrder(bills: readonly Row[], sort = '-created_at'): Row[] {
  const [field, sign] = [sort.replace('-', ''), sort.startsWith('-') ? -1 : 1]
  const compare = (a: unknown, b: unknown) => ((a as number) < (b as number) ? -1 : a === b ? 0 : 1)
  const value = (bill: Row) => (field === 'number' && bill.number ? Number(bill.number.slice(5)) : bill[field])
  return [...bills].sort((a, b) => {
    const [x, y] = [value(a), value(b)]
    if (x === null || y === null) return x === y ? sign * compare(a.id, b.id) : x === null ? 1 : -1
    return sign * (compare(x, y) || compare(a.id, b.id))
  })
}

/** Query text of a search; an array goes in one of its three spellings. */
function spelled(query: Query, spelling: number): string {
  const e = encodeURIComponent
  return Object.entries(query)
    .flatMap(([name, value]) => {
      if (!Array.isArray(value)) return [`${name}=${e(value)}`]
      if (spelling === 0) return value.map((one) => `${name}=${e(one)}`)
      return spelling === 1 ? value.map((one) => `${name}${e('[]')}=${e(one)}`) : [`${name}=${value.map(e).join(',')}`]
    })
    .join('&')
}

function someQuery({ bills, manifests, partners, statements }: Library): fc.Arbitrary<Query> {
  const some = (from: readonly string[]) => fc.uniqueArray(fc.constantFrom(...from), { minLength: 1, maxLength: 3 })
  const time = (field: string) => {
    const times = bills.map((bill) => bill[field] as string | null).filter((at) => at !== null)
    return fc
      .tuple(fc.constantFrom(...times), fc.constantFrom(-1, 0, 0, 0, 1), fc.integer({ min: 0, max: 2 }))
      .map(([at, shift, form]) => {
        const shifted = new Date(Date.parse(at) + shift)
        if (form === 0) return shifted.toISOString()
        return form === 1
          ? shifted.toISOString().slice(0, 10)
          : new Date(shifted.getTime() + 2 * 3_600_000).toISOString().replace('Z', '+02:00')
      })
  }
  const amount = fc.integer({ min: -4, max: 6 }).map((hundreds) => String(hundreds * 100))
  return fc.record(
    {
      in_manifest_ids: some(manifests),
      ids: some(bills.slice(0, 9).map(({ id }) => id)),
      status_ids: some(statuses),
      created_start_at: time('created_at'),
      created_end_at: time('created_at'),
      update_start_at: time('updated_at'),
      updated_start_at: time('updated_at'),
      updated_end_at: time('updated_at'),
      due_start_at: time('due_date'),
      due_end_at: time('due_date'),
      partner_carrier_ids: some(partners),
      consolidated_bill_ids: some([...statements, newId()]),
      currency_ids: some(['usd', 'cad', 'eur', 'jpy']),
      reference_number: fc.constantFrom('ref-3', 'REF-1', 'Ref-8', 'none'),
      min_total_amount: amount,
      max_total_amount: amount,
      unpaid: fc.constantFrom('true', 'false'),
      overdue: fc.constantFrom('true', 'false'),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<Query>
}

/** A query with few of its filters, so that most searches find something. */
function fewOf(query: Query, keep: number): Query {
  const names = Object.keys(query)
  return Object.fromEntries(
    names
      .filter((_, index) => (index + keep) % Math.max(1, Math.ceil(names.length / 3)) === 0)
      .map((name) => [name, query[name] as string]),
  )
}

describe('GET /bills', { concurrency: true }, async () => {
  const there = await library()
  const { books } = there
  const search = async (text: string, caller = books) => {
    const answer = await caller.get(`${path}?${text}`)
    assert.equal(answer.statusCode, 200, `${text}: ${answer.body}`)
    return answer.json() as { bills: Row[]; offset: number; limit: number; total: number; next_after: string | null }
  }
  const check = async (query: Query, spelling: number, sort: string | undefined, offset: number, limit: number) => {
    const wanted = inOrder(expected(there, query), sort)
    const text = [spelled(query, spelling), sort && `sort=${sort}`, `offset=${offset}`, `limit=${limit}`]
      .filter(Boolean)
      .join('&')
    const found = await search(text)
    assert.deepEqual([found.total, found.offset, found.limit], [wanted.length, offset, limit], text)
    assert.deepEqual(
      found.bills.map(({ id }) => id),
      wanted.slice(offset, offset + limit).map(({ id }) => id),
      text,
    )
    return wanted.length
  }

  test('each filter alone, and each order, answers the rows of a plain reading', async () => {
    const seen = new Set<string>()
    const alone = fc.tuple(
      someQuery(there),
      fc.integer({ min: 0, max: 2 }),
      fc.constantFrom(undefined, ...fieldsOfSort, ...fieldsOfSort.map((name) => `-${name}`)),
    )
    for (const [query, spelling, sort] of fc.sample(alone, { numRuns: 12 }))
      for (const [name, value] of Object.entries(query)) {
        if (await check({ [name]: value as string }, spelling, sort, 0, 200)) seen.add(name)
      }
    assert.ok(seen.size >= 15, `these found something: ${[...seen]}`)
    for (const sort of fieldsOfSort.flatMap((name) => [name, `-${name}`])) await check({}, 0, sort, 0, 200)
  })

  test('random combinations of filters, orders and pages answer the rows of a plain reading', async () => {
    await fc.assert(
      fc.asyncProperty(
        someQuery(there),
        fc.nat(9),
        fc.integer({ min: 0, max: 2 }),
        fc.constantFrom(undefined, ...fieldsOfSort, ...fieldsOfSort.map((name) => `-${name}`)),
        fc.integer({ min: 0, max: 60 }),
        fc.integer({ min: 0, max: 200 }),
        async (query, keep, spelling, sort, offset, limit) => {
          await check(fewOf(query, keep), spelling, sort, offset, limit)
        },
      ),
      { numRuns: runs(150) },
    )
  })

  test('page after page by cursors answers the rows of a plain reading, in any order, by pages of any size', async () => {
    await fc.assert(
      fc.asyncProperty(
        someQuery(there),
        fc.nat(9),
        fc.constantFrom(undefined, ...fieldsOfSort, ...fieldsOfSort.map((name) => `-${name}`)),
        fc.integer({ min: 0, max: 40 }),
        fc.array(fc.integer({ min: 9, max: 150 }), { minLength: 1, maxLength: 4 }),
        async (query, keep, sort, offset, sizes) => {
          const asked = fewOf(query, keep)
          const wanted = inOrder(expected(there, asked), sort).slice(offset)
          const text = [spelled(asked, 0), sort && `sort=${sort}`].filter(Boolean).join('&')
          const seen: string[] = []
          let from = `offset=${offset}`
          for (let nth = 0; ; nth++) {
            const found = await search(`${text}&${from}&limit=${sizes[nth % sizes.length]}`)
            assert.equal(found.total, expected(there, asked).length, text)
            seen.push(...found.bills.map(({ id }) => id))
            if (found.next_after === null) break
            assert.equal(found.bills.length, found.limit)
            from = `after=${found.next_after}`
          }
          assert.deepEqual(
            seen,
            wanted.map(({ id }) => id),
            text,
          )
        },
      ),
      { numRuns: runs(40) },
    )
  })

  test('a job that writes while it pages by cursors misses nothing that stays, and sees nothing twice', async () => {
    const others = await openBooks(service)
    const rows = Array.from({ length: 24 }, (_, n) => ({
      external_id: `W-${n}`,
      currency_id: 'usd',
      sub_total_amount: (n % 5) * 100,
      due_date: n % 3 ? '2026-05-01' : null,
    }))
    const create = (bills: object[]) => others.call('POST', `${path}/bulk`, { bills })
    assert.equal((await create(rows)).json().counts.created, 24)
    for (const sort of ['-created_at', 'created_at', 'total_amount', '-due_date', 'due_date', '-number']) {
      const { bills: before } = await search(`limit=200&sort=${sort}`, others)
      const [seen, gone] = [new Set<string>(), new Set<string>()]
      let after = ''
      for (let nth = 0; ; nth++) {
        const found = await search(`limit=7&sort=${sort}&after=${after}`, others)
        for (const { id } of found.bills) {
          assert.ok(!seen.has(id), `${sort} answers a bill twice`)
          seen.add(id)
        }
        // One is marked as a job would mark it, one behind the page is deleted, and two appear, at the ends of every order.
        const [passed, next] = [found.bills.at(-1) as Row, before.find(({ id }) => !seen.has(id) && !gone.has(id))]
        assert.equal(
          (await others.call('PUT', `${path}/${passed.id}`, { qb_exported_at: '2026-06-01T00:00:00Z' })).statusCode,
          200,
        )
        if (next && nth === 1) {
          assert.equal((await others.call('DELETE', `${path}/${next.id}`)).statusCode, 204)
          gone.add(next.id)
        }
        if (nth < 3)
          await create([
            { currency_id: 'usd', sub_total_amount: -1000, due_date: '2000-01-01' },
            { currency_id: 'usd', sub_total_amount: 9000 },
          ])
        if (found.next_after === null) break
        after = found.next_after
      }
      const stayed = before.filter(({ id }) => !gone.has(id))
      assert.ok(stayed.length >= 23)
      for (const { id } of stayed) assert.ok(seen.has(id), `${sort} misses a bill`)
    }
  })

  test('exported and qb_exported_… keep what was exported to the accounting package, or was not', async () => {
    const others = await openBooks(service)
    const [never, early, late] = [await others.bill(), await others.bill(), await others.bill('saved')]
    const statement = await others.statement([late])
    const mark = (url: string, at: string) => others.call('PUT', url, { qb_exported_at: at })
    await Promise.all([
      mark(`${path}/${early.id}`, '2026-01-01T10:00:00Z'),
      mark(`${path}/${late.id}`, '2026-02-01T10:00:00Z'),
    ])
    const ids = async (text: string) => (await search(text, others)).bills.map(({ id }) => id)
    assert.deepEqual(await ids('exported=false'), [never.id])
    assert.deepEqual(await ids('exported=true'), [late.id, early.id])
    assert.deepEqual(await ids('exported=true&status_ids=draft'), [early.id])
    assert.deepEqual(await ids('qb_exported_start_at=2026-01-02'), [late.id])
    assert.deepEqual(await ids('qb_exported_end_at=2026-01-01'), [early.id])
    assert.deepEqual(
      await ids('qb_exported_start_at=2026-01-01T10:00:00Z&qb_exported_end_at=2026-02-01T10:00:00Z&sort=created_at'),
      [early.id, late.id],
    )
    assert.deepEqual(await ids('exported=false&qb_exported_start_at=2026-01-01'), [])
    assert.equal((await others.get(`${path}?exported=maybe`)).statusCode, 400)
    const exported = await others.get(`${path}/export?format=ndjson&exported=false`)
    assert.equal(JSON.parse(exported.body).id, never.id)

    const statements = async (text: string) => (await others.get(`/api/v1/consolidated_bills?${text}`)).json().total
    assert.deepEqual([await statements('exported=false'), await statements('exported=true')], [1, 0])
    await mark(`/api/v1/consolidated_bills/${statement.id}`, '2026-03-01T10:00:00Z')
    assert.deepEqual([await statements('exported=false'), await statements('exported=true')], [0, 1])
    assert.deepEqual(
      [await statements('qb_exported_start_at=2026-03-02'), await statements('qb_exported_end_at=2026-03-01')],
      [0, 1],
    )
  })

  test('reading all pages loses and repeats nothing, in every order', async () => {
    for (const sort of [undefined, 'total_amount', '-number', 'due_date']) {
      const paged: string[] = []
      for (let offset = 0; offset < there.bills.length; offset += 37)
        paged.push(
          ...(await search(`limit=37&offset=${offset}${sort ? `&sort=${sort}` : ''}`)).bills.map(({ id }) => id),
        )
      assert.deepEqual(
        paged,
        inOrder(there.bills, sort).map(({ id }) => id),
      )
    }
  })

  test('ranges hold both ends to the millisecond: a bill’s own times find it, a millisecond more or less does not', async () => {
    for (const bill of there.bills.slice(0, 8)) {
      for (const [field, start, end] of [
        ['created_at', 'created_start_at', 'created_end_at'],
        ['updated_at', 'update_start_at', 'updated_end_at'],
        ['updated_at', 'updated_start_at', 'updated_end_at'],
      ] as const) {
        const at = bill[field] as string
        const ids = async (from: string, to: string) =>
          (await search(`${start}=${from}&${end}=${to}&limit=200`)).bills.map(({ id }) => id)
        const [before, after] = [new Date(Date.parse(at) - 1).toISOString(), new Date(Date.parse(at) + 1).toISOString()]
        assert.ok((await ids(at, at)).includes(bill.id))
        assert.ok(!(await ids(after, after)).includes(bill.id))
        assert.ok(!(await ids(before, before)).includes(bill.id))
      }
    }
  })

  test('a list that is empty filters nothing, and a range that ends before it begins holds nothing', async () => {
    for (const text of [
      'status_ids=',
      'status_ids[]=',
      'in_manifest_ids=',
      'status_ids=,',
      'created_start_at=',
      'partner_carrier_ids=&currency_ids=',
    ])
      assert.equal((await search(text)).total, there.bills.length, text)
    assert.equal((await search('created_start_at=2026-03-05&created_end_at=2026-03-01')).total, 0)
    assert.equal((await search('limit=0')).bills.length, 0)
    assert.equal((await search('limit=100000')).limit, 200)
    assert.equal((await search(`offset=${Number.MAX_SAFE_INTEGER}`)).total, there.bills.length)
  })

  for (const [text, field] of [
    ['status_ids=lost', 'status_ids.0'],
    ['status_ids=paid,lost', 'status_ids.1'],
    ['sort=colour', 'sort'],
    ['in_manifest_ids=7', 'in_manifest_ids.0'],
    ['created_start_at=yesterday', 'created_start_at'],
    ['update_start_at=2026-02-30', 'update_start_at'],
    ['limit=-1', 'limit'],
    ['limit=ten', 'limit'],
    ['offset=-1', 'offset'],
    ['offset=1.5', 'offset'],
    ['unpaid=maybe', 'unpaid'],
    ['min_total_amount=1.5', 'min_total_amount'],
  ] as const) {
    test(`?${text} is a 400 that names ${field}`, async () => {
      const answer = await books.get(`${path}?${text}`)
      assert.equal(answer.statusCode, 400)
      assert.equal(answer.json().details[0].field, field)
      if (text.includes('lost')) assert.deepEqual(answer.json().details[0].allowed, statuses)
    })
  }

  test('search_term finds bills by number, payee, partner and any part of a reference, as they are after every kind of write', async () => {
    const clerk = await openBooks(service)
    const carrier = (await clerk.call('POST', '/api/v1/partner_carriers', { name: 'Cascade Carriers' })).json()
      .partner_carrier
    const [one, two] = [
      await clerk.bill('saved', { reference_number: 'INV-20417', remit_to: { company_name: 'Northside 50% Freight' } }),
      await clerk.bill('draft', { reference_number: 'PO_88', partner_carrier_id: carrier.id, due_date: '2026-05-01' }),
    ]
    const found = async (term: string, more = '') => {
      const { bills, total } = await search(`search_term=${encodeURIComponent(term)}${more}`, clerk)
      assert.equal(bills.length, total)
      return bills.map(({ id }) => id)
    }
    for (const term of ['0417', 'inv-2', 'NORTHSIDE', 'freight 204', '50%', one.number ?? '', '000001'])
      assert.deepEqual(await found(term), [one.id], term)
    for (const term of ['cascade', 'PO_8', 'carriers po']) assert.deepEqual(await found(term), [two.id], term)
    for (const term of ['IN%17', 'PO-88', 'PO888', 'cascade northside']) assert.deepEqual(await found(term), [], term)
    for (const term of ['', '  ']) assert.equal((await found(term)).length, 2)
    assert.deepEqual(await found('0', '&sort=due_date'), [one.id])
    assert.deepEqual(await found('i', '&sort=-due_date&status_ids=draft,saved'), [two.id, one.id])
    assert.deepEqual((await search('search_term=i&limit=1&offset=1&sort=due_date', clerk)).bills[0]?.id, one.id)

    await clerk.call('PUT', `${path}/${one.id}`, {
      reference_number: 'RENAMED',
      remit_to: { company_name: 'Southside' },
    })
    assert.deepEqual([await found('0417'), await found('southside renamed')], [[], [one.id]])
    await clerk.call('POST', `${path}/bulk`, {
      bills: [
        { external_id: 'B-1', reference_number: 'Bulk-7', currency_id: 'usd' },
        { id: two.id, reference_number: 'Bulk-8' },
      ],
    })
    assert.equal((await found('bulk-')).length, 2)
    assert.deepEqual(await found('bulk-8'), [two.id])
    assert.equal((await clerk.call('DELETE', `${path}/${two.id}`)).statusCode, 204)
    assert.deepEqual(await found('bulk-8'), [])
    assert.equal((await clerk.get(`${path}/export?search_term=bulk-7`)).body.split('\r\n').length, 3)
    assert.equal((await search('search_term=renamed', await openBooks(service))).total, 0)
    assert.equal((await clerk.get(`${path}?search_term=${'x'.repeat(256)}`)).statusCode, 400)
  })

  test('the totals of what matches are exact in each state and currency', async () => {
    for (const query of fc.sample(someQuery(there), { numRuns: 12 })) {
      const few = fewOf(query, 1)
      const answer = await books.get(`${path}/totals?${spelled(few, 0)}`)
      assert.equal(answer.statusCode, 200, answer.body)
      const wanted = Object.groupBy(expected(there, few), ({ currency_id, status_id }) => `${currency_id} ${status_id}`)
      const { totals } = answer.json() as {
        totals: { currency_id: string; status_id: string; count: number; total_amount: number }[]
      }
      assert.deepEqual(
        Object.fromEntries(
          totals.map(({ currency_id, status_id, count, total_amount }) => [
            `${currency_id} ${status_id}`,
            [count, total_amount],
          ]),
        ),
        Object.fromEntries(
          Object.entries(wanted).map(([key, some = []]) => [
            key,
            [some.length, some.reduce((sum, bill) => sum + bill.total_amount, 0)],
          ]),
        ),
      )
    }
    assert.deepEqual((await (await openBooks(service)).get(`${path}/totals`)).json(), { totals: [] })
    assert.equal((await books.get(`${path}/totals?status_ids=lost`)).statusCode, 400)
  })

  test('no filter shows another organization’s bills', async () => {
    const stranger = await openBooks(service)
    for (const query of fc.sample(someQuery(there), { numRuns: runs(30) }))
      assert.equal((await search(spelled(query, 0), stranger)).total, 0)
    const own = await stranger.bill('saved', {
      partner_carrier_id: there.partners[0],
      master_trip_id: there.manifests[0],
    })
    assert.deepEqual(
      (
        await search(`partner_carrier_ids=${there.partners[0]}&in_manifest_ids=${there.manifests[0]}`, stranger)
      ).bills.map(({ id }) => id),
      [own.id],
    )
  })
})
