import { Button, Group, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Failed } from '../../app/parts/failed.tsx'
import { Panel } from '../../app/parts/panel.tsx'
import { type Column, DataTable } from '../../app/table/data-table.tsx'
import { timeOf } from '../../app/values/dates.ts'
import { wordsOf } from '../../records/kinds/kind.ts'
import { coordinatesIn } from './coordinates.ts'
import { type Track, trackQuery, useCheckCall } from './queries.ts'

type Position = Track['positions'][number]

/** So many say where it is; the rest is history. */
const few = 5

/** The last positions and check calls of a manifest, and a form for the next call. */
export function PositionsPanel({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(trackQuery(id))
  const [showsAll, setShowsAll] = useState(false)
  // What was typed stays where only reading it again has failed.
  if (!data) return error ? <Failed error={error} what="the positions" retry={() => void refetch()} /> : null
  const { positions } = data
  const columns: Column<Position>[] = [
    { label: 'When', show: ({ at }) => timeOf(at) },
    { label: 'Source', show: ({ source }) => wordsOf(source) },
    { label: 'Place', show: placeOf },
    {
      label: 'Speed',
      end: true,
      show: ({ speed_kmh }) => (speed_kmh === null ? '–' : `${Math.round(speed_kmh)} km/h`),
    },
    { label: 'Note', show: ({ note }) => note ?? '–' },
  ]
  return (
    <Panel title="Positions and check calls">
      <CheckCallForm id={id} />
      {positions.length === 0 ? (
        <Text size="sm" c="dimmed">
          None yet.
        </Text>
      ) : (
        <DataTable
          label="Positions"
          columns={columns}
          rows={showsAll ? positions : positions.slice(0, few)}
          keyOf={({ at, source }) => `${at} ${source}`}
        />
      )}
      {!showsAll && positions.length > few && (
        <Button mt="sm" size="xs" variant="default" onClick={() => setShowsAll(true)}>
          Show all {positions.length}
        </Button>
      )}
    </Panel>
  )
}

function placeOf({ place, latitude, longitude }: Position): string {
  const at = latitude === null || longitude === null ? null : `${latitude.toFixed(4)}, ${longitude.toFixed(4)}`
  return [place, at].filter(Boolean).join(' · ') || '–'
}

function CheckCallForm({ id }: { id: string }) {
  const [note, setNote] = useState('')
  const [place, setPlace] = useState('')
  const [coordinates, setCoordinates] = useState('')
  const call = useCheckCall(id)
  const read = coordinatesIn(coordinates)
  const isEmpty = note.trim() === '' && place.trim() === '' && coordinates.trim() === ''
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (read === 'wrong' || isEmpty) return
    call.mutate(
      {
        note: note.trim() || null,
        place: place.trim() || null,
        latitude: read?.latitude ?? null,
        longitude: read?.longitude ?? null,
      },
      {
        onSuccess: () => {
          setNote('')
          setPlace('')
          setCoordinates('')
          notifications.show({ message: 'Check call recorded.' })
        },
      },
    )
  }
  return (
    <form onSubmit={submit} aria-label="Check call">
      <Group align="flex-end" gap="xs" mb="md">
        <TextInput
          label="Note"
          maxLength={1000}
          flex={2}
          miw={180}
          value={note}
          onChange={({ currentTarget: { value } }) => setNote(value)}
        />
        <TextInput
          label="Place"
          maxLength={255}
          flex={1}
          miw={140}
          value={place}
          onChange={({ currentTarget: { value } }) => setPlace(value)}
        />
        <TextInput
          label="Coordinates"
          placeholder="44.05, -123.09"
          flex={1}
          miw={140}
          value={coordinates}
          error={read === 'wrong' ? 'Latitude and longitude, with a comma between them.' : null}
          onChange={({ currentTarget: { value } }) => setCoordinates(value)}
        />
        <Button type="submit" variant="default" loading={call.isPending} disabled={isEmpty}>
          Record check call
        </Button>
      </Group>
      {call.error ? <Failed error={call.error} /> : null}
    </form>
  )
}
