import { type UseQueryOptions, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Problem } from '../api/problem.ts'
import { TableSkeleton } from '../table/data-table.tsx'
import { Failed } from './failed.tsx'
import { NotFound } from './not-found.tsx'
import { Page } from './page.tsx'

type RecordPageProps<Data, Key extends readonly unknown[]> = {
  title: string
  above: { label: string; to: string }
  query: UseQueryOptions<Data, Error, Data, Key>
  children: (data: Data) => ReactNode
}

/** The page of one record: the record, a placeholder while it is loaded, or that it does not exist. */
export function RecordPage<Data, Key extends readonly unknown[]>({
  title,
  above,
  query,
  children,
}: RecordPageProps<Data, Key>) {
  const { data, error, refetch } = useQuery(query)
  if (error instanceof Problem && (error.status === 404 || error.status === 400)) return <NotFound />
  if (data !== undefined) return children(data)
  return (
    <Page title={title} above={above}>
      {error ? (
        <Failed
          error={error}
          what={`the ${title.charAt(0).toLowerCase()}${title.slice(1)}`}
          retry={() => void refetch()}
        />
      ) : (
        <TableSkeleton />
      )}
    </Page>
  )
}
