import { Alert, Button, Group, Radio, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQueries, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useMoney } from '../api/currencies.ts'
import { fieldErrors } from '../api/problem.ts'
import { CarrierSelect } from '../billing/carriers.tsx'
import { CurrencySelect, PayTermSelect } from '../billing/selects.tsx'
import { type Bill, nameOf } from '../bills/bill.ts'
import { billQuery } from '../bills/queries.ts'
import { DataTable, TableSkeleton } from '../parts/data-table.tsx'
import { Failed } from '../parts/failed.tsx'
import { sumOf } from '../parts/money.ts'
import { Page } from '../parts/page.tsx'
import { Panel } from '../parts/panel.tsx'
import { showFirstError } from '../parts/show-first-error.ts'
import { useBillColumns } from './bill-columns.tsx'
import { type NewStatement, useCreateStatement } from './queries.ts'
import { type StatementType, types } from './search.ts'

type Values = {
  consolidated_bill_type_id: StatementType
  partner_carrier_id: string | null
  pay_period_start: string
  pay_period_end: string
  currency_id: string | null
  pay_term_id: string | null
  reference_number: string
  notes: string
}

const blank: Values = {
  consolidated_bill_type_id: 'carrier_statement',
  partner_carrier_id: null,
  pay_period_start: '',
  pay_period_end: '',
  currency_id: null,
  pay_term_id: null,
  reference_number: '',
  notes: '',
}

/** From bills that were chosen in the list, or from what a payee is owed for a period. */
export function NewPage() {
  const { bills: named } = useSearch({ strict: false }) as { bills?: string }
  const ids = named ? named.split(',').filter(Boolean) : null
  const create = useCreateStatement()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [problem, setProblem] = useState<string | null>(null)
  const element = useRef<HTMLFormElement>(null)
  const form = useForm<Values>({
    initialValues: blank,
    validate: { partner_carrier_id: (id) => (ids || id ? null : 'Choose whose bills are gathered.') },
  })
  const submit = form.onSubmit(
    async (values) => {
      setProblem(null)
      try {
        const { consolidated_bill } = await create.mutateAsync(bodyOf(values, ids))
        await navigate({ to: `/statements/${consolidated_bill.id}` })
      } catch (error) {
        const { byField, rest } = fieldErrors(error, Object.keys(blank))
        form.setErrors(byField)
        setProblem(rest && withNames(rest, ids ?? [], (id) => queryClient.getQueryData(billQuery(id).queryKey)?.bill))
        showFirstError(element.current)
      }
    },
    () => showFirstError(element.current),
  )
  const input = (name: keyof Values, label: string) => ({ label, autoComplete: 'off', ...form.getInputProps(name) })
  return (
    <Page title="New statement" lead="It starts as a draft: its bills are gathered, and nothing is sent." above={{ label: 'Statements', to: '/statements' }}>
      <form ref={element} onSubmit={submit} noValidate>
        {problem && (
          <Alert variant="default" icon={<IconAlertTriangle aria-hidden />} mb="lg" role="alert" title="Not created">
            {problem}
          </Alert>
        )}
        {ids ? <ChosenBills ids={ids} /> : null}
        <Panel
          title={ids ? 'Period' : 'Payee and period'}
          lead={
            ids
              ? 'What the statement says about its period; the bills are those above.'
              : 'All saved, sent and edited bills of the payee with a bill date in the period that are on no statement yet. Leave a day open to have no limit there.'
          }
        >
          <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }} spacing="sm">
            {!ids && (
              <CarrierSelect
                label="Payee"
                required
                value={form.values.partner_carrier_id}
                onChange={(id) => form.setFieldValue('partner_carrier_id', id)}
                error={form.errors.partner_carrier_id}
              />
            )}
            <TextInput {...input('pay_period_start', 'From')} type="date" />
            <TextInput {...input('pay_period_end', 'To')} type="date" />
            {!ids && (
              <CurrencySelect
                placeholder="If there are several"
                value={form.values.currency_id}
                onChange={(id) => form.setFieldValue('currency_id', id)}
                error={form.errors.currency_id}
              />
            )}
          </SimpleGrid>
        </Panel>
        <Panel title="Details">
          <Stack gap="md">
            <Radio.Group label="Kind" {...form.getInputProps('consolidated_bill_type_id')}>
              <Group mt="xs">
                {Object.entries(types).map(([value, label]) => (
                  <Radio key={value} value={value} label={label} />
                ))}
              </Group>
            </Radio.Group>
            <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
              <TextInput {...input('reference_number', 'Reference number')} maxLength={255} />
              <PayTermSelect value={form.values.pay_term_id} onChange={(id) => form.setFieldValue('pay_term_id', id)} error={form.errors.pay_term_id} />
            </SimpleGrid>
            <Textarea {...input('notes', 'Notes')} maxLength={10_000} autosize minRows={2} />
          </Stack>
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
    </Page>
  )
}

/** Only what was said goes to the server; the rest is as the bills have it. */
function bodyOf({ currency_id, partner_carrier_id, ...values }: Values, ids: string[] | null): NewStatement {
  const said = Object.fromEntries(Object.entries(values).filter(([, value]) => value))
  return { ...said, ...(ids ? { bill_ids: ids } : { partner_carrier_id, ...(currency_id && { currency_id }) }) }
}

/** The server names bills by their ids; people know their numbers. */
function withNames(words: string, ids: readonly string[], find: (id: string) => Bill | undefined): string {
  return ids.reduce((text, id) => {
    const bill = find(id)
    return bill ? text.replaceAll(`"${id}"`, nameOf(bill)) : text
  }, words)
}

function ChosenBills({ ids }: { ids: string[] }) {
  const asked = useQueries({ queries: ids.map((id) => billQuery(id)) })
  const columns = useBillColumns()
  const money = useMoney()
  const failed = asked.find(({ error }) => error)
  const bills = asked.flatMap(({ data }) => (data ? [data.bill as Bill] : []))
  if (failed) return <Failed error={failed.error} retry={() => void failed.refetch()} />
  if (bills.length < ids.length) return <TableSkeleton />
  const [currency, ...others] = new Set(bills.map(({ currency_id }) => currency_id))
  return (
    <Panel title={`${bills.length} chosen ${bills.length === 1 ? 'bill' : 'bills'}`}>
      <DataTable label="Chosen bills" columns={columns} rows={bills} keyOf={({ id }) => id} />
      {others.length === 0 && (
        <Text mt="sm" ta="right" fw={650}>
          Total {money(sumOf(bills.map(({ total_amount }) => total_amount)), currency ?? null)}
        </Text>
      )}
    </Panel>
  )
}
