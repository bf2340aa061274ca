import { dockTimeOf } from '../../app/values/dates.ts'
import { State, Title, Trouble, Waiting } from '../parts/parts.tsx'
import { Go } from '../parts/places.tsx'
import { type Load, laneOf, statusWords } from '../parts/words.ts'
import { useAsked } from '../session/asking.ts'
import { everyLoad, openTenders } from '../session/reading.ts'
import { TenderCard } from './tender-card.tsx'

async function askHome() {
  const [tenders, manifests] = await Promise.all([openTenders(), everyLoad()])
  return { tenders, loads: manifests.filter(({ relation }) => relation === 'assigned') }
}

/** What is offered, and the loads of the carrier; those that are over come last. */
export function HomePage() {
  const { data, problem, again } = useAsked('home', askHome)
  return (
    <>
      <Title>Loads</Title>
      <Trouble words={problem} again={() => void again()} />
      {!data && !problem && <Waiting />}
      {data && data.tenders.length > 0 && (
        <section aria-label="Offers">
          <h2>Offers</h2>
          {data.tenders.map((tender) => (
            <TenderCard key={tender.id} tender={tender} again={again} />
          ))}
        </section>
      )}
      {data && (
        <section aria-label="Your loads">
          <h2>Your loads</h2>
          {data.loads.length === 0 && <p className="quiet">You have no loads yet.</p>}
          <ul className="list">
            {data.loads
              .toSorted((one, other) => Number(isOver(one.status)) - Number(isOver(other.status)))
              .map(({ id, full_id, reference_number, status, pickup_window, ...lane }) => (
                <li key={id}>
                  <Go to={`/portal/loads/${id}`}>
                    <strong>{laneOf(lane) || full_id}</strong>
                    <span>{[full_id, reference_number, pickupOf(pickup_window)].filter(Boolean).join(' · ')}</span>
                    <State tone={isOver(status) ? 'quiet' : 'open'}>{statusWords[status] ?? status}</State>
                  </Go>
                </li>
              ))}
          </ul>
        </section>
      )}
    </>
  )
}

/** By the clock at the dock, as its page says it. */
function pickupOf(window: Load['pickup_window']): string | null {
  const at = window?.from ?? window?.until
  return window && at ? dockTimeOf(at, window.time_zone, { withYear: true }) : null
}

function isOver(status: string): boolean {
  return ['completed', 'cancelled', 'inactive'].includes(status)
}
