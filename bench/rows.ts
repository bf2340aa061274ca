import { creditStep, perTown, townOf } from './customers.ts'
import { newBatch, tracksOf } from './moving.ts'
import type { Seed } from './product.ts'

export type Call = { method: 'GET' | 'PUT' | 'POST'; path: string; body?: string }

/**
 * What the product is held against: a server that only sends the same bytes, a program that only writes the same rows, one that only sums up the same rows,
 * itself on other calls, itself without its request log, a number of deliveries of webhooks in a second, of pages of PDF (20 are 50 ms for each), of audits
 * of carrier invoices, or of batches of a thousand positions.
 */
export type Yardstick =
  | 'node:http'
  | 'pg'
  | 'plain SQL'
  | 'itself'
  | 'no request log'
  | '500 deliveries/s'
  | '20 pages/s'
  | '300 audits/s'
  | '2 batches/s'

/** Which of the organizations the calls are made in. */
export type Tenant =
  | 'types'
  | 'noWebhooks'
  | 'manyWebhooks'
  | 'million'
  | 'tenThousand'
  | 'millionInvoices'
  | 'manyCustomers'
  | 'fewCustomers'
  | 'moving'

export type Row = {
  name: string
  against: Yardstick
  tenant?: Tenant
  /** What is compared: calls per second unless said. */
  figure?: 'perSecond' | 'p50' | 'p99'
  /** The least share of the yardstick that we want to reach, or the most that we want to need of it. */
  atLeast?: number
  atMost?: number
  /** The most that the product's process may have resident meanwhile. */
  atMostMb?: number
  /** Each connection goes round in a part of its own, so different calls are different at any moment. */
  calls(seed: Seed, round: number): Call[]
  /** Webhooks are delivered while it is measured; where that is what is measured, there are no calls. */
  delivering?: boolean
  /** Changes are made, and what is measured is how long each takes to reach an endpoint: with a dead one next to it, against without. */
  arriving?: boolean
  /** A batch of carrier invoices is matched, audited and billed, and that is what is measured; there are no calls. */
  auditing?: boolean
  /** How many calls are under way at a time, where it is not the usual number. */
  connections?: number
  /** How many calls are sent in a second, where it is not as many as are answered: then the times say how long one waits, not how full the process is. */
  rate?: number
  /** Against plain SQL: what is summed up; the organization is its only parameter. */
  aggregate?: string
  /** Against itself: the other calls. */
  others?: { tenant: Tenant; calls(seed: Seed, round: number): Call[] }
}

export const connections = 32

/** How many bills or invoices the organizations have whose rows are about them. */
export const documents = { many: 1_000_000, few: 10_000 }

/** How many customers the two organizations have whose searches are held against each other. */
export const customers = { many: 500_000, few: 5000 }

const v1 = '/api/v1'
const v2 = '/api/v2/platformModel'

