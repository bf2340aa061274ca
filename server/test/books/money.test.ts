import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newId } from '../../src/core/ids.ts'
import { runs } from '../depth.ts'
import { callerIn, sharedService } from '../service.ts'
import { type Books, bills, booksOf, faultsOf, type Json, openBooks, type Row } from './books.ts'
import { type Allocation, type Document, Model, type Operation, type Traces } from './money-model.ts'

type Event = { id: string; type: string; subject_type: string; subject_id: string; revision: number; data: Json; previous: Json | null; request_id: string }
type Wire = { id: string; bill_id: string; amount: number }

const service = await sharedService()
const payments = '/api/v1/payments'
const credits = '/api/v1/credits'
const clients = 32
const documents = 50

/** A generator that gives the same numbers for the same seed. */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

/** What the clients share: the documents that they all work on, and what was made meanwhile. */
type World = { carrier: string; slots: string[]; payments: string[]; credits: string[]; log: Map<string, Operation>; refused: Map<string, number> }

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
  assert.ok([200, 201, 204, 400, 404, 409].includes(answer.statusCode), `${method} ${path} ${JSON.stringify(body)}: ${answer.statusCode} ${answer.body}`)
  if (answer.statusCode >= 300) {
    const { error_code } = answer.json()
    world.refused.set(error_code, (world.refused.get(error_code) ?? 0) + 1)
    return null
  }
  const answered: Json = answer.body ? answer.json() : {}
  world.log.set(id, operation(answered))
  return answered
}

async function create(books: Books, world: World, total: number): Promise<string> {
  const body = { partner_carrier_id: world.carrier, currency_id: 'usd', sub_total_amount: total }
  const made = await act(books, world, 'POST', bills, body, ({ bill }) => ({ do: 'create', document: (bill as Row).id, total }))
  return ((made as Json).bill as Row).id
}

/** One thing that a client does at random. */
async function something(books: Books, world: World, below: (limit: number) => number): Promise<void> {
  const slot = below(documents)
  const document = world.slots[slot] as string
  const at = `${bills}/${document}`
  const payment = world.payments[below(Math.max(1, world.payments.length))]
  const credit = world.credits[below(world.credits.length)] as string
  const amount = 1 + below(60)
  const parts = [...new Set([document, world.slots[below(documents)] as string])].map((one) => ({ document: one, amount: 1 + below(60) }))
  const allocations = parts.map((part) => ({ bill_id: part.document, amount: part.amount }))
  const paid = { partner_carrier_id: world.carrier, currency_id: 'usd', method: 'wire' }
  const remember = (answered: Json | null) => answered?.payment && world.payments.push((answered.payment as Row).id)
  switch (below(16)) {
    case 0:
      await act(books, world, 'POST', `${at}/pay`, undefined, () => ({ do: 'pay', document }))
      return
    case 1:
    case 2:
      await act(books, world, 'POST', `${at}/pay`, { amount }, () => ({ do: 'pay', document, amount }))
      return
    case 3:
    case 4: {
      const funds = parts.reduce((total, part) => total + part.amount, 0) + below(3)
      remember(await act(books, world, 'POST', payments, { ...paid, amount: funds, allocations }, () => ({ do: 'issue', parts, amount: funds })))
      return
    }
    case 5:
      remember(await act(books, world, 'POST', payments, { ...paid, amount, oldest_first: true }, () => ({ do: 'issue oldest', amount })))
      return
    case 6:
    case 7: {
      if (!payment) return
      const voided = (await books.get(`${payments}/${payment}`)).json().payment.status === 'voided'
      if (!voided) await act(books, world, 'POST', `${payments}/${payment}/void`, { reason: 'at random' }, () => ({ do: 'void payment', payment }))
      return
    }
    case 8: {
      const [first] = payment ? ((await books.get(`${payments}/${payment}`)).json().payment.allocations as Wire[]) : []
      if (payment && first)
        await act(books, world, 'DELETE', `${payments}/${payment}/allocations/${first.id}`, undefined, () => ({
          do: 'take out',
          payment,
          allocation: first.id,
        }))
      return
    }
    case 9:
    case 10:
      await act(books, world, 'POST', `${credits}/${credit}/apply`, { allocations }, () => ({ do: 'apply', credit, parts }))
      return
    case 11: {
      const standing = ((await books.get(`${credits}/${credit}/payments`)).json().payments as (Json & { id: string })[]).find(
        ({ ended_at }) => ended_at === null,
      )
      if (standing)
        await act(books, world, 'DELETE', `${credits}/${credit}/allocations/${standing.id}`, undefined, () => ({
          do: 'take back',
          credit,
          allocation: standing.id,
        }))
      return
    }
    case 12:
      await act(books, world, 'POST', `${at}/reopen`, { reason: 'at random' }, () => ({ do: 'reopen', document }))
      return
    case 13: {
      const total = 20 + below(120)
      await act(books, world, 'PUT', at, { sub_total_amount: total }, () => ({ do: 'edit', document, total }))
      return
    }
    case 14: {
      const copied = await act(books, world, 'POST', `${at}/correct`, { reason: 'at random' }, ({ bill }) => ({
        do: 'correct',
        document,
        copy: (bill as Row).id,
      }))
      if (!copied) return
      const copy = (copied.bill as Row).id
      world.slots[slot] = copy
      await act(books, world, 'POST', `${bills}/${copy}/save`, undefined, () => ({ do: 'save', document: copy }))
      return
    }
    case 15: {
      const total = 20 + below(120)
      const fresh = await create(books, world, total)
      if (below(2) === 0) await act(books, world, 'DELETE', `${bills}/${fresh}`, undefined, () => ({ do: 'delete', document: fresh }))
      else {
        const gone = await act(books, world, 'POST', `${at}/void`, { reason: 'at random' }, () => ({ do: 'void', document }))
        await act(books, world, 'POST', `${bills}/${fresh}/save`, undefined, () => ({ do: 'save', document: fresh }))
        if (gone) world.slots[slot] = fresh
      }
    }
  }
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
    const ordered = [...new Set(steps.toSorted((one, other) => one.event.revision - other.event.revision).map(({ request }) => request))]
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
  const issued = events.filter(({ type }) => type === 'payment.issued')
  return {
    payments: issued.map(({ subject_id, data }) => ({
      id: subject_id,
      allocations: (data.allocations as Wire[]).map(({ id, bill_id, amount }) => ({ id, document: bill_id, amount })),
    })),
    applied: applied.get(events[0]?.request_id ?? '') ?? [],
  }
}

