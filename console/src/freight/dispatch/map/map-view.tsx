import { ActionIcon, Text } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { geoMercator, geoPath } from 'd3-geo'
import { useMemo } from 'react'
import { IconMinus, IconPlus, IconZoomReset } from '../../../app/icons/icons.ts'
import { Failed } from '../../../app/parts/failed.tsx'
import { TableSkeleton } from '../../../app/table/data-table.tsx'
import { exactTimeOf } from '../../../app/values/dates.ts'
import { wordsOf } from '../../../records/kinds/kind.ts'
import { durationOf } from '../../movement/stop.ts'
import { positionOf } from '../trips/days.ts'
import { filtersOf, mapInterval, tripsQuery } from '../trips/queries.ts'
import { type DispatchSearch, statesIn } from '../trips/search.ts'
import { countOf, crewOf, wayOf } from '../trips/trip.ts'
import { useNow } from '../trips/use-now.ts'
import { type Area, areasQuery } from './atlas.ts'
import styles from './map.module.css'
import { MarkerShape } from './marker-shape.tsx'
import { type DrawnTrip, drawnOf, type MarkerState, placesIn } from './markers.ts'
import { useZoom } from './use-zoom.ts'

const width = 960
/** On a phone it is higher than wide. */
const heights = { wide: 560, narrow: 1180 }
const narrow = 600
const margin = 48

/** Where manifests are and where they go, on a map that is part of the product. */
export function MapView({ search, open }: { search: DispatchSearch; open: (id: string) => void }) {
  // Those that are over are nowhere any more, unless somebody asks for them.
  const status = search.status ? [...statesIn(search)] : undefined
  const { data, error, refetch, dataUpdatedAt } = useQuery({
    ...tripsQuery({ ...filtersOf(search), ...(status && { status }) }),
    refetchInterval: mapInterval,
  })
  const now = useNow()
  const atlas = useQuery(areasQuery)
  if (error) return <Failed error={error} what="the manifests" retry={() => void refetch()} />
  if (atlas.error) return <Failed error={atlas.error} what="the map" retry={() => void atlas.refetch()} />
  if (!data || !atlas.data) return <TableSkeleton rows={8} />
  const drawn = drawnOf(data.manifests)
  const missing = data.total - drawn.length
  return (
    <>
      <Legend />
      <Drawing areas={atlas.data} drawn={drawn} open={open} now={now} />
      <Text size="sm" c="dimmed" mt="xs">
        Positions were read at {exactTimeOf(new Date(dataUpdatedAt).toISOString())}. Point at one to see of when its
        position is.
      </Text>
      {missing > 0 && (
        <Text size="sm" c="dimmed" mt="xs">
          {countOf(missing, 'manifest')} cannot be drawn: without coordinates of a stop and without a position, or
          beyond the first {data.manifests.length}.
        </Text>
      )}
    </>
  )
}

const words: Record<MarkerState, string> = { late: 'Late', moving: 'Under way, in time', waiting: 'Not under way' }

function Legend() {
  return (
    <div className={styles.legend}>
      {(Object.keys(words) as MarkerState[]).map((standing) => (
        <span key={standing}>
          <svg width="18" height="18" viewBox="-9 -9 18 18" aria-hidden>
            <MarkerShape standing={standing} size={7} />
          </svg>
          {words[standing]}
        </span>
      ))}
      <span>
        <svg width="14" height="14" viewBox="-7 -7 14 14" aria-hidden>
          <circle className={styles.stop} r="4" />
        </svg>
        Stop
      </span>
    </div>
  )
}

type DrawingProps = { areas: readonly Area[]; drawn: readonly DrawnTrip[]; open: (id: string) => void; now: number }

