import type { Seed } from './product.ts'

export type Call = { method: 'GET' | 'PUT'; path: string; body?: string }

/** What the product is held against: a server that only sends the same bytes, or a program that only writes the same rows. */
export type Yardstick = 'node:http' | 'postgres.js'

export type Row = {
  name: string
  against: Yardstick
  /** The least share of the yardstick's throughput that we want to reach. */
  target?: number
  /** Each connection goes round in a part of its own, so different calls are different at any moment. */
  calls(seed: Seed, round: number): Call[]
}

export const connections = 32

const v1 = '/api/v1'

export const rows: Row[] = [
  {
    name: 'GET /bill_item_types?limit=20',
    against: 'node:http',
    target: 0.35,
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
    calls: ({ billItemTypes }) => billItemTypes.map((id) => get(`/bill_item_types/${id}`)),
  },
  {
    name: 'PUT /bill_item_types/{id}',
    against: 'postgres.js',
    // The same record again has another name each time: a change that changes nothing would be too easy.
    calls: ({ billItemTypes }, round) => times(4, (turn) => billItemTypes.map((id) => put(`/bill_item_types/${id}`, { name: `Fuel ${round}.${turn}` }))).flat(),
  },
]

function get(path: string): Call {
  return { method: 'GET', path: v1 + path }
}

function put(path: string, body: object): Call {
  return { method: 'PUT', path: v1 + path, body: JSON.stringify(body) }
}

function times<T>(count: number, make: (n: number) => T): T[] {
  return Array.from({ length: count }, (_, n) => make(n))
}
