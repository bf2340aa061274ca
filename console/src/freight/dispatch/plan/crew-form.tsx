import { Button, Group, SimpleGrid, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type FormEvent, useEffect, useState } from 'react'
import { fieldErrors, Problem } from '../../../app/api/problem.ts'
import { NotSaved } from '../../../app/editing/not-saved.tsx'
import { ReferenceInput } from '../../../records/form/reference-input.tsx'
import { type Crew, useAssign } from '../trips/queries.ts'
import type { Trip } from '../trips/trip.ts'

const fields = ['partner_carrier_id', 'driver_name', 'driver_phone', 'equipment_id'] as const
type Values = Record<(typeof fields)[number], string>

/** Who drives it, and what. A driver or a unit that another manifest has at that time is refused, where the organization refuses double bookings. */
export function CrewForm({ trip, onTyped }: { trip: Trip; onTyped: (isTyped: boolean) => void }) {
  const before: Values = {
    partner_carrier_id: trip.partner_carrier?.id ?? '',
    driver_name: trip.driver_name ?? '',
    driver_phone: trip.driver_phone ?? '',
    equipment_id: trip.equipment?.id ?? '',
  }
  const [values, setValues] = useState(before)
  const assign = useAssign(trip)
  const { byField, rest } = assign.error
    ? fieldErrors(assign.error, fields)
    : { byField: {} as Record<string, string>, rest: null }
  const set = (field: keyof Values) => (value: string) => setValues((all) => ({ ...all, [field]: value }))
  const isSame = fields.every((field) => values[field].trim() === before[field])
  useEffect(() => {
    onTyped(!isSame)
    return () => onTyped(false)
  }, [isSame, onTyped])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const crew = Object.fromEntries(fields.map((field) => [field, values[field].trim() || null])) as Crew
    // By the promise: what is assigned is read again, and then this form is another.
    assign.mutateAsync(crew).then(
      () => notifications.show({ message: `${trip.full_id} was assigned.` }),
      () => {},
    )
  }
  const isOutdated = assign.error instanceof Problem && assign.error.status === 412
  return (
    <form onSubmit={submit} aria-label="Carrier, driver and equipment" noValidate>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <ReferenceInput
          label="Carrier"
          objectKey="partner"
          value={values.partner_carrier_id}
          error={byField.partner_carrier_id}
          onChange={set('partner_carrier_id')}
        />
        <ReferenceInput
          label="Equipment"
          objectKey="equipment"
          value={values.equipment_id}
          error={byField.equipment_id}
          onChange={set('equipment_id')}
        />
        <TextInput
          label="Driver"
          autoComplete="off"
          maxLength={255}
          value={values.driver_name}
          error={byField.driver_name}
          onChange={({ currentTarget }) => set('driver_name')(currentTarget.value)}
        />
        <TextInput
          label="Driver’s phone"
          autoComplete="off"
          maxLength={255}
          value={values.driver_phone}
          error={byField.driver_phone}
          onChange={({ currentTarget }) => set('driver_phone')(currentTarget.value)}
        />
      </SimpleGrid>
      <NotSaved
        problem={rest && isOutdated ? 'Somebody changed this manifest meanwhile. Look at it, and assign again.' : rest}
        title="Nothing was assigned"
      />
      <Group mt="sm">
        <Button type="submit" size="xs" loading={assign.isPending} disabled={isSame}>
          Assign
        </Button>
      </Group>
    </form>
  )
}
