import { useEffect, useState } from 'react'
import { answered } from '../../app/api/problem.ts'
import { dockSpanOf, dockTimeOf } from '../../app/values/dates.ts'
import { nextIn, openBefore } from '../../app/values/stop-order.ts'
import { Card, Facts, Trouble } from '../parts/parts.tsx'
import { type Load, placeOf, type Stop, stopWords, streetOf } from '../parts/words.ts'
import { useDoing } from '../session/asking.ts'
import { lading } from '../session/session.ts'

type Verb = 'arrive' | 'depart'
type StopCardProps = { load: Load; stop: Stop; again: () => Promise<void> }

/** A stop and what the driver reports of it. Only the next one is one tap; another asks first and names what it passes over. */
export function StopCard({ load, stop, again }: StopCardProps) {
  const { run, isBusy, problem } = useDoing()
  const [asking, setAsking] = useState(false)
  const { kind, address, window_start, window_end, arrived_at, departed_at, reference_numbers, time_zone } = stop
  const stops = load.stops.map((one) => ({ ...one, arrived: one.arrived_at, departed: one.departed_at }))
  const passed = openBefore(stops, stop.id)
  const isNext = nextIn(stops)?.id === stop.id && passed.length === 0
  const verb: Verb = arrived_at ? 'depart' : 'arrive'
  const label = verb === 'arrive' ? 'I have arrived' : 'I am leaving'
  const at = { params: { path: { manifestID: load.id, stopID: stop.id } } }
  const report = async (skip_stops: boolean) => {
    await run(() =>
      verb === 'arrive'
        ? answered(
            lading.POST('/api/v1/portal/manifests/{manifestID}/stops/{stopID}/arrive', { ...at, body: { skip_stops } }),
          )
        : answered(
            lading.POST('/api/v1/portal/manifests/{manifestID}/stops/{stopID}/depart', { ...at, body: { skip_stops } }),
          ),
    )
    setAsking(false)
    // Also where it was refused: others may have reported since.
    await again()
  }
  const undo = async () => {
    const last = departed_at ? 'departure' : 'arrival'
    await run(() =>
      answered(
        lading.POST('/api/v1/portal/manifests/{manifestID}/stops/{stopID}/undo', { ...at, body: { report: last } }),
      ),
    )
    await again()
  }
  const place = streetOf(address)
  const isAssigned = load.relation === 'assigned'
  return (
    <Card title={`${stopWords[kind]}${place ? `: ${place}` : ''}`}>
      <Facts
        facts={[
          ['Window', dockSpanOf(window_start, window_end, time_zone)],
          ['Numbers', reference_numbers.join(', ')],
          ['Arrived', arrived_at && dockTimeOf(arrived_at, time_zone)],
          ['Departed', departed_at && dockTimeOf(departed_at, time_zone)],
        ]}
      />
      <Trouble words={problem} />
      {isAssigned && !departed_at && !asking && (
        <div className="buttons">
          <button
            type="button"
            className={isNext ? 'main' : ''}
            disabled={isBusy}
            onClick={() => (isNext ? void report(false) : setAsking(true))}
          >
            {label}
          </button>
        </div>
      )}
      {asking && (
        <Question
          label={label}
          passed={passed}
          isBusy={isBusy}
          yes={() => void report(passed.length > 0)}
          no={() => setAsking(false)}
        />
      )}
      {isAssigned && !asking && (
        <Undo
          until={stop.undo_until}
          zone={time_zone}
          isBusy={isBusy}
          what={departed_at ? 'departure' : 'arrival'}
          undo={() => void undo()}
        />
      )}
    </Card>
  )
}

type QuestionProps = { label: string; passed: readonly Stop[]; isBusy: boolean; yes: () => void; no: () => void }

function Question({ label, passed, isBusy, yes, no }: QuestionProps) {
  return (
    <fieldset className="question">
      <legend>This is not the next stop</legend>
      {passed.length > 0 && (
        <>
          <p>Not done yet:</p>
          <ul>
            {passed.map(({ id, sequence, kind, address }) => (
              <li key={id}>
                {sequence}. {stopWords[kind]}
                {placeOf(address) && `, ${placeOf(address)}`}
              </li>
            ))}
          </ul>
        </>
      )}
      <div className="buttons">
        <button type="button" className="main" disabled={isBusy} onClick={no}>
          Go back
        </button>
        <button type="button" disabled={isBusy} onClick={yes}>
          {label} here, although it is not the next
        </button>
      </div>
    </fieldset>
  )
}

type UndoProps = { until: string | null; zone: string; isBusy: boolean; what: string; undo: () => void }

/** Shown as long as the server would take it back. */
function Undo({ until, zone, isBusy, what, undo }: UndoProps) {
  const [now, setNow] = useState(Date.now())
  const left = until ? Date.parse(until) - now : 0
  useEffect(() => {
    if (left <= 0) return
    const timer = setTimeout(() => setNow(Date.now()), Math.min(left, 30_000))
    return () => clearTimeout(timer)
  }, [left])
  if (!until || left <= 0) return null
  return (
    <div className="buttons">
      <button type="button" disabled={isBusy} onClick={undo}>
        Undo the {what} (until {dockTimeOf(until, zone)})
      </button>
    </div>
  )
}
