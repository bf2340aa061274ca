import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newId } from '../../src/platform/core/values/ids.ts'
import { sql } from '../../src/platform/db/sql/sql.ts'
import { numbersFrom, runs, seed } from '../depth.ts'
import { callerIn, sharedService } from '../service.ts'
import { type Books, bills, booksOf, faultsOf, type Json, openBooks, type Row, statements } from './books.ts'
import {
  type Allocation,
  type Document,
  Model,
  newDocument,
  type Operation,
  type Statement,
  type Traces,
} from './money-model.ts'

type Event = {
  id: string
  type: string
  subject_type: string
  subject_id: string
  revision: number
  data: Json
  previous: Json | null
  request_id: string
}
type Wire = {
  id: string
  bill_id?: string | null
  invoice_id?: string | null
  credit_id?: string | null
  amount: number
}

const service = await sharedService()
const payments = '/api/v1/payments'
const credits = '/api/v1/credits'
const invoices = '/api/v1/invoices'
/** One on which no rate is known at first, and one on which there is. */
const days = ['1999-06-01T00:00:00.000Z', '2026-06-01T00:00:00.000Z']
const clients = 32
const documents = 50

/** The two sides: what carriers are owed, and what customers owe. */
const sides = {
  out: { noun: 'bill', path: bills, key: 'bill_id', party: 'partner_carrier_id' },
  in: { noun: 'invoice', path: invoices, key: 'invoice_id', party: 'customer_id' },
} as const
type Side = keyof typeof sides

/** What the clients share: the documents that they all work on, and what was made meanwhile. */
type World = {
  parties: Record<Side, string>
  slots: Record<Side, string[]>
  payments: Record<Side, string[]>
  credits: Record<Side, string[]>
  statements: string[]
  rate: string
  log: Map<string, Operation>
  refused: Map<string, number>
}

/** Sends one request under an id of its own; where it is acknowledged, what it asked for goes into the log. */
async function act(
  books: Books,
  world: World,
  method: string,
  path: string,
  body: object | undefined,
  operation: (answer: Json) => Operation,
): Promise<Json | null> {
  const id = newId()
  const answer = await books.call(method, path, body, { 'x-request-id': id })
  assert.ok(
    [200, 201, 204, 400, 404, 409].includes(answer.statusCode),
    `${method} ${path} ${JSON.stringify(body)}: ${answer.statusCode} ${answer.body}`,
  )
  const answered: Json = answer.body ? answer.json() : {}
  const [row] = (answered.results ?? []) as { error?: { error_code: string } }[]
  const code = (answered.error_code ?? row?.error?.error_code) as string | undefined
  if (code) {
    world.refused.set(code, (world.refused.get(code) ?? 0) + 1)
    return null
  }
  world.log.set(id, operation(answered))
  return answered
}

type Client = { books: Books; world: World; side: Side; below: (limit: number) => number }

async function create({ books, world, side }: Client, total: number): Promise<string> {
  const { noun, path, party } = sides[side]
  const body = { [party]: world.parties[side], currency_id: 'usd', sub_total_amount: total }
  const made = await act(books, world, 'POST', path, body, (answer) => ({
    do: 'create',
    document: (answer[noun] as Row).id,
    noun,
    total,
  }))
  return ((made as Json)[noun] as Row).id
}

/** One thing that a client does at random: to a document or a credit, with a payment, or with a statement. */
async function something(client: Client): Promise<void> {
  const { below } = client
  const which = below(20)
  if (which < 9) return toDocument(client)
  if (which < 16) return withPayment(client)
  return client.side === 'out' && below(2) === 0 ? withStatement(client) : withRate(client)
}

