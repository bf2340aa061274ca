import { IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { TableSkeleton } from '../parts/data-table.tsx'
import { timeOf } from '../parts/dates.ts'
import { Notice } from '../parts/notice.tsx'
import { Page } from '../parts/page.tsx'
import { NotFound } from '../shell/not-found.tsx'
import { History } from './history.tsx'
import type { Kind } from './kind.ts'
import { historyQuery } from './queries.ts'
import { RestoreButton } from './restore.tsx'

/** Where an object was. One that was deleted still has its history, by which it is told from one that never was. */
export function Deleted({ kind, id }: { kind: Kind; id: string }) {
  const { data, error } = useQuery(historyQuery(id, 1))
  const last = data?.events[0]
  if (error || (data && !last?.type.endsWith('.deleted'))) return <NotFound />
  const above = { label: kind.plural, to: `/objects/${kind.objectKey}` }
  if (!last) {
    return (
      <Page title={kind.name} above={above}>
        <TableSkeleton />
      </Page>
    )
  }
  const { fullId, name } = last.data as { fullId?: string; name?: string }
  return (
    <Page title={name ?? kind.name} above={above} lead={fullId}>
      <Notice icon={IconTrash} title="This was deleted" action={<RestoreButton kind={kind} id={id} />}>
        On {timeOf(last.occurred_at)}. Restored, it is as it was.
      </Notice>
      <div style={{ marginTop: '1.5rem' }}>
        <History kind={kind} id={id} />
      </div>
    </Page>
  )
}
