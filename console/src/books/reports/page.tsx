import { Button, Group, SimpleGrid, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useMoney } from '../../app/api/currencies.ts'
import { useBooksToday } from '../../app/api/organization.ts'
import { IconDownload, IconReportAnalytics } from '../../app/icons/icons.ts'
import { Failed } from '../../app/parts/failed.tsx'
import { NotFound } from '../../app/parts/not-found.tsx'
import { Notice } from '../../app/parts/notice.tsx'
import { Page } from '../../app/parts/page.tsx'
import { Panel } from '../../app/parts/panel.tsx'
import { DataTable, TableSkeleton } from '../../app/table/data-table.tsx'
import { useExport } from '../../app/transfers/use-export.ts'
import { today } from '../../app/values/dates.ts'
import { StateTabs } from '../documents/shown/state-tabs.tsx'
import { columnsOf } from './columns.tsx'
import { downloadReport, type Report, type ReportName, reportQuery } from './queries.ts'
import { reportPages } from './routes.ts'

const AgingChart = lazy(async () => ({ default: (await import('./aging-chart.tsx')).AgingChart }))

/** One report, as of today or of an earlier day. */
export function ReportPage() {
  const booksToday = useBooksToday()
  const { report = '' } = useParams({ strict: false }) as { report?: string }
  const { as_of } = useSearch({ strict: false }) as { as_of?: string }
  const navigate = useNavigate()
  const known = reportPages[report]
  if (!known) return <NotFound />
  const query = as_of ? { as_of } : {}
  return (
    <Page title={known.title} lead={known.lead} actions={<DownloadButton name={known.name} query={query} />}>
      <StateTabs
        label="Reports"
        toOf={(key) => `/reports/${key}`}
        tabs={Object.entries(reportPages).map(([key, { tab }]) => ({ key, label: tab }))}
        current={report}
        searchOf={() => query}
      />
      <Group mb="sm" align="flex-end">
        <TextInput
          type="date"
          label="As of"
          description="The figures as they stood at the end of that day."
          max={booksToday}
          value={as_of ?? ''}
          onChange={(event) =>
            void navigate({
              to: `/reports/${report}`,
              search: event.currentTarget.value ? { as_of: event.currentTarget.value } : {},
            })
          }
        />
      </Group>
      <Figures key={report} name={known.name} query={query} />
    </Page>
  )
}

const pageSize = 50

function Figures({ name, query }: { name: ReportName; query: { as_of?: string } }) {
  const { data, error, refetch, isPlaceholderData } = useQuery(reportQuery(name, query))
  const [page, setPage] = useState(1)
  const money = useMoney()
  if (error) return <Failed error={error} what="the report" retry={() => void refetch()} />
  if (!data) return <TableSkeleton rows={8} />
  if (data.rows.length === 0) {
    return (
      <Notice icon={IconReportAnalytics} title="Nothing to report">
        There is nothing that belongs into this report{query.as_of ? ' for that day' : ''}.
      </Notice>
    )
  }
  const offset = (page - 1) * pageSize
  return (
    <>
      <Aging report={data} />
      <DataTable
        label="Report"
        sticky
        columns={columnsOf(name, data, money)}
        rows={data.rows.slice(offset, offset + pageSize).map((row, index) => ({ ...row, index: offset + index }))}
        keyOf={({ index }) => String(index)}
        waiting={isPlaceholderData}
        paging={{ offset, limit: pageSize, total: data.rows.length, onPage: setPage }}
      />
    </>
  )
}

/** For each currency what is open, by age. */
function Aging({ report: { totals } }: { report: Report }) {
  const money = useMoney()
  if (!totals) return null
  return (
    <SimpleGrid cols={{ base: 1, md: Math.min(2, totals.length) }} spacing="md">
      {totals.map((sums) => {
        const currency = String(sums.currency_id)
        const title = `Open in ${currency.toUpperCase()}`
        return (
          <Panel
            key={currency}
            title={title}
            actions={<Text fw={650}>{money(Number(sums.total_amount), currency)}</Text>}
          >
            <Suspense fallback={<div style={{ height: 180 }} />}>
              <AgingChart sums={sums} currencyId={currency} label={title} />
            </Suspense>
          </Panel>
        )
      })}
    </SimpleGrid>
  )
}

function DownloadButton({ name, query }: { name: ReportName; query: { as_of?: string } }) {
  const { mutate, isPending } = useExport({
    what: 'the report',
    fileName: `${name.replaceAll('_', '-')}-${query.as_of ?? today()}.csv`,
    read: () => downloadReport(name, query),
  })
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} aria-hidden />}
      onClick={() => mutate()}
      loading={isPending}
    >
      Download CSV
    </Button>
  )
}
