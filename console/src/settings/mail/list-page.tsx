import { Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMe } from '../../app/api/me.ts'
import { wordsFor } from '../../app/api/problem.ts'
import { IconDownload, IconMail, IconRefresh } from '../../app/icons/icons.ts'
import { type Mail, mailsQuery, useDownloadMail, useResendMail } from '../../app/mail/queries.ts'
import { MailState } from '../../app/mail/state.tsx'
import { Failed } from '../../app/parts/failed.tsx'
import { Notice } from '../../app/parts/notice.tsx'
import { Page } from '../../app/parts/page.tsx'
import { type Column, DataTable, TableSkeleton } from '../../app/table/data-table.tsx'
import { RowAction } from '../../app/table/row-action.tsx'
import { timeOf } from '../../app/values/dates.ts'
import { mailPath } from './routes.ts'

export function ListPage() {
  return (
    <Page
      title="Mail"
      lead="What was mailed, to whom, and whether a mail server took it. Mails that could not be sent can be sent again."
    >
      <Mails />
    </Page>
  )
}

function Mails() {
  const { page = 1 } = useSearch({ strict: false }) as { page?: number }
  const navigate = useNavigate()
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...mailsQuery(page),
    placeholderData: keepPreviousData,
  })
  if (error) return <Failed error={error} what="the mails" retry={() => void refetch()} />
  if (!data) return <TableSkeleton />
  const { mails, offset, limit, total } = data
  if (mails.length === 0) {
    return (
      <Notice icon={IconMail} title="No mails">
        Documents that are sent, remittance advices and invitations are shown here.
      </Notice>
    )
  }
  const paging = {
    offset,
    limit,
    total,
    onPage: (next: number) => void navigate({ to: mailPath, search: next > 1 ? { page: next } : {} }),
  }
  return (
    <DataTable
      label="Mails"
      columns={columns}
      rows={mails}
      keyOf={({ id }) => id}
      paging={paging}
      waiting={isPlaceholderData}
    />
  )
}

const columns: Column<Mail>[] = [
  { label: 'When', show: ({ created_at }) => <time dateTime={created_at}>{timeOf(created_at)}</time> },
  {
    label: 'To',
    show: ({ to, cc }) => (
      <>
        <Text size="sm">{to.join(', ')}</Text>
        {cc.length > 0 && (
          <Text size="sm" c="dimmed">
            Copy: {cc.join(', ')}
          </Text>
        )}
      </>
    ),
  },
  { label: 'Subject', show: ({ subject }) => <Text size="sm">{subject}</Text> },
  { label: 'State', show: (mail) => <MailState mail={mail} /> },
  { label: 'Actions', end: true, show: (mail) => <Actions mail={mail} /> },
]

const withSecret: readonly string[] = ['invitation', 'password_reset']

function Actions({ mail: { id, subject, status, kind } }: { mail: Mail }) {
  const resend = useResendMail()
  const download = useDownloadMail()
  const { may } = useMe()
  const say = (title: string) => (error: unknown) =>
    notifications.show({ title, message: wordsFor(error), color: 'red.9' })
  // The message of such a mail lets somebody in: nobody but its recipient gets it.
  if (withSecret.includes(kind)) return null
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      <RowAction
        icon={IconDownload}
        label="Download message"
        of={subject}
        disabled={download.isPending}
        onClick={() => download.mutate(id, { onError: say('Could not download the message') })}
      />
      {status !== 'queued' && may('enter') && (
        <RowAction
          icon={IconRefresh}
          label="Send again"
          of={subject}
          disabled={resend.isPending}
          onClick={() =>
            resend.mutate(id, {
              onSuccess: () => void notifications.show({ message: `“${subject}” is sent again.` }),
              onError: say('Could not send it again'),
            })
          }
        />
      )}
    </Group>
  )
}