async function toDocument(client: Client): Promise<void> {
  const { books, world, side, below } = client
  const { noun, path } = sides[side]
  const slots = world.slots[side]
  const slot = below(slots.length)
  const isCredit = below(5) === 0
  const document = (isCredit ? world.credits[side][below(world.credits[side].length)] : slots[slot]) as string
  const all = isCredit ? credits : path
  const at = `${all}/${document}`
  const name = isCredit ? 'credits' : `${noun}s`
  const amount = 1 + below(60)
  const paid = (): Operation => ({ do: 'pay', document })
  switch (below(9)) {
    case 0:
      // Of what is paid it is either what was recorded, which changes nothing, or refused.
      await act(books, world, 'POST', `${at}/pay`, below(2) === 0 ? undefined : { paid_at: days[below(2)] }, paid)
      return
    case 1:
      await act(books, world, 'PUT', at, { status_id: 'paid' }, paid)
      return
    case 2:
      await act(
        books,
        world,
        'POST',
        `${all}/bulk`,
        { mode: 'best_effort', [name]: [{ id: document, status_id: 'paid' }] },
        paid,
      )
      return
    case 3:
    case 4:
      await act(books, world, 'POST', `${at}/pay`, { amount }, () => ({ do: 'pay', document, amount }))
      return
    case 5:
      await act(books, world, 'POST', `${at}/reopen`, { reason: 'at random' }, () => ({ do: 'reopen', document }))
      return
    case 6: {
      const total = 40 + below(300)
      await act(books, world, 'PUT', at, { sub_total_amount: total }, () => ({ do: 'edit', document, total }))
      return
    }
    case 7: {
      if (isCredit) return
      const copied = await act(books, world, 'POST', `${at}/correct`, { reason: 'at random' }, (answer) => ({
        do: 'correct',
        document,
        copy: (answer[noun] as Row).id,
      }))
      if (!copied) return
      const copy = (copied[noun] as Row).id
      slots[slot] = copy
      await act(books, world, 'POST', `${path}/${copy}/save`, undefined, () => ({ do: 'save', document: copy }))
      return
    }
    case 8: {
      if (isCredit) return
      const fresh = await create(client, 40 + below(300))
      if (below(2) === 0)
        await act(books, world, 'DELETE', `${path}/${fresh}`, undefined, () => ({ do: 'delete', document: fresh }))
      else {
        const gone = await act(books, world, 'POST', `${at}/void`, { reason: 'at random' }, () => ({
          do: 'void',
          document,
        }))
        await act(books, world, 'POST', `${path}/${fresh}/save`, undefined, () => ({ do: 'save', document: fresh }))
        if (gone) slots[slot] = fresh
      }
    }
  }
}

