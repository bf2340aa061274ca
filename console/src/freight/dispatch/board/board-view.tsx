import { Badge, Text, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type DragEvent, useState } from 'react'
import { wordsFor } from '../../../app/api/problem.ts'
import { Failed } from '../../../app/parts/failed.tsx'
import { TableSkeleton } from '../../../app/table/data-table.tsx'
import { wordsOf } from '../../../records/kinds/kind.ts'
import { useAddOrders, useBoard } from '../trips/queries.ts'
import type { DispatchSearch } from '../trips/search.ts'
import { countOf, type Trip } from '../trips/trip.ts'
import { useMoving } from '../trips/use-moving.tsx'
import styles from './board.module.css'
import { warnOf } from './findings.tsx'
import { OrdersPanel } from './orders-panel.tsx'
import { orderDrag, TripCard } from './trip-card.tsx'

/** Manifests by state, in columns, and next to them the orders that wait for one. */
export function BoardView({ search, open }: { search: DispatchSearch; open: (id: string) => void }) {
  const { states, trips, error, refetch, isLoaded, hidden } = useBoard(search)
  return (
    <div className={styles.layout}>
      <OrdersPanel trips={trips} open={open} />
      {error ? (
        <Failed error={error} what="the manifests" retry={refetch} />
      ) : isLoaded ? (
        <div style={{ minWidth: 0 }}>
          <Columns states={states} trips={trips} open={open} />
          {hidden > 0 && (
            <Text size="sm" c="dimmed">
              {countOf(hidden, 'more manifest', 'more manifests')} match. Use the search or the filters to find them.
            </Text>
          )}
        </div>
      ) : (
        <TableSkeleton rows={8} />
      )}
    </div>
  )
}

type ColumnsProps = { states: readonly string[]; trips: readonly Trip[]; open: (id: string) => void }

function Columns({ states, trips, open }: ColumnsProps) {
  const { move, pending, dialog } = useMoving()
  const [dragged, setDragged] = useState<Trip | null>(null)
  const addOrders = useAddOrders()
  const add = (trip: Trip, order_ids: string[]) =>
    addOrders.mutate(
      { id: trip.id, order_ids },
      {
        onSuccess: ({ planning_findings }) => {
          notifications.show({ message: `${countOf(order_ids.length, 'order')} put on ${trip.full_id}.` })
          warnOf(trip.full_id, planning_findings)
        },
        onError: (error) =>
          notifications.show({ title: 'The orders were not planned', message: wordsFor(error), color: 'red.9' }),
      },
    )
  const drop = (state: string) => (trip: Trip) => {
    setDragged(null)
    move(trip, state)
  }
  // While something is dragged the pointer is silent; a card that went away meanwhile does not say that the drag has ended.
  const ended = () => dragged && setDragged(null)
  const stateOf = (trip: Trip) => (trip.id === pending?.trip.id ? pending.to : trip.status)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
    <section className={styles.columns} aria-label="Manifests by state" tabIndex={0} onPointerMove={ended}>
      {states.map((state) => (
        <Column key={state} state={state} dragged={dragged} drop={drop(state)}>
          {trips
            .filter((trip) => stateOf(trip) === state)
            .map((trip) => (
              <li key={trip.id}>
                <TripCard
                  trip={trip}
                  isPending={trip.id === pending?.trip.id}
                  open={open}
                  move={move}
                  drag={setDragged}
                  add={add}
                />
              </li>
            ))}
        </Column>
      ))}
      {dialog}
    </section>
  )
}

type ColumnProps = { state: string; dragged: Trip | null; drop: (trip: Trip) => void; children: React.ReactNode[] }

function Column({ state, dragged, drop, children }: ColumnProps) {
  const [isOver, setOver] = useState(false)
  const allowed =
    dragged && dragged.status !== state
      ? dragged.moves.includes(state)
        ? isOver
          ? 'over'
          : 'allowed'
        : 'refused'
      : undefined
  const over = (event: DragEvent) => {
    if (!dragged || dragged.status === state || event.dataTransfer.types.includes(orderDrag)) return
    event.preventDefault()
    setOver(true)
  }
  const words = wordsOf(state)
  return (
    <section
      className={styles.column}
      aria-label={words}
      data-drop={allowed}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false)
        if (!dragged || dragged.status === state) return
        event.preventDefault()
        drop(dragged)
      }}
    >
      <div className={styles.heading}>
        <Title order={2} fz="sm">
          {words}
        </Title>
        <Badge variant="default" aria-label={countOf(children.length, 'manifest')}>
          {children.length}
        </Badge>
      </div>
      {children.length > 0 ? (
        <ul className={styles.list}>{children}</ul>
      ) : (
        <Text size="xs" c="dimmed">
          None.
        </Text>
      )}
    </section>
  )
}
