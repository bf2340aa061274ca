import { type Bill, nameOf } from '../../bills/bill.ts'
import { billFields } from '../../bills/fields.ts'
import { columnsOf } from '../../documents/shown/columns.tsx'

/** The columns of bills where all of them have the same payee. */
export const billColumns = columnsOf<Bill>(billFields, { path: '/bills', nameOf }).filter(
  ({ name }) => name !== 'remit_to',
)
