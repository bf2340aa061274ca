import { Button, FileButton, Group, Modal, SimpleGrid, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { organizationQuery } from '../../app/api/organization.ts'
import { wordsFor } from '../../app/api/problem.ts'
import { ConfirmDialog } from '../../app/editing/confirm-dialog.tsx'
import { FieldChanges } from '../../app/history/field-changes.tsx'
import { HistoryDialog } from '../../app/history/history-dialog.tsx'
import {
  IconArrowsExchange,
  IconHistory,
  IconPencil,
  IconPlayerStop,
  IconPlus,
  IconTrash,
  IconUpload,
} from '../../app/icons/icons.ts'
import { CurrencySelect } from '../../app/inputs/currency-select.tsx'
import { Failed } from '../../app/parts/failed.tsx'
import { Notice } from '../../app/parts/notice.tsx'
import { Page } from '../../app/parts/page.tsx'
import { Day } from '../../app/parts/when.tsx'
import { type Column, DataTable, TableSkeleton } from '../../app/table/data-table.tsx'
import { RowAction } from '../../app/table/row-action.tsx'
import { today } from '../../app/values/dates.ts'
import { ConvertPanel } from './convert-panel.tsx'
import {
  type ExchangeRate,
  historyQuery,
  type RateSearch,
  type Report,
  ratesQuery,
  useDeleteRate,
  useImportRates,
  useUpdateRate,
} from './queries.ts'
import { labels, nameOf, RateDialog } from './rate-dialog.tsx'
import { typedRateOf } from './rate-text.ts'
import { exchangeRatesPath } from './routes.ts'

type Open =
  | { edit: ExchangeRate | null }
  | { end: ExchangeRate }
  | { remove: ExchangeRate }
  | { history: ExchangeRate }
  | null

export function ListPage() {
  const search = useSearch({ strict: false }) as RateSearch
  const navigate = useNavigate()
  const { data: organization } = useQuery(organizationQuery)
  const [open, setOpen] = useState<Open>(null)
  const close = () => setOpen(null)
  const go = (next: RateSearch) =>
    void navigate({
      to: exchangeRatesPath,
      search: Object.fromEntries(Object.entries(next).filter(([, value]) => value)) as RateSearch,
    })
  const home = organization?.home_currency_id ?? null
  return (
    <Page
      title="Exchange rates"
      lead={
        home || !organization
          ? 'What currencies are worth, day by day. A document keeps the rate of its date when it is saved.'
          : 'What currencies are worth, day by day. Choose a home currency on the page of the organization, so that documents are converted to it.'
      }
      actions={
        <>
          <ImportButton />
          <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setOpen({ edit: null })}>
            New rate
          </Button>
        </>
      }
    >
      <SimpleGrid cols={{ base: 1, xs: 3, md: 5 }} spacing="sm" mb="sm" component="section" aria-label="Filters">
        <CurrencySelect
          label="From currency"
          noneLabel="Any"
          value={search.from ?? null}
          onChange={(from) => go({ ...search, page: 1, from: from ?? '' })}
        />
        <CurrencySelect
          label="To currency"
          noneLabel="Any"
          value={search.to ?? null}
          onChange={(to) => go({ ...search, page: 1, to: to ?? '' })}
        />
        <TextInput
          type="date"
          label="Valid on"
          value={search.on ?? ''}
          onChange={(event) => go({ ...search, page: 1, on: event.currentTarget.value })}
        />
      </SimpleGrid>
      <List search={search} go={go} open={setOpen} />
      {organization && <ConvertPanel home={home} />}
      {open && 'edit' in open && <RateDialog rate={open.edit} home={home} close={close} />}
      {open && 'end' in open && <End rate={open.end} close={close} />}
      {open && 'history' in open && <History rate={open.history} close={close} />}
      {open && 'remove' in open && <Remove rate={open.remove} close={close} />}
    </Page>
  )
}

function List({
  search,
  go,
  open,
}: {
  search: RateSearch
  go: (next: RateSearch) => void
  open: (next: Open) => void
}) {
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...ratesQuery(search),
    placeholderData: keepPreviousData,
  })
  if (error) return <Failed error={error} what="the exchange rates" retry={() => void refetch()} />
  if (!data) return <TableSkeleton />
  const { exchange_rates, offset, limit, total } = data
  const isFiltered = Boolean(search.from || search.to || search.on)
  if (exchange_rates.length === 0) {
    return (
      <Notice icon={IconArrowsExchange} title={isFiltered ? 'No exchange rates found' : 'No exchange rates yet'}>
        {isFiltered
          ? 'No rate matches the filters above.'
          : 'Add a rate, or import a CSV file or the daily file of the European Central Bank.'}
      </Notice>
    )
  }
  const paging = { offset, limit, total, onPage: (page: number) => go({ ...search, page }) }
  return (
    <DataTable
      label="Exchange rates"
      columns={columnsOf(open)}
      rows={exchange_rates}
      keyOf={({ id }) => id}
      paging={paging}
      waiting={isPlaceholderData}
    />
  )
}

