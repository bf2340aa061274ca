import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import type { LightMyRequestResponse } from 'fastify'
import { addBills } from '../../src/books/settling/statements.ts'
import { transaction } from '../../src/platform/context.ts'
import { newId } from '../../src/platform/core/values/ids.ts'
import { listWaiting } from '../cluster.ts'
import { callerIn, connectionName, openService, sharedService } from '../service.ts'
import { type Books, bills, booksOf, faultsOf, openBooks, type Row, statements, terms } from './books.ts'

const service = await sharedService()

const codes = (answers: readonly LightMyRequestResponse[]) => answers.map(({ statusCode }) => statusCode).sort()

/** Whatever the race, each answer is one of these; a deadlock that surfaced would be a 500. */
function assertAmong(answers: readonly LightMyRequestResponse[], allowed: readonly number[]): void {
  for (const { statusCode, body } of answers) assert.ok(allowed.includes(statusCode), `${statusCode} ${body}`)
}

/** How many transactions of an organization PostgreSQL has ended because they waited for each other. They are tried again, so no answer shows them. */
function countDeadlocks({ org }: Books): () => number {
  const { pool } = service
  const { transaction } = pool
  let deadlocks = 0
  pool.transaction = (work, opening) =>
    transaction(work, opening).catch((error) => {
      if (error.code === '40P01' && opening?.includes(org)) deadlocks += 1
      throw error
    })
  return () => {
    pool.transaction = transaction
    return deadlocks
  }
}

/** Until so many transactions of this service wait for the locks of others. */
async function untilWaiting(count: number): Promise<void> {
  while ((await listWaiting(service.pool, connectionName)).length < count) await sleep(5)
}

async function eventsOf(books: Books, id: string): Promise<{ type: string; revision: number | null }[]> {
  return (await books.events()).filter(({ subject_id }) => subject_id === id)
}

/** Everything that must hold of an organization's books when the dust has settled, read through the API. */
async function assertSettled(books: Books): Promise<void> {
  const all: Row[] = (await books.get(`${bills}?limit=200`)).json().bills
  for (const { id } of all) {
    const { bill, bill_items } = (await books.get(`${bills}/${id}`)).json()
    const sum = bill_items.reduce((total: number, line: { total_amount: number }) => total + line.total_amount, 0)
    if (bill_items.length > 0) assert.equal(bill.sub_total_amount, sum)
    assert.equal(bill.total_amount, bill.sub_total_amount + bill.tax_amount)
    assert.deepEqual(
      bill_items.map(({ position }: { position: number }) => position),
      bill_items.map((_: unknown, index: number) => index + 1),
    )
    const revisions = new Set((await eventsOf(books, id)).map(({ revision }) => revision))
    assert.deepEqual(
      [bill.revision, Math.max(...([...revisions] as number[]))],
      [revisions.size, revisions.size],
      'every revision has its event',
    )
  }
  for (const { id } of (await books.get(`${statements}?limit=200`)).json().consolidated_bills as Row[]) {
    const { consolidated_bill: statement, bills: on } = (await books.get(`${statements}/${id}`)).json()
    for (const field of ['sub_total_amount', 'tax_amount', 'total_amount'])
      assert.equal(
        statement[field],
        on.reduce((total: number, bill: { [field: string]: number }) => total + (bill[field] as number), 0),
        field,
      )
    assert.equal(statement.bill_count, on.length)
    if (statement.status_id === 'paid') assert.ok(on.every((bill: Row) => bill.status_id === 'paid'))
    assert.equal(
      new Set((await eventsOf(books, id)).map(({ revision }) => revision)).size,
      statement.revision,
      'every revision of the statement has its event',
    )
  }
  assert.deepEqual(await faultsOf(service, [books.org]), [])
}

