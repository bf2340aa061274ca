import type { ClientBase, QueryArrayResult, QueryResult } from 'pg'
import type { Row } from './rows.ts'
import type { Statement } from './sql.ts'

/**
 * A connection keeps the statements that it has prepared, PostgreSQL's part of each included, until it is closed: what goes beyond this many is sent
 * without a name, and the connection is closed when it is given back.
 */
const mostPrepared = 500
const prepared = new WeakMap<ClientBase, Set<string>>()

/** Sends a statement at once, without waiting for the answers to those before it on a connection that pipelines. */
export function send<R extends Row>(client: ClientBase, statement: Statement): Promise<QueryResult<R>> {
  return client.query<R>(configOf(client, statement))
}

/** The same, with each row as an array of its values. */
export function sendForArrays(client: ClientBase, statement: Statement): Promise<QueryArrayResult> {
  return client.query({ ...configOf(client, statement), rowMode: 'array' })
}

/** Its rows; those of the last one where the text is several statements. */
export async function rowsOf<R extends Row>(client: ClientBase, statement: Statement): Promise<R[]> {
  const result: QueryResult<R> | QueryResult<R>[] = await send<R>(client, statement)
  return (Array.isArray(result) ? result.at(-1) : result).rows
}

/** Whether the connection has prepared as many statements as one may. */
export function isFull(client: ClientBase): boolean {
  return (prepared.get(client)?.size ?? 0) >= mostPrepared
}

function configOf(
  client: ClientBase,
  { name, text, values }: Statement,
): { name?: string; text: string; values: unknown[] } {
  // The driver would take it for null.
  if (values.includes(undefined)) throw new Error('a value of a statement is undefined')
  return name && mayPrepare(client, name)
    ? { name, text, values: values as unknown[] }
    : { text, values: values as unknown[] }
}

function mayPrepare(client: ClientBase, name: string): boolean {
  const names = prepared.get(client) ?? new Set()
  if (names.has(name)) return true
  if (names.size >= mostPrepared) return false
  prepared.set(client, names.add(name))
  return true
}
