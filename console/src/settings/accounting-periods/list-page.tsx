import { Button, Group, Modal, SimpleGrid, Text, Textarea, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { ConfirmDialog } from '../../app/editing/confirm-dialog.tsx'
import { FieldChanges } from '../../app/history/field-changes.tsx'
import { HistoryDialog } from '../../app/history/history-dialog.tsx'
import { IconCalendarMonth, IconHistory, IconLock, IconLockOpen, IconPlus, IconTrash } from '../../app/icons/icons.ts'
import { Failed } from '../../app/parts/failed.tsx'
import { Notice } from '../../app/parts/notice.tsx'
import { Page } from '../../app/parts/page.tsx'
import { StateBadge } from '../../app/parts/state-badge.tsx'
import { Day, When } from '../../app/parts/when.tsx'
import { type Column, DataTable, TableSkeleton } from '../../app/table/data-table.tsx'
import { RowAction } from '../../app/table/row-action.tsx'
import { calendarDayOf, today } from '../../app/values/dates.ts'
import {
  historyQuery,
  type Period,
  periodsQuery,
  useClosePeriod,
  useCreatePeriod,
  useDeletePeriod,
  useReopenPeriod,
} from './queries.ts'
import { periodsPath } from './routes.ts'

type Open = 'new' | { close: Period } | { reopen: Period } | { remove: Period } | { history: Period } | null

const labels = { starts_on: 'First day', ends_on: 'Last day', status: 'State' }
const nameOf = ({ starts_on, ends_on }: Period) => `${calendarDayOf(starts_on)} to ${calendarDayOf(ends_on)}`

export function ListPage() {
  const [open, setOpen] = useState<Open>(null)
  const close = () => setOpen(null)
  return (
    <Page
      title="Accounting periods"
      lead="Documents and payments that are dated in a closed period cannot be created, changed, voided or deleted."
      actions={
        <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setOpen('new')}>
          New period
        </Button>
      }
    >
      <List open={setOpen} />
      {open === 'new' && <NewDialog close={close} />}
      {open && open !== 'new' && 'close' in open && <CloseDialog period={open.close} close={close} />}
      {open && open !== 'new' && 'reopen' in open && <ReopenDialog period={open.reopen} close={close} />}
      {open && open !== 'new' && 'remove' in open && <Remove period={open.remove} close={close} />}
      {open && open !== 'new' && 'history' in open && <History period={open.history} close={close} />}
    </Page>
  )
}

function List({ open }: { open: (next: Open) => void }) {
  const { page = 1 } = useSearch({ strict: false }) as { page?: number }
  const navigate = useNavigate()
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...periodsQuery(page),
    placeholderData: keepPreviousData,
  })
  if (error) return <Failed error={error} what="the accounting periods" retry={() => void refetch()} />
  if (!data) return <TableSkeleton />
  const { accounting_periods, offset, limit, total } = data
  if (accounting_periods.length === 0) {
    return (
      <Notice icon={IconCalendarMonth} title="No accounting periods yet">
        Add a month or a quarter, and close it when its books are done.
      </Notice>
    )
  }
  const paging = {
    offset,
    limit,
    total,
    onPage: (next: number) => void navigate({ to: periodsPath, search: next > 1 ? { page: next } : {} }),
  }
  return (
    <DataTable
      label="Accounting periods"
      columns={columnsOf(open)}
      rows={accounting_periods}
      keyOf={({ id }) => id}
      paging={paging}
      waiting={isPlaceholderData}
    />
  )
}

function columnsOf(open: (next: Open) => void): Column<Period>[] {
  return [
    {
      label: 'First day',
      show: ({ starts_on }) => (
        <b>
          <Day at={starts_on} />
        </b>
      ),
    },
    {
      label: 'Last day',
      show: ({ ends_on }) => (
        <b>
          <Day at={ends_on} />
        </b>
      ),
    },
    {
      label: 'State',
      show: ({ status }) => (
        <StateBadge words={status === 'closed' ? 'Closed' : 'Open'} tone={status === 'closed' ? 'stopped' : 'open'} />
      ),
    },
    { label: 'Closed', show: ({ closed_at }) => <When at={closed_at} /> },
    {
      label: 'Actions',
      end: true,
      show: (period) => (
        <Group gap={4} wrap="nowrap" justify="flex-end">
          {period.status === 'open' ? (
            <RowAction icon={IconLock} label="Close" of={nameOf(period)} onClick={() => open({ close: period })} />
          ) : (
            <RowAction
              icon={IconLockOpen}
              label="Reopen"
              of={nameOf(period)}
              onClick={() => open({ reopen: period })}
            />
          )}
          <RowAction icon={IconHistory} label="History" of={nameOf(period)} onClick={() => open({ history: period })} />
          <RowAction
            icon={IconTrash}
            label="Delete"
            of={nameOf(period)}
            disabled={period.status === 'closed'}
            onClick={() => open({ remove: period })}
          />
        </Group>
      ),
    },
  ]
}