async function withPayment(client: Client): Promise<void> {
  const { books, world, side, below } = client
  const { key, party } = sides[side]
  const [slots, known] = [world.slots[side], world.payments[side]]
  const any = () => slots[below(slots.length)] as string
  const parts = [...new Set([any(), any()])].map((document) => ({ document, amount: 1 + below(60) }))
  const allocations = parts.map((part) => ({ [key]: part.document, amount: part.amount }))
  const amount = parts.reduce((total, part) => total + part.amount, 0) + below(30)
  const paid = {
    direction: side,
    [party]: world.parties[side],
    currency_id: 'usd',
    method: 'wire',
    ...(below(3) === 0 && { paid_at: days[0] }),
  }
  const payment = known[below(Math.max(1, known.length))]
  const at = `${payments}/${payment}`
  const credit = world.credits[side][below(world.credits[side].length)] as string
  const remember = (answered: Json | null) => answered && known.push((answered.payment as Row).id)
  switch (below(13)) {
    case 0:
    case 1:
      remember(
        await act(books, world, 'POST', payments, { ...paid, amount, allocations }, () => ({
          do: 'issue',
          parts,
          amount,
        })),
      )
      return
    case 2:
      remember(
        await act(books, world, 'POST', payments, { ...paid, amount, oldest_first: true }, () => ({
          do: 'issue oldest',
          amount,
        })),
      )
      return
    case 3: {
      const draft = await act(
        books,
        world,
        'POST',
        payments,
        { ...paid, amount, allocations, status: 'draft' },
        (answer) => ({
          do: 'draft payment',
          payment: (answer.payment as Row).id,
          amount,
        }),
      )
      const { id } = (draft as Json).payment as Row
      const issued = await act(books, world, 'POST', `${payments}/${id}/issue`, undefined, () => ({
        do: 'issue',
        parts,
        amount,
      }))
      if (issued) remember(issued)
      else
        await act(books, world, 'DELETE', `${payments}/${id}`, undefined, () => ({ do: 'delete payment', payment: id }))
      return
    }
    case 4:
      if (payment)
        await act(books, world, 'POST', `${at}/allocations`, { allocations }, () => ({
          do: 'allocate',
          payment,
          parts,
        }))
      return
    case 5: {
      if (!payment) return
      const voided = (await books.get(at)).json().payment.status === 'voided'
      if (!voided)
        await act(books, world, 'POST', `${at}/void`, { reason: 'at random' }, () => ({ do: 'void payment', payment }))
      return
    }
    case 6:
      if (payment) await act(books, world, 'POST', `${at}/clear`, undefined, () => ({ do: 'nothing of money' }))
      return
    case 7: {
      const [first] = payment ? ((await books.get(at)).json().payment.allocations as Wire[]) : []
      if (payment && first)
        await act(books, world, 'DELETE', `${at}/allocations/${first.id}`, undefined, () => ({
          do: 'take out',
          payment,
          allocation: first.id,
        }))
      return
    }
    case 11:
    case 12: {
      if (!payment) return
      const part = below(2) === 0 ? { amount: 1 + below(30) } : {}
      remember(
        await act(books, world, 'POST', `${at}/refund`, { method: 'wire', ...part }, (answer) => ({
          do: 'refund',
          payment,
          refund: (answer.payment as Row).id,
          ...part,
        })),
      )
      return
    }
    case 8:
    case 9:
      await act(books, world, 'POST', `${credits}/${credit}/apply`, { allocations }, () => ({
        do: 'apply',
        credit,
        parts,
      }))
      return
    case 10: {
      const listed = (await books.get(`${credits}/${credit}/payments`)).json().payments as (Json & { id: string })[]
      const standing = listed.find(({ ended_at, payment_id }) => ended_at === null && payment_id === null)
      if (standing)
        await act(books, world, 'DELETE', `${credits}/${credit}/allocations/${standing.id}`, undefined, () => ({
          do: 'take back',
          credit,
          allocation: standing.id,
        }))
    }
  }
}

async function withStatement({ books, world, below }: Client): Promise<void> {
  const any = () => world.slots.out[below(world.slots.out.length)] as string
  const statement = world.statements[below(Math.max(1, world.statements.length))]
  const at = `${statements}/${statement}`
  const reason = { reason: 'at random' }
  switch (below(5)) {
    case 0:
    case 1: {
      const gathered = [...new Set([any(), any()])]
      const made = await act(books, world, 'POST', statements, { bill_ids: gathered }, ({ consolidated_bill }) => ({
        do: 'gather',
        statement: (consolidated_bill as Row).id,
        bills: gathered,
      }))
      if (!made) return
      const { id } = made.consolidated_bill as Row
      world.statements.push(id)
      await act(books, world, 'POST', `${statements}/${id}/save`, undefined, () => ({
        do: 'save statement',
        statement: id,
      }))
      return
    }
    case 2:
      if (statement) await act(books, world, 'POST', `${at}/pay`, undefined, () => ({ do: 'pay statement', statement }))
      return
    case 3:
      if (statement)
        await act(books, world, 'POST', `${at}/reopen`, reason, () => ({ do: 'reopen statement', statement }))
      return
    case 4:
      if (statement) await act(books, world, 'POST', `${at}/void`, reason, () => ({ do: 'void statement', statement }))
  }
}

async function withRate({ books, world, side, below }: Client): Promise<void> {
  const nothing = (): Operation => ({ do: 'nothing of money' })
  const document = world.slots[side][below(world.slots[side].length)]
  const payment = world.payments[side][below(Math.max(1, world.payments[side].length))]
  const which = below(6)
  if (which < 2) {
    const known = { rate: `0.${1 + below(9)}`, starts_on: below(2) === 0 ? '2000-01-01' : '1999-01-01' }
    await act(books, world, 'PUT', `/api/v1/exchange_rates/${world.rate}`, known, nothing)
  } else if (which < 4 && payment) await act(books, world, 'POST', `${payments}/${payment}/reprice`, undefined, nothing)
  else await act(books, world, 'POST', `${sides[side].path}/${document}/reprice`, undefined, nothing)
}

