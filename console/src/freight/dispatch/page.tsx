import { Group, SegmentedControl } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { Page } from '../../app/parts/page.tsx'
import { StateBadge, type Tone } from '../../app/parts/state-badge.tsx'
import { TableSkeleton } from '../../app/table/data-table.tsx'
import type { LiveState } from '../../developers/events/use-live.ts'
import { BoardView } from './board/board-view.tsx'
import { Filters } from './filters.tsx'
import { PlanDrawer } from './plan/plan-drawer.tsx'
import { TimelineView } from './timeline/timeline-view.tsx'
import { type Change, type DispatchSearch, dispatchPath, withoutEmpty } from './trips/search.ts'
import { useDispatchLive } from './use-dispatch-live.ts'

/** With the outlines of states and countries, which nobody needs who looks at the board. */
const MapView = lazy(() => import('./map/map-view.tsx').then((module) => ({ default: module.MapView })))

const views = [
  { value: 'board', label: 'Board' },
  { value: 'timeline', label: 'Timeline' },
  { value: 'map', label: 'Map' },
]

const liveWords: Record<LiveState, { words: string; tone: Tone }> = {
  live: { words: 'Live', tone: 'done' },
  connecting: { words: 'Connecting', tone: 'attention' },
  off: { words: 'Paused', tone: 'quiet' },
}

export function DispatchPage() {
  const search = useSearch({ strict: false }) as DispatchSearch
  const navigate = useNavigate()
  const live = useDispatchLive()
  const change: Change = (part) =>
    void navigate({ to: dispatchPath, search: withoutEmpty({ ...search, ...part }) as never })
  const open = (id: string) => change({ open: id })
  return (
    <Page
      title="Dispatch"
      lead="Plan orders, move manifests, and see which are late."
      actions={
        <Group gap="sm">
          <StateBadge {...liveWords[live]} />
          <SegmentedControl
            aria-label="View"
            data={views}
            value={search.view ?? 'board'}
            onChange={(view) => change({ view: view === 'board' ? undefined : view })}
          />
        </Group>
      }
    >
      <Filters search={search} change={change} />
      {!search.view && <BoardView search={search} open={open} />}
      {search.view === 'timeline' && <TimelineView search={search} change={change} open={open} />}
      {search.view === 'map' && (
        <Suspense fallback={<TableSkeleton rows={8} />}>
          <MapView search={search} open={open} />
        </Suspense>
      )}
      {search.open && <PlanDrawer key={search.open} id={search.open} close={() => change({ open: undefined })} />}
    </Page>
  )
}
