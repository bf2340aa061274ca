import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newId } from '../../src/platform/core/values/ids.ts'
import { sql } from '../../src/platform/db/sql/sql.ts'
import { type Caller, newCaller, sharedService } from '../service.ts'
import { type Books, faultsOf, openBooks, type Row, statements } from './books.ts'

const service = await sharedService()

const kinds = ['bill', 'invoice', 'credit'] as const
type Noun = (typeof kinds)[number]
const at = (noun: Noun) => `/api/v1/${noun}s`

/** A document with two lines, brought as far as these actions lead. */
async function made(caller: Caller, noun: Noun, ...actions: string[]): Promise<Row> {
  const items = [{ unit_price: 700 }, { unit_price: 100, quantity: 3, description: 'Detention' }]
  const answer = await caller.call('POST', at(noun), {
    ...{
      direction: 'in',
      currency_id: 'usd',
      external_id: newId(),
      notes: 'As agreed',
      is_tax_on: true,
      tax_amount: 50,
      qb_external_id: 'QB-1',
    },
    items,
  })
  assert.equal(answer.statusCode, 201, answer.body)
  const { id } = answer.json()[noun]
  for (const action of actions) assert.equal((await caller.call('POST', `${at(noun)}/${id}/${action}`)).statusCode, 200)
  return (await caller.get(`${at(noun)}/${id}`)).json()[noun]
}

async function refused(
  caller: Caller,
  method: string,
  path: string,
  body: object | undefined,
  code: string,
): Promise<string> {
  const answer = await caller.call(method, path, body)
  assert.deepEqual([answer.statusCode, answer.json().error_code], [409, code], `${method} ${path}: ${answer.body}`)
  return answer.json().error_message
}