export const rows: Row[] = [
  {
    name: 'GET /bill_item_types?limit=20',
    against: 'node:http',
    atLeast: 0.35,
    calls: () => [get('/bill_item_types?limit=20')],
  },
  {
    name: 'GET /bill_item_types, every one different',
    against: 'node:http',
    calls: () =>
      times(1024, (n) => get(`/bill_item_types?limit=20&offset=${n % 32}&search_term=${Math.floor(n / 32)}`)),
  },
  {
    name: 'GET /bill_item_types/{id}, many ids',
    against: 'node:http',
    calls: ({ types: { ids } }) => ids.map((id) => get(`/bill_item_types/${id}`)),
  },
  {
    name: 'PUT /bill_item_types/{id}',
    against: 'pg',
    calls: ({ types: { ids } }, round) => rename(ids, round),
  },
  {
    name: 'GET /invoices/{id}/pdf, one page each',
    against: '20 pages/s',
    tenant: 'millionInvoices',
    atLeast: 1,
    calls: ({ millionInvoices: { ids } }) => ids.slice(0, 1024).map((id) => get(`/invoices/${id}/pdf`)),
  },
  {
    name: 'webhooks: deliveries in a second',
    against: '500 deliveries/s',
    atLeast: 1,
    delivering: true,
    calls: () => [],
  },
  {
    name: 'webhooks: GET /bill_item_types/{id}, as many as are answered, while they are delivered, against alone',
    against: 'itself',
    figure: 'p99',
    delivering: true,
    calls: ({ types: { ids } }) => ids.map((id) => get(`/bill_item_types/${id}`)),
    others: { tenant: 'types', calls: ({ types: { ids } }) => ids.map((id) => get(`/bill_item_types/${id}`)) },
  },
  {
    name: 'webhooks: 1,000 GET /bill_item_types/{id} a second while they are delivered, against alone',
    against: 'itself',
    figure: 'p99',
    atMost: 1.3,
    delivering: true,
    rate: 1000,
    calls: ({ types: { ids } }) => ids.map((id) => get(`/bill_item_types/${id}`)),
    others: { tenant: 'types', calls: ({ types: { ids } }) => ids.map((id) => get(`/bill_item_types/${id}`)) },
  },
  {
    name: 'webhooks: from a change to a healthy endpoint with a dead one next to it, against without, 100 changes a second',
    against: 'itself',
    figure: 'p99',
    atMost: 1.5,
    arriving: true,
    rate: 100,
    calls: ({ types: { ids } }, round) => rename(ids, 2 * round),
    others: { tenant: 'types', calls: ({ types: { ids } }, round) => rename(ids, 2 * round + 1) },
  },
  {
    name: 'carrier invoices: matched, audited and billed in a second, of a batch of 100,000',
    against: '300 audits/s',
    atLeast: 1,
    auditing: true,
    calls: () => [],
  },
  {
    // 2,000 positions in a second.
    name: 'POST /positions, batches of 1,000 positions of 80 manifests',
    against: '2 batches/s',
    tenant: 'moving',
    atLeast: 1,
    connections: 4,
    calls: ({ moving: { ids } }) =>
      Array.from({ length: 400 }, () => ({ method: 'POST', path: `${v1}/positions`, body: newBatch(ids) })),
  },
  {
    name: 'GET /manifests/{id}/track?limit=20 of 10,000 positions, against GET /bills/{id} of ten thousand',
    against: 'itself',
    tenant: 'moving',
    atLeast: 0.5,
    calls: ({ moving: { ids } }) => tracksOf(ids).map((id) => get(`/manifests/${id}/track?limit=20`)),
    others: { tenant: 'tenThousand', calls: ({ tenThousand: { ids } }) => ids.map((id) => get(`/bills/${id}`)) },
  },
  {
    // Endpoints that ask for something else: what it costs to deliver is another row.
    name: 'webhooks: PUT /bill_item_types/{id} with 50 webhooks, against none',
    against: 'itself',
    tenant: 'manyWebhooks',
    atLeast: 0.95,
    calls: ({ manyWebhooks: { ids } }, round) => rename(ids, round),
    others: { tenant: 'noWebhooks', calls: ({ noWebhooks: { ids } }, round) => rename(ids, round) },
  },
  {
    name: 'GET /bills/{id} of a million, many ids',
    against: 'node:http',
    tenant: 'million',
    atLeast: 0.5,
    atMostMb: 220,
    calls: ({ million: { ids } }) => ids.map((id) => get(`/bills/${id}`)),
  },
  {
    name: 'GET /bills/{id} of ten thousand with the request log, against none',
    against: 'no request log',
    tenant: 'tenThousand',
    atLeast: 0.98,
    calls: ({ tenThousand: { ids } }) => ids.map((id) => get(`/bills/${id}`)),
  },
  {
    name: 'GET /bills?status_ids=sent,paid&limit=20 of a million',
    against: 'node:http',
    tenant: 'million',
    atLeast: 0.25,
    atMostMb: 220,
    calls: () => [sentOrPaid],
  },
  {
    name: 'GET /bills of a million, every one different',
    against: 'node:http',
    tenant: 'million',
    calls: () =>
      times(1024, (n) =>
        get(
          `/bills?limit=20&offset=${(n * 977) % 900_000}&status_ids=${n % 2 === 0 ? 'sent,paid' : 'saved,paid,edited'}`,
        ),
      ),
  },
  {
    name: 'GET /bills?status_ids=sent,paid&limit=20 of a million, against ten thousand',
    against: 'itself',
    tenant: 'million',
    figure: 'p99',
    atMost: 1.5,
    calls: () => [sentOrPaid],
    others: { tenant: 'tenThousand', calls: () => [sentOrPaid] },
  },
  {
    name: 'GET /bills?offset=900000 of a million, against offset 0',
    against: 'itself',
    tenant: 'million',
    figure: 'p50',
    atMost: 3,
    calls: () => [get('/bills?limit=20&offset=900000')],
    others: { tenant: 'million', calls: () => [get('/bills?limit=20&offset=0')] },
  },
  {
    name: 'PUT /bills/{id} of a million',
    against: 'pg',
    tenant: 'million',
    atLeast: 0.5,
    atMostMb: 220,
    calls: ({ million: { ids } }, round) =>
      times(4, (turn) => ids.map((id) => put(`/bills/${id}`, { qb_error_msg: `Error ${round}.${turn}` }))).flat(),
  },
  {
    name: 'POST /bills of ten thousand, with one line',
    against: 'pg',
    tenant: 'tenThousand',
    calls: () =>
      times(64, (n) => ({
        method: 'POST',
        path: `${v1}/bills`,
        body: JSON.stringify({ currency_id: 'usd', items: [{ unit_price: 100 + n, quantity: 1 }] }),
      })),
  },
  // The same of invoices, which are the same kind of record in another table.
  ...comparedWithBills('/{id}, many ids', (path, ids) => ids.map((id) => get(`${path}/${id}`))),
  ...comparedWithBills('?status_ids=sent,paid&limit=20', (path) => [get(`${path}?status_ids=sent,paid&limit=20`)]),
  ...comparedWithBills(', every one different', (path) =>
    times(1024, (n) =>
      get(
        `${path}?limit=20&offset=${(n * 977) % 900_000}&status_ids=${n % 2 === 0 ? 'sent,paid' : 'saved,paid,edited'}`,
      ),
    ),
  ),
  ...comparedWithBills('?offset=900000', (path) => [get(`${path}?limit=20&offset=900000`)]),
  ...comparedWithBills(
    '/{id}',
    (path, ids, round) =>
      times(4, (turn) => ids.map((id) => put(`${path}/${id}`, { qb_error_msg: `Error ${round}.${turn}` }))).flat(),
    'PUT',
  ),
  // One at a time: each of these keeps a core busy, and an organization may only have a few of them under way.
  {
    name: 'GET /reports/payables_aging of a million bills',
    against: 'plain SQL',
    tenant: 'million',
    figure: 'p50',
    atMost: 2,
    connections: 1,
    calls: () => [get('/reports/payables_aging')],
    aggregate: `
      select partner_carrier_id, currency_id, count(*), sum(due) as total, sum(due) filter (where due_date >= now() or due_date is null) as current,
        ${[0, 30, 60].map((days) => `sum(due) filter (where due_date < now() - interval '${days} days' and due_date >= now() - interval '${days + 30} days')`).join(', ')},
        sum(due) filter (where due_date < now() - interval '90 days')
      from (select partner_carrier_id, currency_id, due_date, total_amount - amount_paid as due from bills where org_id = $1 and status_id in ('saved', 'sent', 'edited')) open
      group by partner_carrier_id, currency_id`,
  },
  {
    name: 'GET /reports/spend of a million bills, by month and carrier',
    against: 'plain SQL',
    tenant: 'million',
    figure: 'p50',
    atMost: 2,
    connections: 1,
    calls: () => [get('/reports/spend?group_by=month&group_by=party')],
    aggregate: `
      select to_char(bill_date, 'YYYY-MM'), partner_carrier_id, currency_id, count(*), sum(sub_total_amount)
      from bills where org_id = $1 and status_id <> 'draft' group by 1, 2, 3`,
  },
  {
    name: 'GET /reports/spend of a million bills, by type of line',
    against: 'plain SQL',
    tenant: 'million',
    figure: 'p50',
    atMost: 2,
    connections: 1,
    calls: () => [get('/reports/spend?group_by=type')],
    aggregate: `
      select i.bill_item_type_id, b.currency_id, count(distinct b.id), sum(i.total_amount)
      from bills b join bill_items i on i.org_id = b.org_id and i.bill_id = b.id where b.org_id = $1 and i.org_id = $1 and b.status_id <> 'draft' group by 1, 2`,
  },
  {
    name: 'GET /reports/summary of a million bills, against GET /bills/{id}',
    against: 'itself',
    tenant: 'million',
    atLeast: 0.9,
    calls: () => [get('/reports/summary')],
    others: { tenant: 'million', calls: ({ million: { ids } }) => ids.map((id) => get(`/bills/${id}`)) },
  },
  {
    name: 'GET /objects/{id} of 500,000 customers, many ids',
    against: 'node:http',
    tenant: 'manyCustomers',
    atLeast: 0.45,
    calls: ({ manyCustomers: { ids } }) => ids.map((id) => ({ method: 'GET', path: `${v2}/objects/${id}` })),
  },
  // As many are found in the one organization as in the other, so what grows is only what they are found among.
  ...comparedBySize('city eq, 25 found', (n) => ({ filter: is('city', 'eq', townOf(n)) })),
  ...comparedBySize('city startsWith, 250 found', (n) => ({ filter: is('city', 'startsWith', townOf(n).slice(0, 8)) })),
  ...comparedBySize('city contains, 25 found', (n) => ({ filter: is('city', 'contains', townOf(n).slice(1)) })),
  ...comparedBySize('creditLimit from and to, sort=-creditLimit, 40 found', (n) => ({
    filter: {
      and: [is('creditLimit', 'gte', (2500 + n) * creditStep), is('creditLimit', 'lt', (2540 + n) * creditStep)],
    },
    sort: '-creditLimit',
  })),
  ...comparedBySize('two words in q, 10 found', (n) => ({ q: `foods ${townOf(n).slice(0, 8)}` })),
  ...comparedBySize('one of two cities, and a credit limit, and a state, sort=name, up to 50 found', (n) => ({
    filter: {
      and: [
        { or: [is('city', 'eq', townOf(n)), is('city', 'eq', townOf(n + 1))] },
        is('creditLimit', 'gte', n),
        is('status', 'eq', 'active'),
      ],
    },
    sort: 'name',
  })),
  ...comparedBySize('status, 5 of 100 found', (n) => ({ filter: is('status', 'eq', 'inactive'), offset: n % 100 })),
  ...comparedBySize('all, sort=-creditLimit', (n) => ({ sort: '-creditLimit', offset: n % 100 })),
  ...comparedBySize('all, sort=state,name, four states', (n) => ({ sort: 'state,name', offset: n % 100 })),
  // What is found grows with what there is, and so does the counting of it.
  ...comparedBySize(
    `tags eq, 1 of ${perTown} found, sort=-creditLimit`,
    (n) => ({ filter: is('tags', 'eq', 'foods'), sort: '-creditLimit', offset: n % 100 }),
    Infinity,
  ),
  {
    name: 'GET /objects?offset=450000 of 500,000 customers, against offset 0',
    against: 'itself',
    tenant: 'manyCustomers',
    figure: 'p50',
    atMost: 3,
    calls: () => [search({ offset: 450_000 })],
    others: { tenant: 'manyCustomers', calls: () => [search({})] },
  },
]

