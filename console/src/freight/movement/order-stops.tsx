import { Panel } from '../../app/parts/panel.tsx'
import { stopIn } from './stop.ts'
import { StopsTable } from './stops-table.tsx'

/** The stops of an order that has some of its own; reports are made on the manifest that carries it. */
export function OrderStops({ stops }: { stops: unknown }) {
  if (!Array.isArray(stops) || stops.length === 0) return null
  return (
    <Panel title="Stops">
      <StopsTable stops={stops.map(stopIn)} />
    </Panel>
  )
}
