import { Card, SimpleGrid, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMoney } from '../app/api/currencies.ts'
import type { Work } from './work.ts'

/** What is waiting, each a link to the list of it. */
export function WorkCards({ work }: { work: readonly Work[] }) {
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm" mb="md" component="section" aria-label="To do">
      {work.map((one) => (
        <WorkCard key={one.label} work={one} />
      ))}
    </SimpleGrid>
  )
}

function WorkCard({ work: { label, to, search, count, sums, isLate } }: { work: Work }) {
  const money = useMoney()
  return (
    <Card withBorder padding="sm" renderRoot={(props) => <Link to={to} search={search} {...props} />}>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text fw={650} fz={22} lh={1.3} {...(isLate && count > 0 && { c: 'var(--mantine-color-error)' })}>
        {count.toLocaleString()}
      </Text>
      {sums.map(({ currency_id, amount }) => (
        <Text key={currency_id} size="sm" style={{ fontVariantNumeric: 'tabular-nums', overflowWrap: 'anywhere' }}>
          {money(amount, currency_id)}
        </Text>
      ))}
    </Card>
  )
}