function Drawing({ areas, drawn, open, now }: DrawingProps) {
  const { ref: frame, width: shown } = useElementSize()
  const height = shown > 0 && shown < narrow ? heights.narrow : heights.wide
  const extent = JSON.stringify(placesIn(drawn).map((place) => place.map(Math.round)))
  // Drawn anew when other places come into view, not with every position: the outlines are long.
  const { projection, outlines } = useMemo(() => {
    const box: [[number, number], [number, number]] = [
      [margin, margin],
      [width - margin, height - margin],
    ]
    const projection = geoMercator().fitExtent(box, { type: 'MultiPoint', coordinates: JSON.parse(extent) })
    const path = geoPath(
      projection.clipExtent([
        [-width, -height],
        [2 * width, 2 * height],
      ]),
    ).digits(1)
    return {
      projection,
      outlines: areas.map(({ key, feature }) => ({ key, d: path(feature) ?? '' })).filter(({ d }) => d !== ''),
    }
  }, [areas, extent, height])
  // Markers have the same size on the screen, however large the drawing is shown.
  const scaleOf = (zoomed: number) => (shown > 0 ? width / shown : 1) / zoomed
  const { zoom, handlers, ref, by, reset } = useZoom(width, height)
  const at = ({ longitude, latitude }: { longitude: number; latitude: number }) =>
    projection([longitude, latitude]) ?? [0, 0]
  const line = (places: readonly { longitude: number; latitude: number }[]) =>
    places.map((place) => at(place).join(' ')).join('L')
  return (
    <div className={styles.frame} ref={frame}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is no drawing */}
      <svg
        ref={ref}
        className={styles.map}
        viewBox={`0 0 ${width} ${height}`}
        role="group"
        aria-label="Map of manifests"
        {...handlers}
      >
        <g transform={`translate(${zoom.x} ${zoom.y}) scale(${zoom.scale})`}>
          <g aria-hidden>
            {outlines.map(({ key, d }) => (
              <path key={key} className={styles.area} d={d} />
            ))}
            {drawn.map(({ trip, stops, standing }) =>
              stops.length > 1 ? (
                <path key={trip.id} className={styles.way} data-standing={standing} d={`M${line(stops)}`} />
              ) : null,
            )}
            {drawn.flatMap(({ stops }) =>
              stops.map((stop) => (
                <g key={stop.id} transform={`translate(${at(stop).join(' ')}) scale(${scaleOf(zoom.scale)})`}>
                  <circle className={styles.stop} r="4" data-done={stop.departedAt ? true : undefined}>
                    <title>{`${wordsOf(stop.kind)}, ${stop.place}`}</title>
                  </circle>
                </g>
              )),
            )}
          </g>
          {drawn.map((one) => (
            <g key={one.trip.id} transform={`translate(${at(one.at).join(' ')}) scale(${scaleOf(zoom.scale)})`}>
              <Marker drawn={one} open={open} now={now} />
            </g>
          ))}
        </g>
      </svg>
      <div className={styles.buttons}>
        <ActionIcon variant="default" size="lg" aria-label="Zoom in" onClick={() => by(1.6)}>
          <IconPlus size={18} aria-hidden />
        </ActionIcon>
        <ActionIcon variant="default" size="lg" aria-label="Zoom out" onClick={() => by(1 / 1.6)}>
          <IconMinus size={18} aria-hidden />
        </ActionIcon>
        <ActionIcon variant="default" size="lg" aria-label="Show all" onClick={reset}>
          <IconZoomReset size={18} aria-hidden />
        </ActionIcon>
      </div>
    </div>
  )
}

function Marker({
  drawn: { trip, standing },
  open,
  now,
}: {
  drawn: DrawnTrip
  open: (id: string) => void
  now: number
}) {
  const show = () => open(trip.id)
  const late = standing === 'late' ? `, ${durationOf(trip.delay_minutes as number)} late` : ''
  const label = `${trip.full_id}, ${wayOf(trip)}, ${wordsOf(trip.status)}${late}`
  const seen = trip.last_position && positionOf(trip.last_position.at, now)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a button cannot stand in a drawing
    <g
      role="button"
      tabIndex={0}
      aria-label={label}
      className={styles.marker}
      data-standing={standing}
      onClick={show}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return
        event.preventDefault()
        show()
      }}
    >
      <title>{[label, crewOf(trip), seen].filter(Boolean).join('\n')}</title>
      {/* Large enough for a finger. */}
      <circle r="14" fill="transparent" stroke="none" />
      <MarkerShape standing={standing} size={8} />
    </g>
  )
}
