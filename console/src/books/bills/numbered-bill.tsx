import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { documentQuery } from '../documents/queries.ts'
import { nameOf } from './bill.ts'
import { bills } from './kind.ts'

/** A link to a bill, by its number. */
export function NumberedBill({ id }: { id: string }) {
  const { data } = useQuery(documentQuery(bills, id))
  return (
    <Anchor size="sm" underline="always" renderRoot={(props) => <Link to={`/bills/${id}`} {...props} />}>
      {data ? nameOf(data.document) : 'Open the bill'}
    </Anchor>
  )
}
