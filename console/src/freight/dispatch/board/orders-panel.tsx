import { Button, Checkbox, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { IconPlus } from '../../../app/icons/icons.ts'
import { Select } from '../../../app/inputs/select.tsx'
import { Failed } from '../../../app/parts/failed.tsx'
import { Panel } from '../../../app/parts/panel.tsx'
import { DockSpan, DockTime } from '../../../app/parts/when.tsx'
import { SearchField } from '../../../app/table/search-field.tsx'
import { wordsOf } from '../../../records/kinds/kind.ts'
import { useAddOrders, usePlan, waitingQuery } from '../trips/queries.ts'
import { countOf, nameOf, type OrderToPlan, stopsOf, type Trip, townOf } from '../trips/trip.ts'
import { warnOf } from './findings.tsx'
import styles from './orders-panel.module.css'
import { orderDrag } from './trip-card.tsx'

type OrdersPanelProps = { trips: readonly Trip[]; open: (id: string) => void }

/** The orders that no manifest carries: choose some, and make a manifest of them or add them to one. They can be dragged onto a manifest too. */
export function OrdersPanel({ trips, open }: OrdersPanelProps) {
  const [term, setTerm] = useState('')
  const [chosen, setChosen] = useState<readonly string[]>([])
  const { data, error, refetch } = useQuery(waitingQuery(term))
  const orders = data?.orders ?? []
  // One that somebody else has planned meanwhile is not chosen any more.
  const selected = chosen.filter((id) => orders.some((order) => order.id === id))
  const toggle = (id: string) =>
    setChosen(selected.includes(id) ? selected.filter((one) => one !== id) : [...selected, id])
  return (
    <Panel title="Orders to plan">
      <SearchField label="Search orders" value={term} change={setTerm} />
      {error ? <Failed error={error} what="the orders" retry={() => void refetch()} /> : null}
      {data?.total === 0 && (
        <Text size="sm" c="dimmed">
          {term ? 'No order matches.' : 'Every order is on a manifest.'}
        </Text>
      )}
      <Planning selected={selected} trips={trips} open={open} done={() => setChosen([])} />
      {orders.length > 0 && (
        <ul className={styles.list} aria-label="Orders to plan">
          {orders.map((order) => (
            <li key={order.id}>
              <Order
                order={order}
                isChosen={selected.includes(order.id)}
                toggle={() => toggle(order.id)}
                dragged={selected.includes(order.id) ? selected : [order.id]}
              />
            </li>
          ))}
        </ul>
      )}
      {data && data.total > orders.length && (
        <Text size="sm" c="dimmed" mt="xs">
          {countOf(data.total - orders.length, 'more order', 'more orders')} wait. Search to find them.
        </Text>
      )}
    </Panel>
  )
}

type OrderProps = { order: OrderToPlan; isChosen: boolean; toggle: () => void; dragged: readonly string[] }

function Order({ order, isChosen, toggle, dragged }: OrderProps) {
  const {
    full_id,
    reference_number,
    customer,
    pickup_at,
    pickup_time_zone,
    deliver_at,
    deliver_by,
    delivery_time_zone,
    commodity,
    equipment_type,
    weight,
    weight_unit,
    hazardous,
  } = order
  const freight = [
    commodity,
    weight !== null && `${weight.toLocaleString()} ${weight_unit ?? ''}`.trim(),
    equipment_type && wordsOf(equipment_type),
  ]
  return (
    <article
      className={styles.order}
      aria-label={full_id}
      draggable
      data-chosen={isChosen || undefined}
      onDragStart={(event) => {
        event.dataTransfer.setData(orderDrag, dragged.join())
        event.dataTransfer.effectAllowed = 'move'
      }}
    >
      <Checkbox
        checked={isChosen}
        onChange={toggle}
        label={
          <>
            <b>{full_id}</b> {reference_number && reference_number !== full_id && <span>{reference_number}</span>}
          </>
        }
      />
      <Text size="sm">{[...new Set(endsOf(order))].join(' → ')}</Text>
      <Text size="xs" c="dimmed">
        {customer?.name}
        {pickup_at && (
          <>
            {customer && ' · '}pickup from <DockTime at={pickup_at} zone={pickup_time_zone} />
          </>
        )}
        {(deliver_at || deliver_by) && (
          <>
            {' · '}delivery <DockSpan from={deliver_at} until={deliver_by} zone={delivery_time_zone} />
          </>
        )}
      </Text>
      <Text size="xs" c="dimmed">
        {[...freight, hazardous && 'Hazardous'].filter(Boolean).join(' · ')}
      </Text>
    </article>
  )
}

function endsOf({ pickup, delivery, stops }: OrderToPlan): string[] {
  if (stops.length === 0) return [townOf(pickup ?? {}), townOf(delivery ?? {})]
  const towns = stopsOf({ stops } as Pick<Trip, 'stops'>).map(({ town }) => town)
  return [towns[0] ?? '–', towns.at(-1) ?? '–']
}

type PlanningProps = {
  selected: readonly string[]
  trips: readonly Trip[]
  open: (id: string) => void
  done: () => void
}

const planable = ['active', 'planned', 'dispatched']

function Planning({ selected, trips, open, done }: PlanningProps) {
  const [plan, add] = [usePlan(), useAddOrders()]
  if (selected.length === 0) return plan.error ? <Failed error={plan.error} /> : null
  const order_ids = [...selected]
  const choices = trips
    .filter(({ status }) => planable.includes(status))
    .map((trip) => ({ value: trip.id, label: nameOf(trip) }))
  const create = () =>
    plan.mutate(order_ids, {
      onSuccess: ({ id, full_id, findings }) => {
        done()
        notifications.show({ message: `${full_id} was planned. Assign a carrier and a driver.` })
        warnOf(full_id, findings)
        open(id)
      },
    })
  const addTo = (id: string | null) => {
    const trip = trips.find((one) => one.id === id)
    if (!trip) return
    add.mutate(
      { id: trip.id, order_ids },
      {
        onSuccess: ({ planning_findings }) => {
          done()
          notifications.show({ message: `${countOf(order_ids.length, 'order')} put on ${trip.full_id}.` })
          warnOf(trip.full_id, planning_findings)
        },
      },
    )
  }
  return (
    <Stack gap="xs" mb="sm" role="group" aria-label="Plan the chosen orders">
      <Text size="sm" role="status">
        {countOf(selected.length, 'order')} chosen
      </Text>
      <Button leftSection={<IconPlus size={16} aria-hidden />} loading={plan.isPending} onClick={create}>
        New manifest
      </Button>
      <Select
        aria-label="Add to manifest"
        placeholder="Add to …"
        choices={choices}
        value={null}
        onChange={addTo}
        disabled={add.isPending}
      />
      {plan.error ? <Failed error={plan.error} /> : null}
      {add.error ? <Failed error={add.error} /> : null}
    </Stack>
  )
}