/** The acknowledged requests in an order in which every record goes through its revisions one after the other. */
function inOrder(requests: ReadonlyMap<string, readonly Event[]>): string[] {
  const next = new Map<string, string[]>()
  const waits = new Map<string, number>()
  const bySubject = Map.groupBy(
    [...requests].flatMap(([request, events]) => events.map((event) => ({ request, event }))),
    ({ event }) => event.subject_id,
  )
  for (const request of requests.keys()) waits.set(request, 0)
  for (const steps of bySubject.values()) {
    const ordered = [
      ...new Set(
        steps.toSorted((one, other) => one.event.revision - other.event.revision).map(({ request }) => request),
      ),
    ]
    ordered.forEach((request, index) => {
      const before = ordered[index - 1]
      if (before === undefined) return
      next.set(before, [...(next.get(before) ?? []), request])
      waits.set(request, (waits.get(request) as number) + 1)
    })
  }
  const free = [...waits].filter(([, count]) => count === 0).map(([request]) => request)
  const order: string[] = []
  for (let request = free.shift(); request; request = free.shift()) {
    order.push(request)
    for (const later of next.get(request) ?? []) {
      waits.set(later, (waits.get(later) as number) - 1)
      if (waits.get(later) === 0) free.push(later)
    }
  }
  assert.equal(order.length, requests.size, 'the revisions of all records fit into one order')
  return order
}

/** What an operation made, from its events and, for credits, from what documents show of them. */
function tracesOf(events: readonly Event[], applied: ReadonlyMap<string, Allocation[]>): Traces {
  const issued = events.filter(({ type }) => type === 'payment.issued' || type === 'payment.allocated')
  return {
    payments: issued.map(({ subject_id, data }) => ({
      id: subject_id,
      allocations: (data.allocations as Wire[]).map(({ id, amount, ...one }) => ({
        id,
        document: documentOf(one),
        amount,
      })),
    })),
    applied: applied.get(events[0]?.request_id ?? '') ?? [],
  }
}

function documentOf({ bill_id, invoice_id, credit_id }: Partial<Wire>): string {
  return (bill_id ?? invoice_id ?? credit_id) as string
}

const shown = ({ status_id, total_amount, amount_paid, amount_due, voided_at, consolidated_bill_id = null }: Json) => [
  ...[status_id, total_amount, amount_paid, amount_due, voided_at !== null, consolidated_bill_id],
]
const shownStatement = ({ status_id, voided_at, total_amount, bill_ids }: Json) => [
  ...[status_id, voided_at !== null, total_amount],
  [...(bill_ids as string[])].sort(),
]

describe('money under many hands', () => {
  test('32 clients pay, void, credit, refund, reopen, correct, gather and delete the same 50 documents: a model of the rules allows every answer and ends where the books do', async (t) => {
    const books = await openBooks(service)
    const model = new Model()
    const world = await openWorld(books, model)
    for (const [path, name] of [
      [bills, 'bills'],
      [invoices, 'invoices'],
    ] as const)
      for (const one of (await listAll(books, `${path}?`, name)) as Row[]) model.seeRate(one.id, one, true)
    await Promise.all(
      Array.from({ length: clients }, async (_, client) => {
        const own = numbersFrom(`client ${client}`)
        const caller = booksOf(callerIn(service, books.org))
        for (let step = 0; step < runs(32); step += 1)
          await something({ books: caller, world, below: own, side: own(2) === 0 ? 'out' : 'in' })
      }),
    )

    const events = ((await books.events()) as unknown as Event[]).filter(({ request_id }) => world.log.has(request_id))
    const requests = Map.groupBy(events, ({ request_id }) => request_id)
    const applied = await appliedBy(books, world, requests)
    const replayed = inOrder(requests)
    for (const request of replayed) {
      const own = requests.get(request) as Event[]
      const operation = world.log.get(request) as Operation
      model.apply(operation, tracesOf(own, applied))
      assertAsModel(model, own, `${JSON.stringify(operation)} (TEST_SEED=${seed})`)
    }
    await assertFinal(books, model)
    await assertGains(books)
    await assertPaidOnce(books)
    assertExplained(requests, new Map(Object.values(world.credits).flatMap((ids) => ids.map((id) => [id, 0]))))
    assert.deepEqual(await faultsOf(service, [books.org]), [])
    const done = Map.groupBy(replayed, (request) => world.log.get(request)?.do)
    t.diagnostic(
      `${replayed.length} of ${world.log.size} changed something: ${JSON.stringify(Object.fromEntries([...done].map(([what, all]) => [what, all.length])))}`,
    )
    t.diagnostic(`refused: ${JSON.stringify(Object.fromEntries(world.refused))}`)
  })
})