for (const noun of kinds) {
  describe(`a ${noun} that is voided`, { concurrency: true }, () => {
    test('keeps its number and its content, with the reason, and leaves its event', async () => {
      const caller = await newCaller(service)
      const before = await made(caller, noun, 'save', 'send')
      const path = `${at(noun)}/${before.id}`
      assert.equal((await caller.call('POST', `${path}/void`, {})).statusCode, 400)
      const answer = await caller.call('POST', `${path}/void`, { reason: 'Entered twice' })
      assert.equal(answer.statusCode, 200, answer.body)
      const after = answer.json()[noun]
      const { voided_at, revision, updated_at, amount_due, available_actions, ...rest } = after
      const { voided_at: _, revision: __, updated_at: ___, amount_due: ____, available_actions: _____, ...was } = before
      assert.deepEqual(rest, { ...was, void_reason: 'Entered twice' })
      assert.deepEqual([revision, amount_due, available_actions], [before.revision + 1, 0, []])
      assert.match(voided_at, /^\d{4}-/)
      assert.deepEqual((await caller.get(path)).json()[noun], after)
      const [event] = (await caller.get(`${path}/history?limit=1`)).json().events
      assert.deepEqual(
        [event.type, event.previous, event.data.void_reason],
        [`${noun}.voided`, { voided_at: null, void_reason: null }, 'Entered twice'],
      )
      assert.deepEqual(await faultsOf(service, [caller.org]), [])
    })

    test('is in no search, total or export unless it is asked for, before and after the counts are added up', async () => {
      const caller = await newCaller(service)
      const gone = await made(caller, noun, 'save')
      const stays = await made(caller, noun, 'save')
      await caller.call('POST', `${at(noun)}/${gone.id}/void`, { reason: 'x' })
      const found = async (query: string) => {
        const page = (await caller.get(`${at(noun)}?${query}`)).json()
        assert.equal(page.total, page[`${noun}s`].length, query)
        return page[`${noun}s`].map(({ id }: Row) => id).sort()
      }
      for (const query of [
        '',
        'status_ids=saved',
        'sort=updated_at',
        'created_start_at=2020-01-01',
        'currency_ids=usd',
        `search_term=${noun}`,
        'unpaid=true',
        'include_voided=false',
      ])
        assert.ok(!(await found(query)).includes(gone.id), query)
      for (const query of ['', 'status_ids=saved', 'sort=updated_at', 'currency_ids=usd']) {
        assert.deepEqual(await found(query), [stays.id], query)
        assert.deepEqual(await found(`${query}&include_voided=true`), [gone.id, stays.id].sort(), query)
      }
      const totals = async (query = '') => (await caller.get(`${at(noun)}/totals${query}`)).json().totals
      assert.deepEqual(await totals(), [{ status_id: 'saved', currency_id: 'usd', count: 1, total_amount: 1050 }])
      assert.deepEqual((await totals('?include_voided=true'))[0].count, 2)
      const lines = async (query: string) =>
        (await caller.get(`${at(noun)}/export${query}`, { accept: 'application/x-ndjson' })).body
          .split('\n')
          .filter((line) => line !== '').length
      assert.deepEqual([await lines(''), await lines('?include_voided=true')], [1, 2])
    })

    test('cannot change any more, by any route', async () => {
      const caller = await newCaller(service)
      const { id, external_id } = await made(caller, noun, 'save')
      const path = `${at(noun)}/${id}`
      const [line] = (await caller.get(path)).json()[`${noun}_items`]
      await caller.call('POST', `${path}/void`, { reason: 'x' })
      const voided = (await caller.get(path)).body
      for (const [method, where, body] of [
        ['PUT', '', { notes: 'y' }],
        ['PUT', '', { status_id: 'paid' }],
        ['DELETE', '', undefined],
        ['POST', '/save', undefined],
        ['POST', '/send', undefined],
        ['POST', '/pay', undefined],
        ['POST', '/void', { reason: 'again' }],
        ['POST', '/correct', { reason: 'again' }],
        ['POST', '/items', { unit_price: 1 }],
        ['PUT', `/items/${line.id}`, { unit_price: 1 }],
        ['DELETE', `/items/${line.id}`, undefined],
      ] as const)
        await refused(caller, method, `${path}${where}`, body, 'is_voided')
      const bulk = await caller.call('POST', `${at(noun)}/bulk`, { [`${noun}s`]: [{ external_id, notes: 'y' }] })
      assert.equal(bulk.json().results[0].error.error_code, 'is_voided')
      const csv = await caller.call('POST', `${at(noun)}/import`, `external_id,notes\n${external_id},y\n`, {
        'content-type': 'text/csv',
      })
      assert.equal(csv.json().results[0].error.error_code, 'is_voided')
      assert.equal((await caller.get(path)).body, voided)
    })

    test('was neither a draft nor paid; what stands against it is named', async () => {
      const caller = await newCaller(service)
      await refused(caller, 'POST', `${at(noun)}/${(await made(caller, noun)).id}/void`, { reason: 'x' }, 'is_draft')
      const { id } = await made(caller, noun, 'save', 'pay')
      const words = await refused(caller, 'POST', `${at(noun)}/${id}/void`, { reason: 'x' }, 'has_payments')
      assert.match(words, /paid by the payment PAY-000001/)
      const stale = await caller.call('POST', `${at(noun)}/${id}/void`, { reason: 'x' }, { 'if-match': '"1"' })
      assert.equal(stale.statusCode, 412)
      assert.equal(
        (await (await newCaller(service)).call('POST', `${at(noun)}/${id}/void`, { reason: 'x' })).statusCode,
        404,
      )
    })

    test('is corrected with the tax that was set by hand, also where it does not count', async () => {
      const caller = await newCaller(service)
      const rate = (await caller.call('POST', '/api/v1/tax_rates', { name: 'Sales tax', percent: '7' })).json().tax_rate
      const [off, rated] = [await made(caller, noun, 'save'), await made(caller, noun, 'save')]
      await caller.call('PUT', `${at(noun)}/${off.id}`, { is_tax_on: false })
      const [line] = (await caller.get(`${at(noun)}/${rated.id}`)).json()[`${noun}_items`]
      await caller.call('PUT', `${at(noun)}/${rated.id}/items/${line.id}`, { tax_rate_id: rate.id })
      for (const [{ id }, is_tax_on, tax_amount] of [
        [off, false, 0],
        [rated, true, 49],
      ] as const) {
        const answer = await caller.call('POST', `${at(noun)}/${id}/correct`, { reason: 'x' })
        const draft = answer.json()[noun]
        assert.deepEqual(
          [draft.is_tax_on, draft.tax_amount, draft.kept_tax_amount, answer.json()[`${noun}_items`].length],
          [is_tax_on, tax_amount, 50, 2],
        )
        const path = `${at(noun)}/${draft.id}`
        const [first] = answer.json()[`${noun}_items`]
        if (is_tax_on) await caller.call('PUT', `${path}/items/${first.id}`, { tax_rate_id: null })
        else await caller.call('PUT', path, { is_tax_on: true })
        const after = (await caller.get(path)).json()[noun]
        assert.deepEqual([after.tax_amount, after.kept_tax_amount], [50, null])
      }
      assert.deepEqual(await faultsOf(service, [caller.org]), [])
    })

    test('is corrected by a draft of the same content in one step, and not at all where it cannot be voided', async () => {
      const caller = await newCaller(service)
      const before = await made(caller, noun, 'save', 'send')
      const path = `${at(noun)}/${before.id}`
      const lines = (await caller.get(path)).json()[`${noun}_items`]
      const answer = await caller.call('POST', `${path}/correct`, { reason: 'Wrong amount' })
      assert.equal(answer.statusCode, 201, answer.body)
      const draft = answer.json()[noun]
      assert.equal(answer.headers.location, `${at(noun)}/${draft.id}`)
      const same = (row: Row) => [
        row.notes,
        row.currency_id,
        row.total_amount,
        row.tax_amount,
        row.sub_total_amount,
        row[`${noun}_date`],
        row.direction,
      ]
      assert.deepEqual(same(draft), same(before))
      assert.deepEqual(
        [draft.status_id, draft.number, draft.external_id, draft.qb_external_id, draft.revision],
        ['draft', null, null, null, 1],
      )
      const content = (rows: Row[]) =>
        rows.map(({ unit_price, quantity, description }) => ({ unit_price, quantity, description }))
      assert.deepEqual(content(answer.json()[`${noun}_items`]), content(lines))
      assert.equal((await caller.get(path)).json()[noun].void_reason, 'Wrong amount')
      const [created] = (await caller.get(`${at(noun)}/${draft.id}/history`)).json().events
      assert.deepEqual([created.type, created.data.corrects_id], [`${noun}.created`, before.id])
      const saved = await caller.call('POST', `${at(noun)}/${draft.id}/save`)
      assert.notEqual(saved.json()[noun].number, before.number)
      const paid = await made(caller, noun, 'save', 'pay')
      await refused(caller, 'POST', `${at(noun)}/${paid.id}/correct`, { reason: 'x' }, 'has_payments')
      assert.equal((await caller.get(`${at(noun)}?include_voided=true&limit=0`)).json().total, 3)
      assert.deepEqual(await faultsOf(service, [caller.org]), [])
    })
  })
}

