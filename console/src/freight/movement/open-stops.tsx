import { List, Text } from '@mantine/core'
import { wordsOf } from '../../records/kinds/kind.ts'
import type { Stop } from './stop.ts'

/** Names the stops that a report would pass over; nothing where there are none. */
export function OpenStops({ stops }: { stops: readonly Stop[] }) {
  if (stops.length === 0) return null
  return (
    <>
      <Text size="sm">Stops before it were not departed from:</Text>
      <List size="sm" my="xs">
        {stops.map((one) => (
          <List.Item key={one.id}>{nameOf(one)}</List.Item>
        ))}
      </List>
    </>
  )
}

function nameOf({ sequence, kind, place }: Stop): string {
  return `${sequence}. ${wordsOf(kind)}${place === '–' ? '' : `, ${place}`}`
}