/** Half of the documents are bills and half are invoices; each side has credits, and there is a rate to the home currency. */
async function openWorld(books: Books, model: Model): Promise<World> {
  await service.pool.run(sql`update organizations set home_currency_id = 'eur' where org_id = ${books.org}`)
  const rate = await books.make('/api/v1/exchange_rates', {
    from_currency_id: 'usd',
    to_currency_id: 'eur',
    rate: '0.9',
    starts_on: '2000-01-01',
  })
  const each = <T>(of: () => T): Record<Side, T> => ({ out: of(), in: of() })
  const world: World = {
    ...{
      parties: each(newId),
      slots: each((): string[] => []),
      payments: each((): string[] => []),
      credits: each((): string[] => []),
    },
    ...{ statements: [], rate: rate.id, log: new Map(), refused: new Map() },
  }
  for (const side of ['out', 'in'] as const) {
    const { noun, path, party } = sides[side]
    const own = { [party]: world.parties[side], currency_id: 'usd' }
    const rows = Array.from({ length: documents / 2 }, (_, index) => ({
      ...own,
      sub_total_amount: 60 + ((index * 37) % 240),
      status_id: index % 2 === 0 ? 'sent' : 'saved',
      ...(index % 3 === 0 && { [`${noun}_date`]: days[0] }),
    }))
    const { results } = (await books.call('POST', `${path}/bulk`, { [`${noun}s`]: rows })).json() as { results: Row[] }
    results.forEach(({ id }, index) => {
      const { sub_total_amount: total, status_id: status } = rows[index] as (typeof rows)[number]
      world.slots[side].push(id)
      model.documents.set(id, newDocument(noun, status, total))
    })
    for (const total of [200, 400, 600]) {
      const { id } = await books.make(credits, { direction: side, ...own, sub_total_amount: total })
      await books.call('POST', `${credits}/${id}/save`)
      world.credits[side].push(id)
      model.documents.set(id, newDocument('credit', 'saved', total))
    }
  }
  return world
}

/** By the request that made them: what credits are applied to, in the order of the revisions of the credit. */
async function appliedBy(
  books: Books,
  world: World,
  requests: ReadonlyMap<string, readonly Event[]>,
): Promise<Map<string, Allocation[]>> {
  const made = new Map<string, Allocation[]>()
  for (const credit of Object.values(world.credits).flat()) {
    const all = (await listAll(books, `${credits}/${credit}/payments?`, 'payments')) as (Wire & {
      payment_id: string | null
    })[]
    // Oldest first, as the revisions of the credit; what a payment has paid back of it is no application.
    const left = all.reverse().filter(({ payment_id }) => payment_id === null)
    const applying = [...requests]
      .filter(([request]) => {
        const operation = world.log.get(request)
        return operation?.do === 'apply' && operation.credit === credit
      })
      .map(([request, events]) => ({
        request,
        revision: events.find(({ subject_id }) => subject_id === credit)?.revision as number,
      }))
      .sort((one, other) => one.revision - other.revision)
    for (const { request } of applying) {
      const { parts } = world.log.get(request) as Operation & { do: 'apply' }
      made.set(
        request,
        parts.map(({ document, amount }) => {
          const place = left.findIndex((one) => (one.bill_id ?? one.invoice_id) === document && one.amount === amount)
          assert.ok(place >= 0, 'what was applied is there')
          const [one] = left.splice(place, 1) as unknown as [Wire]
          return { id: one.id, document, amount }
        }),
      )
    }
    assert.deepEqual(left, [], 'nothing else was applied')
  }
  return made
}