describe('a bill that is voided', { concurrency: true }, () => {
  test('is on no statement: one that is on a statement names it, and a voided one cannot go on one', async () => {
    const books = await openBooks(service)
    const payee = newId()
    const [on, off] = [
      await books.bill('saved', { partner_carrier_id: payee }),
      await books.bill('saved', { partner_carrier_id: payee }),
    ]
    const statement = await books.statement([on])
    const words = await refused(books, 'POST', `/api/v1/bills/${on.id}/void`, { reason: 'x' }, 'on_a_statement')
    assert.ok(words.includes(statement.id), words)
    assert.equal((await books.call('POST', `/api/v1/bills/${off.id}/void`, { reason: 'x' })).statusCode, 200)
    await refused(books, 'POST', `${statements}/${statement.id}/bills`, { bill_ids: [off.id] }, 'not_gatherable')
    await refused(
      books,
      'POST',
      statements,
      { partner_carrier_id: payee, pay_period_start: '2020-01-01', pay_period_end: '2999-12-31' },
      'nothing_to_gather',
    )
  })

  test('makes room: its manifest can be billed again', async () => {
    const books = await openBooks(service)
    await books.make('/api/v1/bill_item_types', { name: 'Line haul' })
    const partner = await books.make('/api/v1/partner_carriers', { name: 'A' })
    const manifest = await books.make('/api/v1/manifests', {
      ...{ partner_carrier_id: partner.id, currency_id: 'usd' },
      payment_items: [{ type: 'Line haul', unit_price: 1 }],
    })
    const path = `/api/v1/manifests/${manifest.id}`
    const bill = async () => (await books.call('POST', `${path}/bill`)).json().bill
    const first = await bill()
    assert.equal((await bill()).id, first.id)
    for (const action of ['save', 'void'])
      await books.call('POST', `/api/v1/bills/${first.id}/${action}`, { reason: 'x' })
    const second = await bill()
    assert.notEqual(second.id, first.id)
    assert.equal((await books.read(path)).bill_id, second.id)
  })
})

