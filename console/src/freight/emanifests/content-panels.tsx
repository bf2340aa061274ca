import { Divider, SimpleGrid, Text } from '@mantine/core'
import { Fact } from '../../app/parts/fact.tsx'
import { Panel } from '../../app/parts/panel.tsx'
import { timeOf } from '../../app/values/dates.ts'
import { NamedObjectLink } from '../../records/kinds/object-name.tsx'
import {
  commodityFields,
  documentFields,
  driverFields,
  parties,
  partyFields,
  shipmentFields,
  tractorFields,
  trailerFields,
} from './fields.ts'
import { MissingPart, useMissing } from './missing.tsx'
import type { Emanifest } from './queries.ts'
import { ShownPart } from './shown-part.tsx'
import { borderWords } from './words.ts'

/** What customs is told, with what is missing at each place. */
export function ContentPanels({ emanifest }: { emanifest: Emanifest }) {
  const { driver, tractor, trailers } = emanifest
  return (
    <>
      <Trip emanifest={emanifest} />
      <Panel title="Driver">
        <MissingPart path="driver" />
        {driver && <ShownPart path="driver" fields={driverFields} part={driver} />}
        <MissingPart path="driver.documents" />
        {driver?.documents.map((document, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they have no name of their own
          <ShownPart key={index} path={`driver.documents.${index}`} fields={documentFields} part={document} />
        ))}
      </Panel>
      <Panel title="Truck and trailers">
        <MissingPart path="tractor" />
        {tractor && <ShownPart path="tractor" fields={tractorFields} part={tractor} />}
        {trailers.map((trailer, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they have no name of their own
          <div key={index}>
            <Divider mb="sm" label={`Trailer ${index + 1}`} labelPosition="left" />
            <ShownPart path={`trailers.${index}`} fields={trailerFields} part={trailer} />
          </div>
        ))}
      </Panel>
      <Panel title="Shipments">
        <MissingPart path="shipments" />
        <MissingPart path="is_empty" />
        {emanifest.is_empty && <Text size="sm">The truck crosses without freight.</Text>}
        {emanifest.shipments.map((_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they have no name of their own
          <Shipment key={index} emanifest={emanifest} index={index} />
        ))}
      </Panel>
    </>
  )
}

const tripFields = [
  { name: 'trip_number', label: 'Trip number' },
  { name: 'carrier_code', label: 'Carrier code' },
  { name: 'port', label: 'Port' },
]

function Trip({ emanifest }: { emanifest: Emanifest }) {
  const { border, crossing_at, manifest_id } = emanifest
  const missing = useMissing('crossing_at')
  return (
    <Panel title="Trip">
      <ShownPart path="" fields={tripFields} part={emanifest} />
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm">
        <Fact label="Border">{borderWords[border]}</Fact>
        <Fact label="Crosses">
          {crossing_at ? timeOf(crossing_at) : '–'}
          {missing && (
            <Text size="xs" c="var(--mantine-color-error)">
              {missing}
            </Text>
          )}
        </Fact>
        <Fact label="Manifest">
          <NamedObjectLink objectKey="manifest" id={manifest_id} />
        </Fact>
      </SimpleGrid>
    </Panel>
  )
}

function Shipment({ emanifest, index }: { emanifest: Emanifest; index: number }) {
  const shipment = emanifest.shipments[index] as Emanifest['shipments'][number]
  const at = `shipments.${index}`
  return (
    <section aria-label={`Shipment ${index + 1}`}>
      <Divider mb="sm" label={`Shipment ${index + 1}`} labelPosition="left" />
      <ShownPart path={at} fields={shipmentFields(emanifest.border, shipment.type === 'in_bond')} part={shipment} />
      {(Object.keys(parties) as (keyof typeof parties)[]).map((role) => (
        <div key={role}>
          {(shipment[role] || role !== 'broker') && (
            <Text size="sm" fw={600} mb={4}>
              {parties[role]}
            </Text>
          )}
          <MissingPart path={`${at}.${role}`} />
          {shipment[role] && <ShownPart path={`${at}.${role}`} fields={partyFields} part={shipment[role]} />}
        </div>
      ))}
      <Text size="sm" fw={600} mb={4}>
        Goods
      </Text>
      <MissingPart path={`${at}.commodities`} />
      {shipment.commodities.map((commodity, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they have no name of their own
        <ShownPart key={place} path={`${at}.commodities.${place}`} fields={commodityFields} part={commodity} />
      ))}
    </section>
  )
}
