import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Panel } from '../parts/panel.tsx'
import { type Column, DataTable } from '../table/data-table.tsx'
import { timeOf } from '../values/dates.ts'
import { type Mail, mailsOfQuery } from './queries.ts'
import { MailState } from './state.tsx'

/** What was mailed of a record, to whom and when; nothing where nothing was. */
export function MailsPanel({ type, id }: { type: string; id: string }) {
  const { data } = useQuery(mailsOfQuery(type, id))
  if (!data || data.mails.length === 0) return null
  return (
    <Panel title="Mailed">
      <DataTable label="Mails of this record" columns={columns} rows={data.mails} keyOf={({ id }) => id} />
    </Panel>
  )
}

const columns: Column<Mail>[] = [
  { label: 'When', show: ({ created_at }) => <time dateTime={created_at}>{timeOf(created_at)}</time> },
  { label: 'To', show: ({ to, cc }) => <Text size="sm">{[...to, ...cc].join(', ')}</Text> },
  { label: 'Subject', show: ({ subject }) => <Text size="sm">{subject}</Text> },
  { label: 'State', show: (mail) => <MailState mail={mail} /> },
]