/** Every record as the request left it is as the model has it. */
function assertAsModel(model: Model, events: readonly Event[], what: string): void {
  for (const { type, subject_type, subject_id, data } of events) {
    if (type.endsWith('.deleted')) continue
    if (subject_type === 'payment') {
      const expected = model.payments.get(subject_id)
      assert.ok(expected, what)
      const allocated = expected.allocations.reduce((total, { amount }) => total + amount, 0)
      assert.deepEqual(
        [
          data.status === 'voided',
          data.amount,
          data.allocated_amount,
          data.refunded_amount,
          data.refund_of_id,
          data.method,
        ],
        [expected.voided, expected.amount, allocated, model.refunded(subject_id), expected.refundOf, expected.method],
        what,
      )
      expected.paidAt ??= data.paid_at
      assert.equal(data.paid_at, expected.paidAt, what)
    } else if (subject_type === 'consolidated_bill') {
      assert.deepEqual(shownStatement(data), statementIn(model, subject_id), what)
    } else if (subject_type !== 'exchange_rate') {
      assert.deepEqual(shown(data), documentIn(model, subject_id), what)
      model.seeRate(subject_id, data, type.endsWith('.repriced'))
    }
  }
}

function documentIn(model: Model, id: string): unknown[] {
  const { status, total, paid, voided, statement } = model.documents.get(id) as Document
  return [status, total, paid, voided ? 0 : total - paid, voided, statement]
}

function statementIn(model: Model, id: string): unknown[] {
  const statement = model.statements.get(id) as Statement
  return [statement.status, statement.voidedAt !== null, model.totalOf(statement), [...statement.bills].sort()]
}

/** What the API answers at the end is what the model ends with, record by record. */
async function assertFinal(books: Books, model: Model): Promise<void> {
  for (const [path, noun] of [
    [bills, 'bill'],
    [invoices, 'invoice'],
    [credits, 'credit'],
  ] as const) {
    const all = (await listAll(books, `${path}?include_voided=true`, `${noun}s`)) as Row[]
    const known = [...model.documents].filter(([, one]) => one.noun === noun).map(([id]) => id)
    assert.deepEqual(all.map(({ id }) => id).sort(), known.sort())
    for (const one of all) {
      assert.deepEqual(shown(one), documentIn(model, one.id))
      assert.ok((one.amount_due as number) >= 0)
    }
  }
  const found = (await listAll(books, `${payments}?`, 'payments')) as (Json & { id: string; allocations: Wire[] })[]
  assert.deepEqual(found.map(({ id }) => id).sort(), [...model.payments.keys()].sort())
  for (const { id, allocations, status, unallocated_amount } of found) {
    if (status !== 'draft') assert.equal(unallocated_amount, model.left(id))
    const parts = (list: { id: string; amount: number }[]) => list.map((one) => `${one.id} ${one.amount}`).sort()
    assert.deepEqual(parts(allocations), parts(model.payments.get(id)?.allocations ?? []))
  }
  const gathered = (await listAll(books, `${statements}?include_voided=true`, 'consolidated_bills')) as Row[]
  assert.deepEqual(gathered.map(({ id }) => id).sort(), [...model.statements.keys()].sort())
  for (const one of gathered) assert.deepEqual(shownStatement(one), statementIn(model, one.id))
}

