import { type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { LoadingText } from '../parts/loading-text.tsx'

/** A history may name a record that was deleted since. */
export function PlainName<Row extends { name: string }, Key extends readonly unknown[]>({
  id,
  query,
  what,
}: {
  id: string | null
  query: (id: string) => UseQueryOptions<Row, Error, Row, Key>
  what: string
}) {
  const { data, error } = useQuery({ ...query(id ?? ''), enabled: id !== null })
  if (id === null) return '–'
  return data?.name ?? (error ? `a deleted ${what}` : <LoadingText />)
}
