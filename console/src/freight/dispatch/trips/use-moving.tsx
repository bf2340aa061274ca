import { Button, Group, Modal, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type FormEvent, type ReactNode, useState } from 'react'
import { wordsFor } from '../../../app/api/problem.ts'
import { browserZone, momentTyped, zoneNameAt } from '../../../app/values/dates.ts'
import { openBefore } from '../../../app/values/stop-order.ts'
import { wordsOf } from '../../../records/kinds/kind.ts'
import { OpenStops } from '../../movement/open-stops.tsx'
import { useMove } from './queries.ts'
import { stopsOf, type Trip } from './trip.ts'

type Moving = { trip: Trip; to: string }

/** Moves that report something, or that end a trip, ask before. */
const asks = ['in_transit', 'completed', 'cancelled']

/** Moving manifests: `pending` is the one under way, which goes back to where it was if the server refuses; `dialog` asks when it departed. */
export function useMoving(): { move: (trip: Trip, to: string) => void; pending: Moving | null; dialog: ReactNode } {
  const [asked, setAsked] = useState<Moving | null>(null)
  const [pending, setPending] = useState<Moving | null>(null)
  const change = useMove()
  const send = ({ trip, to }: Moving, at?: string) => {
    setPending({ trip, to })
    change.mutate(
      { id: trip.id, to, at },
      {
        onSuccess: (words) => notifications.show({ message: words }),
        onError: (error) =>
          notifications.show({ title: `${trip.full_id} was not moved`, message: wordsFor(error), color: 'red.9' }),
        onSettled: () => setPending(null),
      },
    )
  }
  return {
    pending,
    // What the table does not allow is sent too: the server says why not.
    move: (trip, to) => (asks.includes(to) && trip.moves.includes(to) ? setAsked({ trip, to }) : send({ trip, to })),
    dialog: asked && (
      <MoveDialog
        {...asked}
        close={() => setAsked(null)}
        send={(at) => {
          setAsked(null)
          send(asked, at)
        }}
      />
    ),
  }
}

function MoveDialog({ trip, to, close, send }: Moving & { close: () => void; send: (at?: string) => void }) {
  const [at, setAt] = useState('')
  const reports = to !== 'cancelled'
  const stop = reports ? stopLeft(trip, to) : undefined
  const zone = stop?.timeZone ?? browserZone()
  const stops = stopsOf(trip).map((one) => ({ ...one, arrived: one.arrivedAt, departed: one.departedAt }))
  const passed = stop ? openBefore(stops, stop.id) : []
  const submit = (event: FormEvent) => {
    event.preventDefault()
    send((at && momentTyped(at, zone)) || undefined)
  }
  return (
    <Modal opened onClose={close} title={`Move ${trip.full_id} to ${wordsOf(to).toLowerCase()}`}>
      <form onSubmit={submit}>
        <Text size="sm" mb="md">
          {whatFollows(trip, to)}
        </Text>
        <OpenStops stops={passed} />
        {reports && (
          <TextInput
            type="datetime-local"
            label="Departed"
            description={`By the clock of the place, ${zoneNameAt(zone)}. Now, if you leave it empty.`}
            value={at}
            onChange={({ currentTarget }) => setAt(currentTarget.value)}
          />
        )}
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" data-autofocus {...(!reports && { color: 'red.9' })}>
            {reports ? 'Report departure' : 'Cancel manifest'}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}

/** From which stop the move reports the departure. */
function stopLeft(trip: Trip, to: string) {
  const stops = stopsOf(trip)
  return to === 'completed' ? stops.at(-1) : (stops.find(({ kind }) => kind === 'pickup') ?? stops[0])
}

function whatFollows(trip: Trip, to: string): string {
  if (to === 'cancelled') return 'The manifest is cancelled. Its orders can be planned again.'
  const stop = stopLeft(trip, to)
  const where = stop ? `${wordsOf(stop.kind).toLowerCase()} in ${stop.town}` : 'stop'
  const then = to === 'completed' ? 'Its orders are delivered with it.' : 'Its orders are in transit with it.'
  return `This reports the departure from the ${to === 'completed' ? 'last' : 'first'} stop, the ${where}. ${then} It can be undone on the page of the manifest.`
}