function columnsOf(open: (next: Open) => void): Column<ExchangeRate>[] {
  return [
    { label: 'From', show: ({ from_currency_id }) => <b>{from_currency_id.toUpperCase()}</b> },
    { label: 'To', show: ({ to_currency_id }) => <b>{to_currency_id.toUpperCase()}</b> },
    { label: 'Rate', end: true, show: ({ rate }) => typedRateOf(rate) },
    { label: 'First day', show: ({ starts_on }) => <Day at={starts_on} /> },
    { label: 'Last day', show: ({ ends_on }) => <Day at={ends_on} never="Open" /> },
    { label: 'Source', show: ({ source }) => source ?? '–' },
    {
      label: 'Actions',
      end: true,
      show: (rate) => {
        const of = `${nameOf(rate)} from ${rate.starts_on}`
        return (
          <Group gap={4} wrap="nowrap" justify="flex-end">
            <RowAction icon={IconPencil} label="Edit" of={of} onClick={() => open({ edit: rate })} />
            <RowAction
              icon={IconPlayerStop}
              label="End"
              of={of}
              disabled={rate.ends_on !== null}
              onClick={() => open({ end: rate })}
            />
            <RowAction icon={IconHistory} label="History" of={of} onClick={() => open({ history: rate })} />
            <RowAction icon={IconTrash} label="Delete" of={of} onClick={() => open({ remove: rate })} />
          </Group>
        )
      },
    },
  ]
}

function ImportButton() {
  const [report, setReport] = useState<Report | null>(null)
  const run = useImportRates()
  const start = (file: File | null) =>
    file &&
    run.mutate(file, {
      onSuccess: setReport,
      onError: (error) =>
        notifications.show({ title: 'Could not import the rates', message: wordsFor(error), color: 'red.9' }),
    })
  return (
    <>
      <FileButton accept=".csv,.xml,text/csv,application/xml,text/xml" onChange={start}>
        {(props) => (
          <Button
            {...props}
            variant="default"
            leftSection={<IconUpload size={16} aria-hidden />}
            loading={run.isPending}
          >
            Import a file
          </Button>
        )}
      </FileButton>
      {report && <ReportDialog report={report} close={() => setReport(null)} />}
    </>
  )
}

function ReportDialog({ report: { counts, failures }, close }: { report: Report; close: () => void }) {
  const title = `${counts.created.toLocaleString()} created, ${counts.updated.toLocaleString()} updated`
  return (
    <Modal opened onClose={close} title={title} size="lg">
      <Text size="sm" mb="sm">
        {counts.unchanged > 0 && `${counts.unchanged.toLocaleString()} were as in the file already. `}
        {counts.failed > 0
          ? `${counts.failed.toLocaleString()} could not be imported.`
          : 'All rates of the file were imported.'}
      </Text>
      {failures.slice(0, 50).map(({ line, from_currency_id, to_currency_id, error }) => (
        <Text key={`${line} ${from_currency_id} ${to_currency_id}`} size="sm">
          Line {line}: {error.error_message}
        </Text>
      ))}
    </Modal>
  )
}

/** The rate holds up to today; documents of later days need another. */
function End({ rate, close }: { rate: ExchangeRate; close: () => void }) {
  const update = useUpdateRate(rate.id)
  const ends_on = today() < rate.starts_on ? rate.starts_on : today()
  const change = {
    ...update,
    mutate: (_: undefined, options: { onSuccess: () => void }) =>
      update.mutate({ changes: { ends_on }, revision: rate.revision }, options),
  }
  return (
    <ConfirmDialog action="End" name={nameOf(rate)} close={close} change={change} isDanger={false}>
      Its last day becomes <Day at={ends_on} />. Later documents need another rate. Documents that have this rate keep
      it.
    </ConfirmDialog>
  )
}

function History({ rate, close }: { rate: ExchangeRate; close: () => void }) {
  return (
    <HistoryDialog
      name={nameOf(rate)}
      close={close}
      query={(limit) => historyQuery(rate.id, limit)}
      changesOf={(event) => <FieldChanges event={event} labels={labels} />}
    />
  )
}

function Remove({ rate, close }: { rate: ExchangeRate; close: () => void }) {
  return (
    <ConfirmDialog action="Delete" name={nameOf(rate)} close={close} change={useDeleteRate(rate)}>
      Documents that have this rate keep it. New ones of these days need another.
    </ConfirmDialog>
  )
}
