import { useQuery } from '@tanstack/react-query'
import { statementQuery } from '../statements/queries.ts'

/** A history may name a statement that was deleted since. */
export function StatementNumber({ id }: { id: string }) {
  const { data, error } = useQuery(statementQuery(id))
  return data?.consolidated_bill.number ?? (data ? 'a draft statement' : error ? 'a deleted statement' : '…')
}
