import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { LoadingText } from '../../../app/parts/loading-text.tsx'
import { statementQuery } from '../../statements/queries.ts'

/** A history may name a statement that was deleted since. */
export function StatementNumber({ id }: { id: string }) {
  const { data, error } = useQuery(statementQuery(id))
  return (
    data?.consolidated_bill.number ?? (data ? 'a draft statement' : error ? 'a deleted statement' : <LoadingText />)
  )
}

export function StatementLink({ id }: { id: string }) {
  return (
    <Anchor size="sm" renderRoot={(props) => <Link to={`/statements/${id}`} {...props} />}>
      <StatementNumber id={id} />
    </Anchor>
  )
}
