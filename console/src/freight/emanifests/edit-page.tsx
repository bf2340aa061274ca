import { Button, Checkbox, SimpleGrid } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { EditingForm } from '../../app/editing/editing-form.tsx'
import { useEditing } from '../../app/editing/use-editing.ts'
import { Page } from '../../app/parts/page.tsx'
import { Panel } from '../../app/parts/panel.tsx'
import { RecordPage } from '../../app/parts/record-page.tsx'
import { documentFields, driverFields, tractorFields, trailerFields } from './fields.ts'
import { AddButton, type EmanifestForm, EntryHead, FieldInput, PartInputs } from './inputs.tsx'
import { MissingAt, MissingPart } from './missing.tsx'
import { type Emanifest, emanifestQuery, missingQuery, useUpdateEmanifest } from './queries.ts'
import { emanifestsPath } from './routes.ts'
import { ShipmentsPanel } from './shipment-inputs.tsx'
import { contentOf, errorsIn, newDocument, newTrailer, type Values, versionOf } from './values.ts'

export function EditPage() {
  const { emanifestId = '' } = useParams({ strict: false }) as { emanifestId?: string }
  return (
    <RecordPage
      title="E-manifest"
      above={{ label: 'E-manifest', to: `${emanifestsPath}/${emanifestId}` }}
      query={emanifestQuery(emanifestId)}
    >
      {(emanifest) => <EditForm key={emanifestId} emanifest={emanifest as Emanifest} />}
    </RecordPage>
  )
}

const labels: Record<keyof Values, string> = {
  carrier_code: 'Carrier code',
  trip_number: 'Trip number',
  port: 'Port',
  crossing_at: 'Crosses',
  is_empty: 'Empty',
  driver: 'Driver',
  tractor: 'Truck',
  trailers: 'Trailers',
  shipments: 'Shipments',
}

function EditForm({ emanifest }: { emanifest: Emanifest }) {
  const { id, trip_number } = emanifest
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const update = useUpdateEmanifest(id)
  const { data: missing = [] } = useQuery(missingQuery(emanifest))
  const at = `${emanifestsPath}/${id}`
  const editing = useEditing<Values>({
    start: versionOf(emanifest),
    load: async () => versionOf((await queryClient.fetchQuery({ ...emanifestQuery(id), staleTime: 0 })) as Emanifest),
    save: async (changes, revision) => {
      await update.mutateAsync({ body: contentOf(changes), revision })
      notifications.show({ message: 'The e-manifest was saved.' })
      await navigate({ to: at, ignoreBlocker: true })
      return undefined
    },
    fields: Object.keys(labels),
    validate: errorsIn,
  })
  return (
    <Page title={`Edit ${trip_number ?? 'e-manifest'}`} above={{ label: trip_number ?? 'E-manifest', to: at }}>
      <MissingAt missing={missing}>
        <EditingForm
          editing={editing}
          what="e-manifest"
          labels={labels}
          show={shown}
          submitLabel="Save changes"
          cancel={
            <Button variant="default" renderRoot={(props) => <Link to={at} {...props} />}>
              Cancel
            </Button>
          }
        >
          <TripPanel form={editing.form} isFixed={emanifest.accepted_at !== null} />
          <DriverPanel form={editing.form} />
          <VehiclesPanel form={editing.form} />
          <ShipmentsPanel form={editing.form} border={emanifest.border} />
        </EditingForm>
      </MissingAt>
    </Page>
  )
}

function shown(field: keyof Values & string, values: Values) {
  const value = values[field]
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (Array.isArray(value)) return value.length.toLocaleString()
  return typeof value === 'string' ? value || '–' : 'Other details'
}

function TripPanel({ form, isFixed }: { form: EmanifestForm; isFixed: boolean }) {
  const { carrier_code, trip_number, port, crossing_at, is_empty } = form.values
  const input = (
    name: string,
    label: string,
    value: string,
    more: { maxLength?: number; description?: string } = {},
    type?: string,
  ) => (
    <FieldInput
      form={form}
      path={name}
      place={name}
      field={{ name, label, ...more }}
      value={value}
      of=""
      {...(type && { type })}
    />
  )
  return (
    <Panel
      title="Trip"
      {...(isFixed && { lead: 'Customs knows the trip by its number, so that and the carrier code stay as they are.' })}
    >
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm" mb="sm">
        {!isFixed && input('carrier_code', 'Carrier code', carrier_code, { maxLength: 4 })}
        {!isFixed &&
          input('trip_number', 'Trip number', trip_number, {
            maxLength: 25,
            description: 'Begins with the carrier code.',
          })}
        {input('port', 'Port', port, { maxLength: 4, description: 'The code of the port or customs office.' })}
        {input('crossing_at', 'Crosses', crossing_at, {}, 'datetime-local')}
      </SimpleGrid>
      <Checkbox
        label="The truck crosses without freight"
        checked={is_empty}
        onChange={(event) => form.setFieldValue('is_empty', event.currentTarget.checked)}
      />
      <MissingPart path="is_empty" />
    </Panel>
  )
}

function DriverPanel({ form }: { form: EmanifestForm }) {
  const { driver } = form.values
  return (
    <Panel title="Driver">
      <MissingPart path="driver" />
      <PartInputs form={form} path="driver.fields" place="driver" fields={driverFields} texts={driver.fields} of="" />
      <MissingPart path="driver.documents" />
      {driver.documents.map((document, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they have no name of their own
        <div key={index}>
          <EntryHead title={`Document ${index + 1}`} remove={() => form.removeListItem('driver.documents', index)} />
          <PartInputs
            form={form}
            path={`driver.documents.${index}`}
            place={`driver.documents.${index}`}
            fields={documentFields}
            texts={document}
            of={`document ${index + 1}`}
          />
        </div>
      ))}
      {driver.documents.length < 5 && (
        <AddButton add={() => form.insertListItem('driver.documents', newDocument())}>Add a document</AddButton>
      )}
    </Panel>
  )
}

function VehiclesPanel({ form }: { form: EmanifestForm }) {
  const { tractor, trailers } = form.values
  return (
    <Panel title="Truck and trailers">
      <MissingPart path="tractor" />
      <PartInputs form={form} path="tractor" place="tractor" fields={tractorFields} texts={tractor} of="truck" />
      {trailers.map((trailer, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they have no name of their own
        <div key={index}>
          <EntryHead title={`Trailer ${index + 1}`} remove={() => form.removeListItem('trailers', index)} />
          <PartInputs
            form={form}
            path={`trailers.${index}`}
            place={`trailers.${index}`}
            fields={trailerFields}
            texts={trailer}
            of={`trailer ${index + 1}`}
          />
        </div>
      ))}
      {trailers.length < 10 && (
        <AddButton add={() => form.insertListItem('trailers', newTrailer())}>Add a trailer</AddButton>
      )}
    </Panel>
  )
}
