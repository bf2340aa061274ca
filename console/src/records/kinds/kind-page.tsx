import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { currenciesQuery } from '../../app/api/currencies.ts'
import { Failed } from '../../app/parts/failed.tsx'
import { NotFound } from '../../app/parts/not-found.tsx'
import { Page } from '../../app/parts/page.tsx'
import { TableSkeleton } from '../../app/table/data-table.tsx'
import type { Kind } from './kind.ts'
import { kindsQuery } from './queries.ts'

/** A page about the kind in its address. It waits for the currencies too, because amounts need their decimals. */
export function KindPage({ children }: { children: (kind: Kind) => ReactNode }) {
  const { objectKey } = useParams({ strict: false })
  const { data: kinds, error, refetch } = useQuery(kindsQuery)
  const { isPending } = useQuery(currenciesQuery)
  const kind = kinds?.find((kind) => kind.objectKey === objectKey)
  if (kinds && !kind) return <NotFound />
  if (kind && !isPending) return children(kind)
  return (
    <Page title={kind?.plural ?? 'Objects'}>
      {error ? (
        <Failed error={error} what="the definitions" retry={() => void refetch()} />
      ) : (
        <TableSkeleton rows={8} />
      )}
    </Page>
  )
}
