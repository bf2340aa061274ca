import { Divider, Text } from '@mantine/core'
import { Panel } from '../../app/parts/panel.tsx'
import { commodityFields, parties, partyFields, shipmentFields } from './fields.ts'
import { AddButton, type EmanifestForm, EntryHead, PartInputs } from './inputs.tsx'
import { MissingPart } from './missing.tsx'
import type { Emanifest } from './queries.ts'
import { newCommodity, newShipment, type ShipmentValues } from './values.ts'

export function ShipmentsPanel({ form, border }: { form: EmanifestForm; border: Emanifest['border'] }) {
  const { shipments } = form.values
  return (
    <Panel title="Shipments">
      <MissingPart path="shipments" />
      {shipments.map((shipment, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they have no name of their own
        <ShipmentInputs key={index} form={form} border={border} shipment={shipment} index={index} />
      ))}
      {shipments.length < 200 && (
        <AddButton add={() => form.insertListItem('shipments', newShipment())}>Add a shipment</AddButton>
      )}
    </Panel>
  )
}

type ShipmentInputsProps = { form: EmanifestForm; border: Emanifest['border']; shipment: ShipmentValues; index: number }

function ShipmentInputs({ form, border, shipment, index }: ShipmentInputsProps) {
  const at = `shipments.${index}`
  const named = `shipment ${index + 1}`
  return (
    <section aria-label={`Shipment ${index + 1}`}>
      <Divider mb="sm" />
      <EntryHead title={`Shipment ${index + 1}`} remove={() => form.removeListItem('shipments', index)} />
      <PartInputs
        form={form}
        path={`${at}.fields`}
        place={at}
        fields={shipmentFields(border, shipment.fields.type === 'in_bond')}
        texts={shipment.fields}
        of={named}
      />
      {(Object.keys(parties) as (keyof typeof parties)[]).map((role) => (
        <div key={role}>
          <Text fw={600} size="sm" mb="xs">
            {parties[role]}
          </Text>
          <MissingPart path={`${at}.${role}`} />
          <PartInputs
            form={form}
            path={`${at}.${role}`}
            place={`${at}.${role}`}
            fields={partyFields}
            texts={shipment[role]}
            of={`${role} of ${named}`}
          />
        </div>
      ))}
      <MissingPart path={`${at}.commodities`} />
      {shipment.commodities.map((commodity, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they have no name of their own
        <div key={place}>
          <EntryHead
            title={`Goods ${place + 1} of ${named}`}
            remove={() => form.removeListItem(`${at}.commodities`, place)}
          />
          <PartInputs
            form={form}
            path={`${at}.commodities.${place}`}
            place={`${at}.commodities.${place}`}
            fields={commodityFields}
            texts={commodity}
            of={`goods ${place + 1} of ${named}`}
          />
        </div>
      ))}
      <AddButton add={() => form.insertListItem(`${at}.commodities`, newCommodity())}>Add goods to {named}</AddButton>
    </section>
  )
}
