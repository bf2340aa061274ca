import { useQuery } from '@tanstack/react-query'
import { payTermsQuery } from '../pay-terms/queries.ts'

export function PayTermName({ id }: { id: string | null }) {
  const { data } = useQuery(payTermsQuery({ limit: 200 }))
  if (id === null) return '–'
  return data?.pay_terms.find((term) => term.id === id)?.name ?? '…'
}
