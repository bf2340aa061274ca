import { Alert, Button, FileInput, Group, Radio, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { currenciesQuery } from '../../../app/api/currencies.ts'
import { IconAlertTriangle, IconCheck, IconFileTypeCsv } from '../../../app/icons/icons.ts'
import { CurrencySelect } from '../../../app/inputs/currency-select.tsx'
import { Failed } from '../../../app/parts/failed.tsx'
import { Notice } from '../../../app/parts/notice.tsx'
import { Page } from '../../../app/parts/page.tsx'
import { Panel } from '../../../app/parts/panel.tsx'
import { type DocumentKind, pathOf } from '../kind.ts'
import { ColumnsTable } from './columns-table.tsx'
import { readCsv, type Table } from './csv.ts'
import type { FoundOrder } from './dates.ts'
import { type Choices, ordersIn } from './mapping.ts'
import { DownloadFailed, Preview, ReportTable } from './preview.tsx'
import { guessTargets, isExport, targetsOf } from './targets.ts'
import { useImportSteps } from './use-import-steps.ts'

type Opened = { name: string; table: Table }

/** From a file to documents: which column is which, what would happen to each row, and then what did. */
export function ImportDocuments({ kind }: { kind: DocumentKind }) {
  const [opened, setOpened] = useState<Opened | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [file, setFile] = useState<File | null>(null)
  const open = async (next: File | null) => {
    setFile(next)
    setOpened(null)
    setProblem(null)
    if (!next) return
    const read = readCsv(await next.text())
    if ('problem' in read) setProblem(read.problem)
    else setOpened({ name: next.name, table: read })
  }
  return (
    <Page
      title={`Import ${kind.many}`}
      lead={`Creates a draft for each row of a CSV file, or updates the ${kind.one} whose external id or ${kind.one} id the row names.`}
      above={{ label: kind.title, to: pathOf(kind) }}
    >
      <Panel title="File">
        <FileInput
          label="CSV file"
          description="The first line names the columns. Columns may be separated with commas, semicolons or tabs."
          placeholder="Choose a file"
          accept=".csv,text/csv,text/plain"
          maw="32rem"
          clearable
          clearButtonProps={{ 'aria-label': 'Clear the file' }}
          leftSection={<IconFileTypeCsv size={18} aria-hidden />}
          value={file}
          error={problem}
          onChange={(next) => void open(next)}
        />
      </Panel>
      {opened && (
        <Mapping
          key={`${opened.name} ${file?.lastModified}`}
          kind={kind}
          table={opened.table}
          again={() => void open(null)}
        />
      )}
    </Page>
  )
}

function Mapping({ kind, table, again }: { kind: DocumentKind; table: Table; again: () => void }) {
  const targets = targetsOf(kind)
  const [choices, setChoices] = useState<Choices>(() => {
    const guessed = guessTargets(table.header, targets)
    return {
      targets: guessed,
      orders: knownOrders(ordersIn(table, guessed, targets)),
      currency: null,
      amounts: isExport(table.header) ? 'minor units' : 'written',
    }
  })
  const { data: currencies = [] } = useQuery(currenciesQuery)
  const steps = useImportSteps(kind, table, choices, currencies)
  const change = (part: Partial<Choices>) => {
    setChoices({ ...choices, ...part })
    steps.reset()
  }
  const used = choices.targets.flatMap((key) => targets.find((target) => target.key === key) ?? [])
  const hasId = used.some(({ column }) => column === 'external_id' || column === 'id')
  const found = ordersIn(table, choices.targets, targets)
  const isUnclear = found.some((order, index) => order !== null && !choices.orders[index])
  const hasAmounts = used.some(({ reading }) => reading === 'amount')
  if (steps.done) return <Done {...steps.done} kind={kind} table={table} again={again} />
  return (
    <>
      <Panel
        title="Columns"
        lead={`${table.rows.length.toLocaleString()} rows. Choose what each column of the file is. Columns without a choice are not imported.`}
      >
        <ColumnsTable
          targets={targets}
          table={table}
          chosen={choices.targets}
          change={(chosen) => change({ targets: chosen, orders: knownOrders(ordersIn(table, chosen, targets)) })}
          found={found}
          orders={choices.orders}
          changeOrder={(index, order) => change({ orders: choices.orders.with(index, order) })}
        />
        <Group mt="md" gap="xl" align="flex-start">
          <CurrencySelect
            label="Currency of rows that name none"
            w="18rem"
            value={choices.currency}
            onChange={(currency: string | null) => change({ currency })}
          />
          {hasAmounts && (
            <Radio.Group
              label="Amounts in the file"
              value={choices.amounts}
              onChange={(amounts) => change({ amounts: amounts as Choices['amounts'] })}
            >
              <Stack gap={6} mt={4}>
                <Radio value="written" label="are written out, such as 1850.10" />
                <Radio value="minor units" label="are whole numbers of the minor unit, as in an export" />
              </Stack>
            </Radio.Group>
          )}
        </Group>
        {!hasId && (
          <Alert variant="default" icon={<IconAlertTriangle aria-hidden />} mt="md">
            No column is the external id. If this file is imported again, its {kind.many} are created a second time.
          </Alert>
        )}
        {steps.error ? <Failed error={steps.error} /> : null}
        <Button
          mt="md"
          onClick={steps.check}
          loading={steps.isChecking}
          disabled={used.length === 0 || currencies.length === 0 || isUnclear}
        >
          Check the file
        </Button>
      </Panel>
      {steps.checked && (
        <Preview kind={kind} table={table} checked={steps.checked} run={steps.run} busy={steps.isImporting} />
      )}
    </>
  )
}

/** What was found is taken; what could be read in both orders is asked. */
function knownOrders(found: readonly FoundOrder[]): Choices['orders'] {
  return found.map((order) => (order === 'either' ? null : order))
}

type DoneProps = {
  kind: DocumentKind
  table: Table
  created: number
  updated: number
  unchanged: number
  failed: Parameters<typeof ReportTable>[0]['rows']
  again: () => void
}

function Done({ kind, table, created, updated, unchanged, failed, again }: DoneProps) {
  return (
    <>
      <Notice
        icon={IconCheck}
        title={`${created.toLocaleString()} created, ${updated.toLocaleString()} updated`}
        action={
          <Group>
            <Button renderRoot={(props) => <Link to={pathOf(kind)} {...props} />}>Go to the {kind.many}</Button>
            <Button variant="default" onClick={again}>
              Import another file
            </Button>
          </Group>
        }
      >
        {unchanged > 0 && `${unchanged.toLocaleString()} were as in the file already. `}
        {failed.length > 0 ? `${failed.length.toLocaleString()} rows were not imported.` : 'All rows were imported.'}
      </Notice>
      {failed.length > 0 && (
        <Panel title="Rows that were not imported">
          <Text size="sm" mb="sm">
            Download these rows, correct them and import that file.
          </Text>
          <DownloadFailed kind={kind} table={table} failed={failed} />
          <ReportTable kind={kind} rows={failed} />
        </Panel>
      )}
    </>
  )
}