/** Calls on a million invoices against the same on a million bills. */
function comparedWithBills(
  what: string,
  make: (path: string, ids: string[], round: number) => Call[],
  method = 'GET',
): Row[] {
  return [
    {
      name: `${method} /invoices${what} of a million, against bills`,
      against: 'itself',
      tenant: 'millionInvoices',
      atLeast: 0.9,
      calls: ({ millionInvoices: { ids } }, round) => make('/invoices', ids, round),
      others: { tenant: 'million', calls: ({ million: { ids } }, round) => make('/bills', ids, round) },
    },
  ]
}

/** A search in the large organization against the same in the small one. Different ones, so that none shares the answer of another. */
function comparedBySize(what: string, make: (n: number) => Record<string, unknown>, atMost = 1.5): Row[] {
  const calls = () => times(192, (n) => search(make(n)))
  const row = {
    name: `GET /objects: ${what}, of 500,000 customers against 5,000`,
    against: 'itself',
    tenant: 'manyCustomers',
    figure: 'p50',
  } as const
  return [{ ...row, ...(Number.isFinite(atMost) && { atMost }), calls, others: { tenant: 'fewCustomers', calls } }]
}

/** The same record again has another name each time: a change that changes nothing would be too easy. */
function rename(ids: string[], round: number): Call[] {
  return times(4, (turn) => ids.map((id) => put(`/bill_item_types/${id}`, { name: `Fuel ${round}.${turn}` }))).flat()
}

function search(asked: Record<string, unknown>): Call {
  const parameters = Object.entries({ objectKey: 'customer', limit: 20, ...asked }).map(([name, value]) => [
    name,
    typeof value === 'object' ? JSON.stringify(value) : String(value),
  ])
  return { method: 'GET', path: `${v2}/objects?${new URLSearchParams(parameters)}` }
}

function is(field: string, op: string, value: unknown) {
  return { field, op, value }
}

const sentOrPaid = get('/bills?status_ids=sent,paid&limit=20')

function get(path: string): Call {
  return { method: 'GET', path: v1 + path }
}

function put(path: string, body: object): Call {
  return { method: 'PUT', path: v1 + path, body: JSON.stringify(body) }
}

function times<T>(count: number, make: (n: number) => T): T[] {
  return Array.from({ length: count }, (_, n) => make(n))
}
