import type { Schemas } from '@lading/sdk'
import { nameIn } from '../documents/kind.ts'

export type Bill = Schemas['Bill']
export type BillItem = Schemas['BillItem']

export function nameOf(bill: Pick<Bill, 'number' | 'reference_number'>): string {
  return nameIn({ one: 'bill' }, bill)
}
