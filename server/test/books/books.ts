import assert from 'node:assert/strict'
import type { LightMyRequestResponse } from 'fastify'
import { verifyBooks } from '../../src/books/verify.ts'
import { type Caller, newCaller, type Service } from '../service.ts'

export type Json = { [field: string]: unknown }
export type Row = Json & {
  id: string
  revision: number
  status_id: string
  number: string | null
  total_amount: number
  available_actions: string[]
}

export const bills = '/api/v1/bills'
export const statements = '/api/v1/consolidated_bills'
export const terms = '/api/v1/pay_terms'

/** One organization of its own, and short words for what is done in it. */
export type Books = Caller & {
  make(path: string, body: object): Promise<Row>
  read(path: string): Promise<Row>
  bill(status?: string, body?: object): Promise<Row>
  statement(of: readonly { id: string }[], body?: object): Promise<Row>
}

export async function openBooks(service: Service): Promise<Books> {
  return booksOf(await newCaller(service))
}

export function booksOf(caller: Caller): Books {
  const make = async (path: string, body: object) => first(await caller.call('POST', path, body), 201)
  const read = async (path: string) => first(await caller.get(path), 200)
  const ways: { [status: string]: string[] } = {
    draft: [],
    saved: ['save'],
    sent: ['save', 'send'],
    edited: ['save', 'send'],
    paid: ['save', 'send', 'pay'],
  }
  return {
    ...caller,
    make,
    read,
    async bill(status = 'draft', body = {}) {
      const { id } = await make(bills, { currency_id: 'usd', sub_total_amount: 1000, ...body })
      for (const action of ways[status] ?? []) await make200(caller, `${bills}/${id}/${action}`)
      if (status === 'edited')
        assert.equal((await caller.call('PUT', `${bills}/${id}`, { notes: 'changed after sending' })).statusCode, 200)
      const bill = await read(`${bills}/${id}`)
      assert.equal(bill.status_id, status)
      return bill
    },
    statement: (of, body = {}) => make(statements, { bill_ids: of.map(({ id }) => id), ...body }),
  }
}

async function make200(caller: Caller, path: string): Promise<void> {
  const answer = await caller.call('POST', path)
  assert.equal(answer.statusCode, 200, answer.body)
}

function first(answer: LightMyRequestResponse, status: number): Row {
  assert.equal(answer.statusCode, status, answer.body)
  return Object.values(answer.json())[0] as Row
}

/** What the verification says of these organizations; other tests spoil theirs on purpose. */
export function faultsOf({ pool }: Service, organizations: readonly string[]): Promise<string[]> {
  return verifyBooks(pool, organizations)
}
