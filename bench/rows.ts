import type { Seed } from './product.ts'

export type Call = { method: 'GET' | 'PUT'; path: string; body?: string }

/** What the product is held against: a server that only sends the same bytes, a program that only writes the same rows, or itself on other calls. */
export type Yardstick = 'node:http' | 'postgres.js' | 'itself'

/** Which of the organizations the calls are made in. */
export type Tenant = 'types' | 'million' | 'tenThousand'

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
  /** Against itself: the other calls. */
  others?: { tenant: Tenant; calls(seed: Seed): Call[] }
}

export const connections = 32

const v1 = '/api/v1'

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
    calls: () => times(1024, (n) => get(`/bill_item_types?limit=20&offset=${n % 32}&search_term=${Math.floor(n / 32)}`)),
  },
  {
    name: 'GET /bill_item_types/{id}, many ids',
    against: 'node:http',
    calls: ({ types: { ids } }) => ids.map((id) => get(`/bill_item_types/${id}`)),
  },
  {
    name: 'PUT /bill_item_types/{id}',
    against: 'postgres.js',
    // The same record again has another name each time: a change that changes nothing would be too easy.
    calls: ({ types: { ids } }, round) => times(4, (turn) => ids.map((id) => put(`/bill_item_types/${id}`, { name: `Fuel ${round}.${turn}` }))).flat(),
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
    calls: () => times(1024, (n) => get(`/bills?limit=20&offset=${(n * 977) % 900_000}&status_ids=${n % 2 === 0 ? 'sent,paid' : 'saved,paid,edited'}`)),
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
    against: 'postgres.js',
    tenant: 'million',
    atLeast: 0.5,
    atMostMb: 220,
    calls: ({ million: { ids } }, round) => times(4, (turn) => ids.map((id) => put(`/bills/${id}`, { qb_error_msg: `Error ${round}.${turn}` }))).flat(),
  },
]

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