describe('races', { concurrency: true }, () => {
  test('random edits of lines, bills and statements at once leave books that add up, with one revision per change', async () => {
    const step = fc.record({ what: fc.nat(9), bill: fc.nat(2), amount: fc.integer({ min: -500, max: 900 }) })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 30 }), async (steps) => {
        const books = await openBooks(service)
        const made = await Promise.all(
          [1, 2, 3].map((price) =>
            books.bill('saved', { is_tax_on: true, tax_amount: 7, items: [{ unit_price: price }, { unit_price: 10 }] }),
          ),
        )
        const statement = await books.statement(made.slice(0, 2))
        const lines = await Promise.all(
          made.map(async ({ id }) => (await books.get(`${bills}/${id}/items`)).json().bill_items as Row[]),
        )
        const answers = await Promise.all(
          steps.map(({ what, bill, amount }) => {
            const { id } = made[bill] as Row
            const [line, other] = lines[bill] as [Row, Row]
            if (what < 3) return books.call('POST', `${bills}/${id}/items`, { unit_price: amount })
            if (what === 3) return books.call('PUT', `${bills}/${id}/items/${line.id}`, { unit_price: amount })
            if (what === 4) return books.call('DELETE', `${bills}/${id}/items/${other.id}`)
            if (what === 5) return books.call('PUT', `${bills}/${id}`, { notes: String(amount) })
            if (what === 6) return books.call('PUT', `${bills}/${id}`, { is_tax_on: amount > 0 })
            if (what === 7) return books.call('POST', `${statements}/${statement.id}/bills`, { bill_ids: [id] })
            if (what === 8) return books.call('DELETE', `${statements}/${statement.id}/bills/${id}`)
            return books.call('PUT', `${statements}/${statement.id}`, { notes: String(amount) })
          }),
        )
        assertAmong(answers, [200, 201, 404, 409])
        await assertSettled(books)
      }),
      { numRuns: 4, endOnFailure: true },
    )
  })

  test('a statement paid while its bills are edited: every edit is in what was paid, or came too late', async () => {
    const books = await openBooks(service)
    const made = await Promise.all([1, 2, 3].map((price) => books.bill('saved', { items: [{ unit_price: price }] })))
    const { id } = await books.statement(made)
    assert.equal((await books.call('POST', `${statements}/${id}/save`)).statusCode, 200)
    const [paid, ...edits] = await Promise.all([
      books.call('POST', `${statements}/${id}/pay`),
      ...made.flatMap((bill, index) => [
        books.call('POST', `${bills}/${bill.id}/items`, { unit_price: 100 + index }),
        books.call('PUT', `${bills}/${bill.id}`, { notes: 'meanwhile' }),
        books.call('POST', `${bills}/${bill.id}/pay`),
      ]),
    ])
    assert.equal(paid.statusCode, 200, paid.body)
    assertAmong(edits, [200, 201, 409])
    await assertSettled(books)
    assert.equal((await books.read(`${statements}/${id}`)).status_id, 'paid')
  })

  test('a bill put on two statements at once is on one of them', async () => {
    const books = await openBooks(service)
    const [a, b, wanted] = await Promise.all([books.bill('saved'), books.bill('saved'), books.bill('saved')])
    const [one, two] = await Promise.all([books.statement([a as Row]), books.statement([b as Row])])
    const added = await Promise.all(
      [one, two].map(({ id }) => books.call('POST', `${statements}/${id}/bills`, { bill_ids: [wanted?.id] })),
    )
    assert.deepEqual(codes(added), [200, 409])
    const free = await books.bill('saved')
    const made = await Promise.all(
      Array.from({ length: 5 }, () => books.call('POST', statements, { bill_ids: [free.id] })),
    )
    assert.deepEqual(codes(made), [201, 409, 409, 409, 409])
    await assertSettled(books)
  })

  test('two statements of one payee and period at once gather every bill once', async () => {
    const books = await openBooks(service)
    const partner_carrier_id = newId()
    const owed = await Promise.all([1, 2, 3, 4].map(() => books.bill('saved', { partner_carrier_id })))
    const made = await Promise.all([1, 2, 3].map(() => books.call('POST', statements, { partner_carrier_id })))
    assert.deepEqual(codes(made), [201, 409, 409])
    assert.ok(
      made
        .filter(({ statusCode }) => statusCode === 409)
        .every((answer) => answer.json().error_code === 'nothing_to_gather'),
    )
    assert.equal(made.find(({ statusCode }) => statusCode === 201)?.json().bills.length, owed.length)
  })

  test('a draft deleted while lines are added is gone, and so are they', async () => {
    const books = await openBooks(service)
    const { id } = await books.bill()
    const [gone, ...added] = await Promise.all([
      books.call('DELETE', `${bills}/${id}`),
      ...Array.from({ length: 6 }, () => books.call('POST', `${bills}/${id}/items`, { unit_price: 1 })),
    ])
    assert.equal(gone.statusCode, 204)
    assertAmong(added, [201, 404])
    assert.equal((await books.get(`${bills}/${id}`)).statusCode, 404)
    assert.deepEqual(await faultsOf(service, [books.org]), [])
  })

  test('a pay term deleted while bills begin to use it is either gone or in use', async () => {
    const books = await openBooks(service)
    for (let round = 0; round < 4; round += 1) {
      const term = await books.make(terms, { name: `Net ${round}`, number_of_days: round })
      const made = await Promise.all([1, 2, 3].map(() => books.bill('saved')))
      const [gone, ...used] = await Promise.all([
        books.call('DELETE', `${terms}/${term.id}`),
        ...made.map(({ id }) => books.call('PUT', `${bills}/${id}`, { pay_term_id: term.id })),
        books.call('POST', statements, { bill_ids: [made[0]?.id], pay_term_id: term.id }),
      ])
      assertAmong([gone], [204, 409])
      assertAmong(used, gone.statusCode === 204 ? [400] : [200, 201, 400])
      assert.equal((await books.get(`${terms}/${term.id}`)).statusCode, gone.statusCode === 204 ? 404 : 200)
    }
  })

  test('statements made of bills whose pay term is being deleted never surface a deadlock', async () => {
    const books = await openBooks(service)
    for (let round = 0; round < 3; round += 1) {
      const term = await books.make(terms, { name: `Net ${round}`, number_of_days: round })
      const made = await Promise.all([1, 2, 3, 4].map(() => books.bill('saved', { pay_term_id: term.id })))
      const answers = await Promise.all([
        ...made.map(({ id }) => books.call('POST', statements, { bill_ids: [id] })),
        books.call('DELETE', `${terms}/${term.id}`),
        ...made.map(({ id }) => books.call('PUT', `${bills}/${id}`, { pay_term_id: null })),
      ])
      assertAmong(answers, [200, 201, 204, 400, 409])
    }
    await assertSettled(books)
  })

  test('a retried write has one effect, across processes and at once', async () => {
    const books = await openBooks(service)
    const elsewhere = await openService()
    const there = { ...callerIn(elsewhere, books.org), call: booksOf(books).call }
    const onOther = (method: string, url: string, body: object, headers: { [name: string]: string }) =>
      elsewhere.app.inject({
        method: method as 'POST',
        url,
        payload: body,
        headers: { authorization: `Bearer ${books.token}`, 'content-type': 'application/json', ...headers },
      })
    const bill = await books.bill('saved')
    const key = { 'idempotency-key': newId() }
    const first = await books.call('POST', `${bills}/${bill.id}/items`, { unit_price: 5 }, key)
    const again = await onOther('POST', `${bills}/${bill.id}/items`, { unit_price: 5 }, key)
    assert.deepEqual([again.statusCode, again.body, again.headers['idempotent-replayed']], [201, first.body, 'true'])
    const pay = { 'idempotency-key': newId() }
    const race = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        (index % 2 ? onOther : there.call)('POST', `${bills}/${bill.id}/pay`, {}, pay),
      ),
    )
    assertAmong(race, [200, 409])
    assert.ok(
      race
        .filter(({ statusCode }) => statusCode === 409)
        .every((answer) => answer.json().error_code === 'idempotency_key_in_flight'),
    )
    assert.equal((await eventsOf(books, bill.id)).filter(({ type }) => type === 'bill.paid').length, 1)
    assert.equal((await books.read(`${bills}/${bill.id}`)).revision, 4)
    const made = { 'idempotency-key': newId() }
    const body = { bill_ids: [(await books.bill('saved')).id] }
    await Promise.all([books.call('POST', statements, body, made), onOther('POST', statements, body, made)])
    assert.equal((await books.call('POST', statements, body, made)).statusCode, 201)
    assert.equal((await books.get(statements)).json().total, 1)
  })
})