const shown = ({ status_id, total_amount, amount_paid, amount_due, voided_at }: Json) => [status_id, total_amount, amount_paid, amount_due, voided_at !== null]

describe('money under many hands', () => {
  test('32 clients pay, void, credit, reopen, correct and delete the same 50 bills: a model of the rules allows every answer and ends where the books do', async (t) => {
    const seed = Number(process.env.FC_SEED ?? Date.now() % 1_000_000_007)
    t.diagnostic(`FC_SEED=${seed}`)
    const below = numbersFrom(seed)
    const books = await openBooks(service)
    const world: World = { carrier: newId(), slots: [], payments: [], credits: [], log: new Map(), refused: new Map() }
    const model = new Model()
    const rows = Array.from({ length: documents }, (_, index) => ({
      partner_carrier_id: world.carrier,
      currency_id: 'usd',
      sub_total_amount: 30 + ((index * 17) % 100),
      status_id: index % 2 === 0 ? 'sent' : 'saved',
    }))
    const { results } = (await books.call('POST', `${bills}/bulk`, { bills: rows })).json() as { results: Row[] }
    results.forEach(({ id }, index) => {
      const { sub_total_amount: total, status_id: status } = rows[index] as (typeof rows)[number]
      world.slots.push(id)
      model.documents.set(id, { status, unpaid: '', total, paid: 0, voided: false })
    })
    for (const total of [100, 200, 300, 400]) {
      const { id } = await books.make(credits, { direction: 'out', partner_carrier_id: world.carrier, currency_id: 'usd', sub_total_amount: total })
      await books.call('POST', `${credits}/${id}/save`)
      world.credits.push(id)
      model.credits.set(id, { total, applied: 0, status: 'saved', allocations: [] })
    }
    await Promise.all(
      Array.from({ length: clients }, async () => {
        const own = numbersFrom(below(1_000_000_007))
        const client = booksOf(callerIn(service, books.org))
        for (let step = 0; step < runs(24); step += 1) await something(client, world, own)
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
      assertAsModel(model, own, `${JSON.stringify(operation)} (FC_SEED=${seed})`)
    }
    await assertFinal(books, world, model)
    assertExplained(requests)
    assert.deepEqual(await faultsOf(service, [books.org]), [])
    t.diagnostic(`${replayed.length} of ${world.log.size} changed something; refused: ${JSON.stringify(Object.fromEntries(world.refused))}`)
  })
})

/** By the request that made them: what credits are applied to. An allocation has the time of its request's events, and of all requests the one that names its parts. */
async function appliedBy(books: Books, world: World, requests: ReadonlyMap<string, readonly Event[]>): Promise<Map<string, Allocation[]>> {
  const made = new Map<string, Allocation[]>()
  for (const credit of world.credits) {
    const all = (await listAll(books, `${credits}/${credit}/payments?`, 'payments')) as Wire[]
    // Oldest first, as the revisions of the credit.
    const left = all.reverse()
    const applying = [...requests]
      .filter(([request]) => {
        const operation = world.log.get(request)
        return operation?.do === 'apply' && operation.credit === credit
      })
      .map(([request, events]) => ({ request, revision: events.find(({ subject_id }) => subject_id === credit)?.revision as number }))
      .sort((one, other) => one.revision - other.revision)
    for (const { request } of applying) {
      const { parts } = world.log.get(request) as Operation & { do: 'apply' }
      made.set(
        request,
        parts.map(({ document, amount }) => {
          const place = left.findIndex((one) => one.bill_id === document && one.amount === amount)
          assert.ok(place >= 0, 'what was applied is there')
          const [one] = left.splice(place, 1) as [Wire]
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
    if (subject_type === 'bill') {
      const expected = model.documents.get(subject_id)
      assert.ok(expected, what)
      const due = expected.voided ? 0 : expected.total - expected.paid
      assert.deepEqual(shown(data), [expected.status, expected.total, expected.paid, due, expected.voided], what)
    } else if (subject_type === 'payment') {
      const expected = model.payments.get(subject_id)
      assert.ok(expected, what)
      const allocated = expected.allocations.reduce((total, { amount }) => total + amount, 0)
      assert.deepEqual(
        [data.status === 'voided', data.amount, data.allocated_amount, data.method],
        [expected.voided, expected.amount, allocated, expected.method],
        what,
      )
    } else if (subject_type === 'credit') {
      const expected = model.credits.get(subject_id)
      assert.deepEqual([data.amount_paid, data.status_id], [expected?.applied, expected?.status], what)
    }
  }
}

/** What the API answers at the end is what the model ends with, record by record. */
async function assertFinal(books: Books, world: World, model: Model): Promise<void> {
  const all = (await listAll(books, `${bills}?include_voided=true`, 'bills')) as Row[]
  assert.deepEqual(all.map(({ id }) => id).sort(), [...model.documents.keys()].sort())
  for (const bill of all) {
    const { status, total, paid, voided } = model.documents.get(bill.id) as Document
    assert.deepEqual(shown(bill), [status, total, paid, voided ? 0 : total - paid, voided])
    assert.ok((bill.amount_due as number) >= 0)
  }
  const found = (await listAll(books, `${payments}?`, 'payments')) as (Json & { id: string; allocations: Wire[] })[]
  assert.deepEqual(found.map(({ id }) => id).sort(), [...model.payments.keys()].sort())
  for (const { id, allocations } of found) {
    const parts = (list: { id: string; amount: number }[]) => list.map((one) => `${one.id} ${one.amount}`).sort()
    assert.deepEqual(parts(allocations), parts(model.payments.get(id)?.allocations ?? []))
  }
  for (const id of world.credits) assert.equal((await books.read(`${credits}/${id}`)).amount_paid, model.credits.get(id)?.applied)
}

/** In every request what was paid of bills changes by as much as what payments and credits have settled. */
function assertExplained(requests: ReadonlyMap<string, readonly Event[]>): void {
  const last = new Map<string, number>()
  const all = [...requests.values()].flat()
  const before = new Map<Event, number>()
  for (const event of all.toSorted((one, other) => one.revision - other.revision)) {
    const amount = Number(event.data[event.subject_type === 'payment' ? 'allocated_amount' : 'amount_paid'] ?? 0)
    before.set(event, last.get(event.subject_id) ?? 0)
    last.set(event.subject_id, amount)
  }
  for (const events of requests.values()) {
    const changed = { bill: 0, payment: 0, credit: 0 }
    for (const event of events) {
      const subject = event.subject_type as keyof typeof changed
      const amount = Number(event.data[subject === 'payment' ? 'allocated_amount' : 'amount_paid'] ?? 0)
      changed[subject] += amount - (before.get(event) as number)
    }
    assert.equal(changed.bill, changed.payment + changed.credit, JSON.stringify(events.map(({ type }) => type)))
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
