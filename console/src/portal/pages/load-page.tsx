import { answered } from '../../app/api/problem.ts'
import { Facts, State, Title, Trouble, Waiting } from '../parts/parts.tsx'
import { freightFacts, laneOf, statusWords } from '../parts/words.ts'
import { useAsked } from '../session/asking.ts'
import { openTenders } from '../session/reading.ts'
import { lading } from '../session/session.ts'
import { DocumentsCard } from './documents-card.tsx'
import { StopCard } from './stop-card.tsx'
import { TenderCard } from './tender-card.tsx'

async function askLoad(manifestID: string) {
  const [{ manifest }, tenders] = await Promise.all([
    answered(lading.GET('/api/v1/portal/manifests/{manifestID}', { params: { path: { manifestID } } })),
    openTenders(),
  ])
  return { load: manifest, tender: tenders.find(({ manifest_id }) => manifest_id === manifestID) }
}

/** A load: its tender while it is offered, then its stops and documents. */
export function LoadPage({ id }: { id: string }) {
  const { data, problem, again } = useAsked(`load ${id}`, () => askLoad(id))
  if (!data)
    return (
      <>
        <Title>Load</Title>
        {problem ? <Trouble words={problem} again={() => void again()} /> : <Waiting />}
      </>
    )
  const { load, tender } = data
  const isAssigned = load.relation === 'assigned'
  return (
    <>
      <Title>{laneOf(load) || load.full_id}</Title>
      <p>
        <State tone="open">{isAssigned ? (statusWords[load.status] ?? load.status) : 'Offered to you'}</State>
      </p>
      <Trouble words={problem} again={() => void again()} />
      {tender && <TenderCard tender={tender} again={again} onLoad />}
      <Facts
        facts={[
          ['Load', [load.full_id, load.reference_number].filter(Boolean).join(' · ')],
          // While it is offered, the card of the offer says it.
          ...(tender ? [] : freightFacts(load)),
          ['Driver', [load.driver_name, load.driver_phone].filter(Boolean).join(' · ')],
        ]}
      />
      <h2>Stops</h2>
      {load.stops.length === 0 && <p className="quiet">No stops are planned yet.</p>}
      <ol className="stops">
        {load.stops.map((stop) => (
          <li key={stop.id}>
            <StopCard load={load} stop={stop} again={again} />
          </li>
        ))}
      </ol>
      {isAssigned && <DocumentsCard manifestId={id} />}
    </>
  )
}
