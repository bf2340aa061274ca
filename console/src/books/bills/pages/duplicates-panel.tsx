import { List, Stack, Text } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMoney } from '../../../app/api/currencies.ts'
import { answered } from '../../../app/api/problem.ts'
import { lading } from '../../../app/api/session.ts'
import { Panel } from '../../../app/parts/panel.tsx'
import { NumberLink } from '../../documents/shown/shown.tsx'
import type { Bill } from '../bill.ts'

const duplicatesQuery = ({ id, revision }: Bill) =>
  queryOptions({
    queryKey: ['bills', id, 'duplicates', revision],
    queryFn: async () =>
      (await answered(lading.GET('/api/v1/bills/{billID}/duplicates', { params: { path: { billID: id } } })))
        .duplicates,
  })

/** The bills that are probably the same, and why. Nothing is shown where there are none, nor where they cannot be read: the bill itself is what counts. */
export function DuplicatesPanel({ bill }: { bill: Bill }) {
  const { data: duplicates = [] } = useQuery({ ...duplicatesQuery(bill), enabled: bill.voided_at === null })
  const money = useMoney()
  if (duplicates.length === 0) return null
  return (
    <Panel
      title={duplicates.length === 1 ? 'Possible duplicate' : 'Possible duplicates'}
      lead="Compare before you pay. Void the bill that was entered twice, or ignore this where they are different."
    >
      <Stack gap="sm">
        {duplicates.map(({ bill_id, number, reference_number, total_amount, currency_id, reasons }) => (
          <div key={bill_id}>
            <NumberLink to={`/bills/${bill_id}`}>
              {[number ?? 'Draft', reference_number].filter(Boolean).join(' · ')}
            </NumberLink>
            <Text span size="sm" ml="sm">
              {money(total_amount, currency_id)}
            </Text>
            <List size="sm" c="dimmed">
              {reasons.map(({ code, message }) => (
                <List.Item key={code}>{message}</List.Item>
              ))}
            </List>
          </div>
        ))}
      </Stack>
    </Panel>
  )
}
