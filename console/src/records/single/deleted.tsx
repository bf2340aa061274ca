import { useQuery } from '@tanstack/react-query'
import { IconTrash } from '../../app/icons/icons.ts'
import { NotFound } from '../../app/parts/not-found.tsx'
import { Notice } from '../../app/parts/notice.tsx'
import { Page } from '../../app/parts/page.tsx'
import { TableSkeleton } from '../../app/table/data-table.tsx'
import { timeOf } from '../../app/values/dates.ts'
import type { Kind } from '../kinds/kind.ts'
import { historyQuery } from '../kinds/queries.ts'
import { History } from './history.tsx'
import { RestoreButton } from './restore.tsx'

/** The page of a deleted object. It still has its history, unlike one that never existed. */
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
      <Notice
        icon={IconTrash}
        title={`This ${kind.name.toLowerCase()} was deleted`}
        action={<RestoreButton kind={kind} id={id} />}
      >
        Deleted on {timeOf(last.occurred_at)}. You can restore it with all its values.
      </Notice>
      <History kind={kind} id={id} />
    </Page>
  )
}
