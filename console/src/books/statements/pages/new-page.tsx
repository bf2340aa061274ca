import { Button, Group, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueries, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useMoney } from '../../../app/api/currencies.ts'
import { fieldErrors } from '../../../app/api/problem.ts'
import { NotSaved } from '../../../app/editing/not-saved.tsx'
import { showFirstError } from '../../../app/editing/show-first-error.ts'
import { useUnsaved } from '../../../app/editing/unsaved.tsx'
import { isSame } from '../../../app/editing/use-editing.ts'
import { Failed } from '../../../app/parts/failed.tsx'
import { Page } from '../../../app/parts/page.tsx'
import { Panel } from '../../../app/parts/panel.tsx'
import { DataTable, TableSkeleton } from '../../../app/table/data-table.tsx'
import { sumOf } from '../../../app/values/money.ts'
import { type Bill, nameOf } from '../../bills/bill.ts'
import { bills as billKind } from '../../bills/kind.ts'
import { fieldsWithInput } from '../../documents/field.ts'
import { Inputs } from '../../documents/page/inputs.tsx'
import { documentQuery } from '../../documents/queries.ts'
import { blankValues, bodyOf, errorNamesOf } from '../../documents/values.ts'
import { type StatementValues, statementFields } from '../fields.ts'
import { type NewStatement, useCreateStatement } from '../queries.ts'
import { billColumns } from './bill-columns.ts'

const inputs = fieldsWithInput(statementFields, 'new')
/** What decides which bills are on the statement. The bills are known already where they were selected in the list. */
const ofPayee = ['partner_carrier_id', 'currency_id']
const whichBills = [...ofPayee, 'pay_period_start', 'pay_period_end']

const blank = (): StatementValues => ({
  ...(blankValues(statementFields, 'new') as StatementValues),
  consolidated_bill_type_id: 'carrier_statement',
})

/** From bills that were selected in the list, or from the bills of a payee in a period. */
export function NewPage() {
  const { bills: selected } = useSearch({ strict: false }) as { bills?: string }
  const ids = selected ? selected.split(',').filter(Boolean) : null
  const create = useCreateStatement()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [problem, setProblem] = useState<string | null>(null)
  const element = useRef<HTMLFormElement>(null)
  const [start] = useState(blank)
  const form = useForm<StatementValues>({
    mode: 'uncontrolled',
    initialValues: start,
    validate: { partner_carrier_id: (id) => (ids || id ? null : 'Choose the payee.') },
  })
  const { question } = useUnsaved(() => !isSame(start, form.getValues()))
  const submit = form.onSubmit(
    async (values) => {
      setProblem(null)
      try {
        const { consolidated_bill } = await create.mutateAsync(statementIn(values, ids))
        await navigate({ to: `/statements/${consolidated_bill.id}`, ignoreBlocker: true })
      } catch (error) {
        const { byField, rest } = fieldErrors(error, errorNamesOf(statementFields))
        form.setErrors(byField)
        setProblem(
          rest &&
            withNames(
              rest,
              ids ?? [],
              (id) => queryClient.getQueryData(documentQuery(billKind, id).queryKey)?.document,
            ),
        )
        showFirstError(element.current)
      }
    },
    () => showFirstError(element.current),
  )
  const situation = { record: null, hasLines: false }
  const first = inputs.filter(({ name }) => whichBills.includes(name) && !(ids && ofPayee.includes(name)))
  return (
    <Page
      title="New statement"
      lead="The statement is created as a draft with its bills. It is not sent yet."
      above={{ label: 'Statements', to: '/statements' }}
    >
      <form ref={element} onSubmit={submit} noValidate>
        <NotSaved problem={problem} title="The statement was not created" />
        {ids ? <SelectedBills ids={ids} /> : null}
        <Panel
          title={ids ? 'Period' : 'Payee and period'}
          lead={
            ids
              ? 'The period that the statement names. It does not change which bills are on it.'
              : 'The statement gets all saved, sent and edited bills of the payee whose bill date is in the period and which are not on another statement. Leave a date empty for no limit.'
          }
        >
          <Inputs form={form} fields={first} situation={situation} columns={4} />
        </Panel>
        <Panel title="Details">
          <Inputs form={form} fields={inputs.filter(({ name }) => !whichBills.includes(name))} situation={situation} />
        </Panel>
        <Group>
          <Button type="submit" loading={form.submitting}>
            Create draft
          </Button>
          <Button variant="default" renderRoot={(props) => <Link to="/statements" {...props} />}>
            Cancel
          </Button>
        </Group>
      </form>
      {question}
    </Page>
  )
}

/** Only what was filled in is sent; the rest comes from the bills. */
function statementIn(values: StatementValues, ids: string[] | null): NewStatement {
  const filled = Object.fromEntries(
    Object.entries(bodyOf(statementFields, values, values, undefined)).filter(([, value]) => value !== null),
  )
  return { ...filled, ...(ids && { bill_ids: ids }) }
}

/** The server names bills by their ids; people know their numbers. */
function withNames(words: string, ids: readonly string[], find: (id: string) => Bill | undefined): string {
  return ids.reduce((text, id) => {
    const bill = find(id)
    return bill ? text.replaceAll(`"${id}"`, nameOf(bill)) : text
  }, words)
}

function SelectedBills({ ids }: { ids: string[] }) {
  const results = useQueries({ queries: ids.map((id) => documentQuery(billKind, id)) })
  const money = useMoney()
  const failed = results.find(({ error }) => error)
  const bills = results.flatMap(({ data }) => (data ? [data.document] : []))
  if (failed) return <Failed error={failed.error} what="the bills" retry={() => void failed.refetch()} />
  if (bills.length < ids.length) return <TableSkeleton />
  const currencies = [...new Set(bills.map(({ currency_id }) => currency_id))]
  return (
    <Panel title={`${bills.length} selected ${bills.length === 1 ? 'bill' : 'bills'}`}>
      <DataTable label="Selected bills" columns={billColumns} rows={bills} keyOf={({ id }) => id} />
      {currencies.length === 1 && (
        <Text mt="sm" ta="right" fw={650}>
          Total {money(sumOf(bills.map(({ total_amount }) => total_amount)), currencies[0] ?? null)}
        </Text>
      )}
    </Panel>
  )
}