describe('a statement that is voided', { concurrency: true }, () => {
  const twoBills = async (books: Books) => [
    await books.bill('saved'),
    await books.bill('saved', { is_tax_on: true, sub_total_amount: 50, tax_amount: 7 }),
  ]

  test('keeps its number, its sums and which bills it had, with the reason and its event; its bills are free', async () => {
    const books = await openBooks(service)
    const [a, b] = (await twoBills(books)) as [Row, Row]
    const { id } = await books.statement([a, b], { notes: 'Weekly', reference_number: 'S-1' })
    const path = `${statements}/${id}`
    for (const action of ['save', 'send']) await books.call('POST', `${path}/${action}`)
    const before = await books.read(path)
    assert.equal((await books.call('POST', `${path}/void`, {})).statusCode, 400)
    assert.equal((await books.call('POST', `${path}/void`, { reason: 'x' }, { 'if-match': '"1"' })).statusCode, 412)
    assert.equal((await (await newCaller(service)).call('POST', `${path}/void`, { reason: 'x' })).statusCode, 404)
    const tried = await books.call('POST', `${path}/void`, { reason: 'Wrong bills' }, { prefer: 'dry-run' })
    assert.deepEqual([tried.statusCode, tried.json().consolidated_bill.void_reason], [200, 'Wrong bills'])
    assert.deepEqual(await books.read(path), before)

    const answer = await books.call('POST', `${path}/void`, { reason: 'Wrong bills' })
    assert.equal(answer.statusCode, 200, answer.body)
    const after = answer.json().consolidated_bill
    const { voided_at, revision, updated_at, ...rest } = after
    const { voided_at: _, revision: __, updated_at: ___, ...was } = before
    assert.deepEqual(rest, { ...was, void_reason: 'Wrong bills', available_actions: [] })
    assert.equal(revision, before.revision + 1)
    assert.deepEqual([before.bill_ids, before.total_amount], [[a.id, b.id], 1057])
    const shown = (await books.get(path)).json()
    assert.deepEqual(shown.consolidated_bill, after)
    assert.deepEqual(
      shown.bills.map((bill: Row) => [bill.id, bill.consolidated_bill_id]),
      [
        [a.id, null],
        [b.id, null],
      ],
    )
    const [event] = (await books.get(`${path}/history?limit=1`)).json().events
    assert.deepEqual(
      [event.type, event.previous, event.data.bill_ids],
      ['consolidated_bill.voided', { voided_at: null, void_reason: null }, [a.id, b.id]],
    )
    const [freed] = (await books.get(`/api/v1/bills/${a.id}/history?limit=1`)).json().events
    assert.deepEqual([freed.type, freed.previous], ['bill.updated', { consolidated_bill_id: id }])
    const next = await books.statement([a])
    assert.equal(
      (await books.call('POST', `${statements}/${next.id}/save`)).json().consolidated_bill.number,
      'STMT-000002',
    )
    await books.call('POST', `${statements}/${next.id}/pay`)
    assert.deepEqual([(await books.read(path)).total_amount, (await books.read(path)).bill_ids], [1057, [a.id, b.id]])
    assert.deepEqual(await faultsOf(service, [books.org]), [])
  })

  test('is in no list unless it is asked for, and cannot change any more', async () => {
    const books = await openBooks(service)
    const [a, b] = (await twoBills(books)) as [Row, Row]
    const [gone, stays] = [await books.statement([a]), await books.statement([b])]
    const path = `${statements}/${gone.id}`
    await books.call('POST', `${path}/save`)
    await books.call('PUT', path, { status_id: 'draft' })
    await refused(books, 'DELETE', path, undefined, 'has_number')
    assert.equal((await books.call('POST', `${path}/void`, { reason: 'x' })).statusCode, 200)
    for (const query of ['', 'status_ids=draft', 'include_voided=false']) {
      const page = (await books.get(`${statements}?${query}`)).json()
      assert.deepEqual([page.total, page.consolidated_bills.map(({ id }: Row) => id)], [1, [stays.id]], query)
    }
    const all = (await books.get(`${statements}?include_voided=true`)).json()
    assert.deepEqual([all.total, all.consolidated_bills.map(({ id }: Row) => id)], [2, [stays.id, gone.id]])
    for (const [method, where, body] of [
      ['PUT', '', { notes: 'y' }],
      ['DELETE', '', undefined],
      ['POST', '/save', undefined],
      ['POST', '/send', undefined],
      ['POST', '/pay', undefined],
      ['POST', '/reopen', { reason: 'x' }],
      ['POST', '/void', { reason: 'again' }],
      ['POST', '/bills', { bill_ids: [a.id] }],
      ['DELETE', `/bills/${a.id}`, undefined],
    ] as const)
      await refused(books, method, `${path}${where}`, body, 'is_voided')
  })

  test('had a number and was not paid: a draft is deleted, and what is paid is reopened first', async () => {
    const books = await openBooks(service)
    const { id } = await books.statement(await twoBills(books))
    const path = `${statements}/${id}`
    await refused(books, 'POST', `${path}/void`, { reason: 'x' }, 'is_draft')
    assert.deepEqual((await books.read(path)).available_actions, ['save', 'delete'])
    for (const action of ['save', 'pay']) await books.call('POST', `${path}/${action}`)
    assert.deepEqual((await books.read(path)).available_actions, ['reopen'])
    await refused(books, 'POST', `${path}/void`, { reason: 'x' }, 'has_payments')
    await books.call('POST', `${path}/reopen`, { reason: 'x' })
    assert.deepEqual((await books.read(path)).available_actions, ['send', 'pay', 'void'])
    assert.equal((await books.call('POST', `${path}/void`, { reason: 'x' })).statusCode, 200)
    assert.deepEqual(await faultsOf(service, [books.org]), [])
  })
})

