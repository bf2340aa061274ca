import { createPlainLading, type Options, type PlainLading } from '../client.ts'
import { methodsOf } from './calling.ts'
import type { Methods } from './resources.ts'
import { table } from './table.ts'

/** The API by resource and verb, `lading.bills.list({ status_ids: ['sent'] })`, and beneath it by path, `lading.GET('/api/v1/bills')`. */
export interface Lading extends PlainLading, Methods {}

/** A client with a method for every operation: `const { bill } = await lading.bills.retrieve('ext:TMS-4711')`. What the service refuses is thrown. */
export function createLading(options: Options): Lading {
  const lading = createPlainLading(options)
  return Object.assign(lading, methodsOf(lading, table) as Methods)
}
