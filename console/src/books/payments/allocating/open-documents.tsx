import { Alert, Button, Group, Text } from '@mantine/core'
import type { Currency } from '../../../app/api/currencies.ts'
import { IconAlertTriangle } from '../../../app/icons/icons.ts'
import { NumberInput } from '../../../app/inputs/number-input.tsx'
import { Failed } from '../../../app/parts/failed.tsx'
import { type Column, DataTable, TableSkeleton } from '../../../app/table/data-table.tsx'
import { moneyOf, readAmount, typedAmountOf } from '../../../app/values/money.ts'
import { textAfterLeaving } from '../../../app/values/numbers.ts'
import type { Document } from '../../documents/document.ts'
import { type DocumentKind, nameIn, pathOf } from '../../documents/kind.ts'
import { columnsOf } from '../../documents/shown/columns.tsx'
import { oldestFirst, readParts } from './allocating.ts'
import type { OpenDocumentsQuery } from './open-query.ts'

export type TypedAmounts = ReadonlyMap<string, string>

type OpenDocumentsProps = {
  kind: DocumentKind
  open: OpenDocumentsQuery
  currency: Currency
  /** What can be divided among the documents; null until an amount is typed that can be read. */
  amount: number | null
  /** What the amount is of: a payment, unless said. */
  what?: string
  typed: TypedAmounts
  change: (typed: TypedAmounts) => void
}

/** The documents of a party that are not paid, and how much of the amount each of them gets. */
export function OpenDocuments({ kind, open, currency, amount, what = 'payment', typed, change }: OpenDocumentsProps) {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = open
  if (error) return <Failed error={error} what={`the open ${kind.many}`} retry={() => void refetch()} />
  if (!data) return <TableSkeleton />
  if (data.rows.length === 0 && typed.size === 0) {
    return (
      <Text size="sm" c="dimmed">
        There are no open {kind.many} in {currency.iso_4217}. Nothing can be allocated now.
      </Text>
    )
  }
  const { sum, problems, gone } = readParts(typed, data.rows, currency)
  const fill = (parts: ReadonlyMap<string, number>) =>
    change(new Map([...parts].map(([id, part]) => [id, typedAmountOf(part, currency.minor_units)])))
  const left = amount === null ? null : BigInt(amount) - sum
  return (
    <>
      <Group gap="xs" mb="sm">
        <Button
          size="xs"
          variant="default"
          disabled={!amount}
          onClick={() => fill(oldestFirst(amount ?? 0, data.oldest))}
        >
          Allocate oldest first
        </Button>
        <Button size="xs" variant="subtle" disabled={typed.size === 0} onClick={() => change(new Map())}>
          Clear
        </Button>
      </Group>
      <DataTable
        label={`Open ${kind.many}`}
        columns={columnsFor(kind, currency, typed, change, problems)}
        rows={data.rows}
        keyOf={({ id }) => id}
      />
      {hasNextPage && (
        <Group gap="sm" mt="xs">
          <Text size="sm" c="dimmed">
            These are the {data.oldest.length.toLocaleString()} that are due first, of {data.total.toLocaleString()}.
          </Text>
          <Button size="xs" variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show more
          </Button>
        </Group>
      )}
      {gone.length > 0 && (
        <Alert
          variant="default"
          icon={<IconAlertTriangle aria-hidden />}
          mt="sm"
          role="alert"
          title={`Not open any more: ${gone.length}`}
        >
          <Text size="sm">
            {gone.length === 1
              ? `A ${kind.one} that had an amount here`
              : `${gone.length} ${kind.many} that had an amount here`}{' '}
            cannot be paid any more. Leave {gone.length === 1 ? 'it' : 'them'} out, and check the amount of the {what}.
          </Text>
          <Button
            mt="xs"
            size="xs"
            variant="default"
            onClick={() => change(new Map([...typed].filter(([id]) => !gone.includes(id))))}
          >
            Leave out
          </Button>
        </Alert>
      )}
      <Text
        size="sm"
        mt="sm"
        ta="right"
        aria-live="polite"
        {...(left !== null && left < 0n && { c: 'var(--mantine-color-error)' })}
      >
        {moneyOf(sum, currency)} allocated
        {left !== null &&
          (left < 0n
            ? `, which is ${moneyOf(-left, currency)} more than the amount`
            : ` · ${moneyOf(left, currency)} left on the ${what}`)}
      </Text>
    </>
  )
}

const shownColumns = ['number', 'reference_number', 'due_date', 'total_amount', 'amount_due']

function columnsFor(
  kind: DocumentKind,
  currency: Currency,
  typed: TypedAmounts,
  change: (typed: TypedAmounts) => void,
  problems: Record<string, string>,
): Column<Document>[] {
  const columns = columnsOf<Document>(kind.list.fields, {
    path: pathOf(kind),
    nameOf: (document) => nameIn(kind, document),
  })
  return [
    ...columns.filter(({ name }) => shownColumns.includes(name)),
    {
      label: 'Amount',
      end: true,
      show: (document) => (
        <NumberInput
          size="xs"
          w="8rem"
          ml="auto"
          aria-label={`Amount for ${nameIn(kind, document)}`}
          styles={{ input: { textAlign: 'right' } }}
          value={typed.get(document.id) ?? ''}
          onChange={(text) => change(new Map(typed).set(document.id, text))}
          error={problems[document.id]}
          shownBack={(text) =>
            textAfterLeaving(text, readAmount(text, currency), (amount) => typedAmountOf(amount, currency.minor_units))
          }
        />
      ),
    },
  ]
}