describe('what can be done next', { concurrency: true }, () => {
  /** What the routes accept of these, tried without doing it. */
  async function accepted(caller: Caller, path: string): Promise<string[]> {
    const answers = await Promise.all(
      besides.map(
        async (name) =>
          (
            await caller.call('POST', `${path}/${name}`, name === 'reprice' ? undefined : { reason: 'x' }, {
              prefer: 'dry-run',
            })
          ).statusCode,
      ),
    )
    return besides.filter((_, index) => (answers[index] as number) < 300)
  }
  const besides = ['void', 'correct', 'reprice']
  const namedIn = (row: Row) => besides.filter((name) => row.available_actions.includes(name))

  for (const noun of kinds)
    test(`a ${noun} names void, correct and reprice where they are accepted`, async () => {
      const caller = await newCaller(service)
      const documents: Row[] = [
        await made(caller, noun),
        await made(caller, noun, 'save'),
        await made(caller, noun, 'save', 'send'),
        await made(caller, noun, 'save', 'pay'),
      ]
      const [, unsaved, part] = [documents, await made(caller, noun, 'save'), await made(caller, noun, 'save')]
      await caller.call('PUT', `${at(noun)}/${unsaved.id}`, { status_id: 'draft' })
      assert.equal((await caller.call('POST', `${at(noun)}/${part.id}/pay`, { amount: 1 })).statusCode, 200)
      documents.push(unsaved, part)
      const paths = documents.map(({ id }) => `${at(noun)}/${id}`)
      const check = async () => {
        const seen = new Set<string>()
        for (const path of paths) {
          const row = (await caller.get(path)).json()[noun] as Row
          assert.deepEqual(
            namedIn(row),
            await accepted(caller, path),
            `${path} ${row.status_id} ${row.available_actions}`,
          )
          for (const name of namedIn(row)) seen.add(name)
        }
        return [...seen].sort()
      }
      assert.deepEqual(await check(), ['correct', 'void'])
      await service.pool.run(sql`update organizations set home_currency_id = 'eur' where org_id = ${caller.org}`)
      const rate = { from_currency_id: 'usd', to_currency_id: 'eur', rate: '0.9', starts_on: '2000-01-01' }
      assert.equal((await caller.call('POST', '/api/v1/exchange_rates', rate)).statusCode, 201)
      assert.deepEqual(await check(), ['correct', 'reprice', 'void'])
      for (const path of paths) await caller.call('POST', `${path}/reprice`)
      assert.deepEqual(await check(), ['correct', 'reprice', 'void'])
    })

  test('a bill on a statement names neither void nor correct, and a paid one with its statement only what is left', async () => {
    const books = await openBooks(service)
    await service.pool.run(sql`update organizations set home_currency_id = 'eur' where org_id = ${books.org}`)
    const bill = await books.bill('saved')
    assert.deepEqual(bill.available_actions, ['send', 'pay', 'draft', 'void', 'correct', 'reprice'])
    const { id } = await books.statement([bill])
    const actions = async () => (await books.read(`/api/v1/bills/${bill.id}`)).available_actions
    assert.deepEqual(await actions(), ['send', 'pay', 'reprice'])
    for (const action of ['save', 'pay']) await books.call('POST', `${statements}/${id}/${action}`)
    assert.deepEqual(await actions(), ['reprice'])
  })

  test('what is in the home currency and has its amount there does not offer reprice', async () => {
    const books = await openBooks(service)
    const before = await books.bill('saved')
    await service.pool.run(sql`update organizations set home_currency_id = 'usd' where org_id = ${books.org}`)
    const [old, fresh] = [await books.read(`/api/v1/bills/${before.id}`), await books.bill('saved')]
    assert.deepEqual([old, fresh].map(namedIn), [
      ['void', 'correct', 'reprice'],
      ['void', 'correct'],
    ])
  })
})