describe('the statement is locked before the bill', () => {
  test('bills that go from statement to statement while all of them are changed, by every way there is, make no deadlock', async () => {
    const books = await openBooks(service)
    const deadlocks = countDeadlocks(books)
    const made = await Promise.all(
      [1, 2, 3, 4].map((price) =>
        books.bill('saved', { external_id: `race-${price}`, items: [{ unit_price: price }] }),
      ),
    )
    const [first, second, ...others] = made as [Row, Row, Row, Row]
    const both = await Promise.all([books.statement([first]), books.statement([second])])
    const at = <T>(list: readonly T[], index: number) => list[index % list.length] as T
    const ways: ((turn: number) => Promise<LightMyRequestResponse>)[] = [
      (turn) =>
        books.call('POST', `${statements}/${at(both, turn).id}/bills`, {
          bill_ids: [at(made, turn).id, at(others, turn).id],
        }),
      (turn) => books.call('DELETE', `${statements}/${at(both, turn).id}/bills/${at(made, turn >> 1).id}`),
      (turn) => books.call('POST', statements, { bill_ids: [at(others, turn).id, at(made, turn).id] }),
      (turn) => books.call('PUT', `${bills}/${at(made, turn).id}`, { notes: String(turn) }),
      (turn) => books.call('POST', `${bills}/${at(made, turn + 1).id}/items`, { unit_price: turn }),
      (turn) =>
        books.call('PUT', `${bills}/bulk`, {
          bills: [3, 2, 1].map((n) => ({ external_id: `race-${n}`, notes: `${turn}` })),
        }),
      (turn) => books.call('POST', `${statements}/${at(both, turn).id}/${at(['save', 'send', 'pay'], turn)}`),
      (turn) => books.call('POST', `${statements}/${at(both, turn).id}/reopen`, { reason: 'a race' }),
      async (turn) => {
        const open: Row[] = (await books.get(`${statements}?status_ids=draft`)).json().consolidated_bills
        return books.call('DELETE', `${statements}/${at([...open, ...both], turn).id}`)
      },
      (turn) =>
        books.call('POST', `${bills}/import`, `external_id,notes\nrace-2,${turn}\nrace-1,${turn}\n`, {
          'content-type': 'text/csv',
        }),
    ]
    const workers = Array.from({ length: 12 }, async (_, worker) => {
      const answers: LightMyRequestResponse[] = []
      for (let turn = worker; turn < worker + 8; turn += 1) answers.push(await at(ways, worker * 3 + turn * 7)(turn))
      return answers
    })
    assertAmong((await Promise.all(workers)).flat(), [200, 201, 204, 400, 404, 409])
    await assertSettled(books)
    assert.equal(deadlocks(), 0)
  })

  test('a bill that is put on a statement just when it is to be changed is changed after its statement is locked', async () => {
    const books = await openBooks(service)
    const deadlocks = countDeadlocks(books)
    const [bill, other] = await Promise.all([books.bill('saved'), books.bill('saved')])
    const { id } = await books.statement([other])
    assert.equal((await books.call('POST', `${statements}/${id}/save`)).statusCode, 200)
    let requests: Promise<LightMyRequestResponse>[] = []
    await transaction(books.ctx, async (ctx) => {
      await addBills(ctx, { by: 'id', id }, [bill.id], null)
      requests = [
        books.call('PUT', `${bills}/${bill.id}`, { notes: 'late' }),
        books.call('POST', `${statements}/${id}/send`),
      ]
      await untilWaiting(2)
    })
    const answers = await Promise.all(requests)
    assertAmong(answers, [200])
    assert.equal((await books.read(`${bills}/${bill.id}`)).notes, 'late')
    await assertSettled(books)
    assert.equal(deadlocks(), 0)
  })
})
