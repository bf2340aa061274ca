import { Group, Table, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMoney } from '../../app/api/currencies.ts'
import { NumberInput } from '../../app/inputs/number-input.tsx'
import { Failed } from '../../app/parts/failed.tsx'
import { TableSkeleton } from '../../app/table/data-table.tsx'
import { readQuantity, textAfterLeaving } from '../../app/values/numbers.ts'
import type { Content } from './policy.ts'
import { type Replay, replayQuery } from './queries.ts'

const rows = [
  ['paid', 'Approved automatically', 'invoices without findings'],
  ['held', 'Held for a person', 'invoices with findings'],
  ['caught', 'Asked for too much', 'by more than is tolerated'],
] as const

/** What the policy that is being edited would have done to the invoices of the last days, next to what is done now. */
export function ReplayPanel({ content }: { content: Content | null }) {
  const [typed, setTyped] = useState('90')
  const days = daysIn(typed)
  const [asked] = useDebouncedValue(JSON.stringify({ days: days ?? 90, content: days === null ? null : content }), 300)
  const tried = JSON.parse(asked) as { days: number; content: Content | null }
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...replayQuery(tried.days, tried.content ?? {}),
    enabled: tried.content !== null,
  })
  return (
    <section aria-label="Preview">
      <Group justify="space-between" mb="xs" align="flex-end">
        <Text size="sm" fw={600}>
          What it would have done
        </Text>
        <NumberInput
          size="xs"
          w="8rem"
          label="Last days"
          inputMode="numeric"
          value={typed}
          onChange={setTyped}
          error={days === null && 'From 1 to 3650.'}
          shownBack={(text) => textAfterLeaving(text, readQuantity(text), String)}
        />
      </Group>
      {error ? (
        <Failed error={error} what="the preview" retry={() => void refetch()} />
      ) : data ? (
        <Effects replay={data} waiting={isPlaceholderData} />
      ) : (
        <TableSkeleton rows={2} />
      )}
    </section>
  )
}

function daysIn(typed: string): number | null {
  const read = readQuantity(typed)
  return 'amount' in read && read.amount >= 1 && read.amount <= 3650 ? read.amount : null
}

function Effects({ replay, waiting }: { replay: Replay; waiting: boolean }) {
  const money = useMoney()
  const shown = ({ invoices, amounts }: Replay['now']['paid']) => (
    <>
      <b>{invoices.toLocaleString()}</b>
      {amounts.map(({ currency_id, amount }) => (
        <Text key={currency_id} size="xs" c="dimmed">
          {money(amount, currency_id)}
        </Text>
      ))}
    </>
  )
  return (
    <>
      <Table fz="sm" aria-label="Preview" aria-busy={waiting}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Invoices</Table.Th>
            <Table.Th ta="right">Now</Table.Th>
            <Table.Th ta="right">With this</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody style={{ verticalAlign: 'top' }}>
          {rows.map(([key, label, more]) => (
            <Table.Tr key={key}>
              <Table.Td>
                {label}
                <Text size="xs" c="dimmed">
                  {more}
                </Text>
              </Table.Td>
              <Table.Td ta="right">{shown(replay.now[key])}</Table.Td>
              <Table.Td ta="right">{shown(replay.tried[key])}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Text size="xs" c="dimmed" mt="xs" aria-live="polite">
        {replay.invoices === 0
          ? 'No invoice was audited in these days.'
          : `Of ${replay.invoices.toLocaleString()} audited invoices that are matched with a manifest. Nothing is changed.`}
      </Text>
    </>
  )
}