/** Whichever of them got its rate last: what rates made of an allocation is known where both rates are, and is the difference between them. */
async function assertGains(books: Books): Promise<void> {
  const rates = new Map<string, unknown>()
  for (const [path, name] of [
    [bills, 'bills'],
    [invoices, 'invoices'],
    [credits, 'credits'],
  ] as const)
    for (const { id, exchange_rate } of (await listAll(books, `${path}?include_voided=true`, name)) as Row[])
      rates.set(id, exchange_rate)
  const tenths = (rate: unknown) => Math.round(Number(rate) * 10)
  type Gaining = Json & { allocations: (Wire & { gain_amount: number | null })[] }
  const paid = (await listAll(books, `${payments}?`, 'payments')) as (Gaining & Row)[]
  for (const { id, exchange_rate } of paid) rates.set(id, exchange_rate)
  for (const {
    status,
    direction,
    amount: whole,
    exchange_rate,
    realized_gain_amount,
    refund_of_id,
    allocations,
  } of paid) {
    const gainOver = (amount: number, other: unknown) => {
      if (exchange_rate === null || other === null) return null
      const exact = (amount * (tenths(exchange_rate) - tenths(other))) / 10
      const gain = Math.sign(exact) * Math.round(Math.abs(exact))
      return (direction === 'in' ? gain : -gain) + 0
    }
    if (refund_of_id) {
      // What was voided keeps the gain that it had.
      if (status !== 'voided')
        assert.equal(realized_gain_amount, gainOver(whole as number, rates.get(refund_of_id as string)))
      continue
    }
    const gains = allocations.map(({ amount, ...one }) => gainOver(amount, rates.get(documentOf(one))))
    assert.deepEqual(
      allocations.map(({ gain_amount }) => gain_amount),
      gains,
    )
    const known = gains.filter((gain) => gain !== null)
    assert.equal(realized_gain_amount, known.length > 0 ? known.reduce((sum, gain) => sum + gain, 0) : null)
  }
}

/** No payment of what is paid is taken that is not the recorded one. */
async function assertPaidOnce(books: Books): Promise<void> {
  for (const { id, revision } of (await books.get(`${bills}?status_ids=paid&limit=5`)).json().bills as Row[]) {
    const again = await books.call('POST', `${bills}/${id}/pay`, { paid_at: '2025-01-01' })
    assert.deepEqual([again.statusCode, again.json().error_code], [409, 'already_paid'])
    assert.equal((await books.call('POST', `${bills}/${id}/pay`)).json().bill.revision, revision)
  }
}

/**
 * In every request what was paid of bills and invoices changes by as much as what payments and credits have settled; of a credit that is what was applied,
 * without what a payment has paid back of it.
 */
function assertExplained(requests: ReadonlyMap<string, readonly Event[]>, last: Map<string, number>): void {
  const all = [...requests.values()].flat()
  const before = new Map<Event, number>()
  const amountOf = ({ subject_type, data }: Event) =>
    Number(data[subject_type === 'payment' ? 'allocated_amount' : 'amount_paid'] ?? 0)
  for (const event of all.toSorted((one, other) => one.revision - other.revision)) {
    before.set(event, last.get(event.subject_id) ?? 0)
    last.set(event.subject_id, amountOf(event))
  }
  for (const events of requests.values()) {
    const changed = { documents: 0, settled: 0 }
    for (const event of events) {
      const change = amountOf(event) - (before.get(event) as number)
      const { direction, partner_carrier_id } = event.data
      const isRefund = (direction === 'in') === (partner_carrier_id !== null)
      if (event.subject_type === 'bill' || event.subject_type === 'invoice') changed.documents += change
      else if (event.subject_type === 'credit') changed.settled += change
      else if (event.subject_type === 'payment') changed.settled += isRefund ? -change : change
    }
    assert.equal(changed.documents, changed.settled, JSON.stringify(events.map(({ type }) => type)))
  }
}

/** Every page of a search. */
async function listAll(books: Books, url: string, name: string): Promise<unknown[]> {
  const all: unknown[] = []
  for (let after: string | null = ''; after !== null; ) {
    const page: Json = (await books.get(`${url}&limit=200&after=${encodeURIComponent(after)}`)).json()
    all.push(...(page[name] as unknown[]))
    after = page.next_after as string | null
  }
  return all
}