type Days = { starts_on: string; ends_on: string }

/** The last month unless another one is chosen: that is the one whose books are being finished. */
function lastMonth(): Days {
  const [year = 0, month = 1] = today().split('-').map(Number)
  const day = (at: Date) => at.toISOString().slice(0, 10)
  return {
    starts_on: day(new Date(Date.UTC(year, month - 2, 1))),
    ends_on: day(new Date(Date.UTC(year, month - 1, 0))),
  }
}

function NewDialog({ close }: { close: () => void }) {
  const create = useCreatePeriod()
  const [days, setDays] = useState(lastMonth)
  const [problems, setProblems] = useState<Partial<Days>>({})
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const wrong = problemsIn(days)
    setProblems(wrong)
    if (Object.keys(wrong).length === 0) create.mutate(days, { onSuccess: close })
  }
  const day = (name: keyof typeof days) => (
    <TextInput
      type="date"
      label={labels[name]}
      required
      value={days[name]}
      onChange={(event) => setDays({ ...days, [name]: event.currentTarget.value })}
      error={problems[name]}
    />
  )
  return (
    <Modal opened onClose={close} title="New accounting period">
      <form onSubmit={submit} noValidate>
        <SimpleGrid cols={2} spacing="sm">
          {day('starts_on')}
          {day('ends_on')}
        </SimpleGrid>
        {create.error ? <Failed error={create.error} /> : null}
        <Buttons close={close} label="Create period" busy={create.isPending} />
      </form>
    </Modal>
  )
}

function problemsIn({ starts_on, ends_on }: Days): Partial<Days> {
  if (starts_on && ends_on && ends_on < starts_on) return { ends_on: 'The last day is before the first day.' }
  return { ...(!starts_on && { starts_on: 'Enter a day.' }), ...(!ends_on && { ends_on: 'Enter a day.' }) }
}

function CloseDialog({ period, close }: { period: Period; close: () => void }) {
  return (
    <ConfirmDialog action="Close" name={nameOf(period)} close={close} change={useClosePeriod(period)} isDanger={false}>
      Nothing that is dated in these days can be created, changed, voided or deleted any more. It can be reopened with a
      reason.
    </ConfirmDialog>
  )
}

function ReopenDialog({ period, close }: { period: Period; close: () => void }) {
  const reopen = useReopenPeriod(period)
  const [reason, setReason] = useState('')
  const [missing, setMissing] = useState<string | null>(null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const wrong = reason.trim() ? null : 'Enter a reason. The history will show it.'
    setMissing(wrong)
    if (wrong) return
    reopen.mutate(reason.trim(), {
      onSuccess: () => {
        close()
        notifications.show({ message: `${nameOf(period)} is open again.` })
      },
    })
  }
  return (
    <Modal opened onClose={close} title={`Reopen ${nameOf(period)}`}>
      <form onSubmit={submit} noValidate>
        <Text size="sm" mb="md">
          What is dated in these days can be changed again. Figures that were reported may then change.
        </Text>
        <Textarea
          label="Reason"
          required
          maxLength={1000}
          autosize
          minRows={2}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          error={missing}
          data-autofocus
        />
        {reopen.error ? <Failed error={reopen.error} /> : null}
        <Buttons close={close} label="Reopen" busy={reopen.isPending} />
      </form>
    </Modal>
  )
}

function Buttons({ close, label, busy }: { close: () => void; label: string; busy: boolean }) {
  return (
    <Group justify="flex-end" mt="lg">
      <Button variant="default" onClick={close}>
        Cancel
      </Button>
      <Button type="submit" loading={busy}>
        {label}
      </Button>
    </Group>
  )
}

function Remove({ period, close }: { period: Period; close: () => void }) {
  return (
    <ConfirmDialog action="Delete" name={nameOf(period)} close={close} change={useDeletePeriod(period)}>
      The period is deleted. Nothing that is dated in it changes.
    </ConfirmDialog>
  )
}

function History({ period, close }: { period: Period; close: () => void }) {
  return (
    <HistoryDialog
      name={nameOf(period)}
      close={close}
      query={(limit) => historyQuery(period.id, limit)}
      changesOf={(event) => <FieldChanges event={event} labels={labels} />}
    />
  )
}
