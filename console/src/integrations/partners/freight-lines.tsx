import { Box, Text } from '@mantine/core'
import { distanceWords, equipmentWords, ownWindowWords, weightWords, windowWords } from '../../app/values/freight.ts'
import { townOf } from '../../freight/dispatch/trips/trip.ts'
import type { Tender } from './queries.ts'

/** What is offered, as the carrier is told: from where to where, when, how far and what. */
export function FreightLines({ freight }: { freight: NonNullable<Tender['manifest']> }) {
  const { start, end, pickup_window, delivery_window } = freight
  const towns = [start, end].flatMap((place) => (place ? [townOf(place)] : []))
  const what = [distanceWords(freight), equipmentWords(freight), weightWords(freight)].filter(Boolean).join(' · ')
  return (
    // Not a region: a list of tenders has one in every row.
    <Box role="group" aria-label="Freight">
      <Text size="sm" fw={600}>
        {[...new Set(towns)].join(' → ') || 'Nothing is known of the way yet'}
      </Text>
      {pickup_window && (
        <Text size="xs" title={ownWindowWords(pickup_window)}>
          Pick up {windowWords(pickup_window)}
        </Text>
      )}
      {delivery_window && (
        <Text size="xs" title={ownWindowWords(delivery_window)}>
          Deliver {windowWords(delivery_window)}
        </Text>
      )}
      {what && (
        <Text size="xs" c="dimmed">
          {what}
        </Text>
      )}
    </Box>
  )
}
