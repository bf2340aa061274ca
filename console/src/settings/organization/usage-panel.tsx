import { Progress, SimpleGrid, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { sizeOf } from '../../app/files/types.ts'
import { Fact } from '../../app/parts/fact.tsx'
import { Failed } from '../../app/parts/failed.tsx'
import { Panel } from '../../app/parts/panel.tsx'
import { type Usage, usageQuery } from './queries.ts'

const labels: Record<Usage['name'], string> = {
  documents: 'Documents',
  storage: 'Files of documents',
  transfers_waiting: 'Imports and exports under way',
  transfers_kept: 'Imports and exports kept',
  transfer_files: 'Files of imports and exports',
  positions_today: 'Positions recorded today (UTC)',
  kinds: 'Kinds of objects',
}
/** From here on whoever looks should do something. */
const nearlyFull = 80

/** What the organization uses of what it may have. */
export function UsagePanel() {
  const { data, error, refetch } = useQuery(usageQuery)
  return (
    <Panel title="Usage" lead="How much your organization keeps, and how much it may keep.">
      {error && <Failed error={error} what="the usage" retry={() => void refetch()} />}
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="md">
        {data?.map((one) => (
          <Fact key={one.name} label={labels[one.name]}>
            <Amount usage={one} />
          </Fact>
        ))}
      </SimpleGrid>
    </Panel>
  )
}

function Amount({ usage: { name, unit, used, limit, beyond } }: { usage: Usage }) {
  const amount = (value: number) => (unit === 'bytes' ? sizeOf(value) : value.toLocaleString('en-US'))
  const percent = Math.min(100, (used / limit) * 100)
  return (
    <>
      {amount(used)} of {amount(limit)}
      <Progress
        value={percent}
        size="sm"
        my={4}
        color={percent < nearlyFull ? 'blue' : 'red.9'}
        aria-label={`${labels[name]}: ${Math.round(percent)} %`}
      />
      <Text size="xs" c="dimmed">
        {beyond === 'refused' ? 'Beyond it no more is taken.' : 'Beyond it the oldest are deleted.'}
      </Text>
    </>
  )
}
