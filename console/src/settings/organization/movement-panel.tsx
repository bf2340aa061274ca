import { Button, Checkbox, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useMe } from '../../app/api/me.ts'
import { organizationQuery } from '../../app/api/organization.ts'
import { CancelButton, EditingForm } from '../../app/editing/editing-form.tsx'
import { useEditing, type Version } from '../../app/editing/use-editing.ts'
import { IconPencil } from '../../app/icons/icons.ts'
import { Fact } from '../../app/parts/fact.tsx'
import { Panel } from '../../app/parts/panel.tsx'
import { type Organization, useUpdateOrganization } from './queries.ts'

type Values = { factor: string; speed: string; limit: string; refuses: boolean }

const title = 'Arrival times and bookings'
const labels: Record<keyof Values, string> = {
  factor: 'Detour factor',
  speed: 'Average speed, km/h',
  limit: 'Delay limit, minutes',
  refuses: 'Equipment and drivers cannot be on two manifests at the same time',
}

/** How arrival times are estimated, from which delay on one is announced, and whether double bookings are refused. */
export function MovementSettings({ organization }: { organization: Organization }) {
  const [editing, { open, close }] = useDisclosure(false)
  return editing ? (
    <EditForm organization={organization} close={close} />
  ) : (
    <Details organization={organization} edit={open} />
  )
}

function Details({ organization, edit }: { organization: Organization; edit: () => void }) {
  const { isAdmin } = useMe()
  const { eta_detour_factor, eta_average_speed_kmh, eta_delay_limit_minutes, double_booking } = organization
  const editButton = isAdmin && (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconPencil size={15} aria-hidden />}
      aria-label={`Edit ${title.toLowerCase()}`}
      onClick={edit}
    >
      Edit
    </Button>
  )
  return (
    <Panel title={title} actions={editButton}>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="md">
        <Fact label={labels.factor}>{eta_detour_factor.toLocaleString()}</Fact>
        <Fact label="Average speed">{eta_average_speed_kmh.toLocaleString()} km/h</Fact>
        <Fact label="Delays are announced">From more than {eta_delay_limit_minutes} minutes on</Fact>
        <Fact label="Double bookings">{double_booking === 'refuse' ? 'Refused' : 'Allowed'}</Fact>
      </SimpleGrid>
    </Panel>
  )
}

function EditForm({ organization, close }: { organization: Organization; close: () => void }) {
  const queryClient = useQueryClient()
  const update = useUpdateOrganization()
  const editing = useEditing<Values>({
    start: versionOf(organization),
    load: async () => versionOf(await queryClient.fetchQuery({ ...organizationQuery, staleTime: 0 })),
    save: async (_changes, revision, { factor, speed, limit, refuses }) => {
      const body = {
        ...{
          eta_detour_factor: Number(factor),
          eta_average_speed_kmh: Number(speed),
          eta_delay_limit_minutes: Number(limit),
        },
        double_booking: refuses ? ('refuse' as const) : ('off' as const),
      }
      await update.mutateAsync({ body, revision })
      notifications.show({ message: 'Changes saved.' })
      close()
    },
    fields: Object.keys(labels),
    validate: ({ factor, speed, limit }) => ({
      ...(!isWithin(factor, 1, 5) && { factor: 'Enter a number from 1 to 5, such as 1.25.' }),
      ...(!isWithin(speed, 1, 200) && { speed: 'Enter a number from 1 to 200.' }),
      ...(!(isWithin(limit, 1, 10_080) && Number.isInteger(Number(limit))) && {
        limit: 'Enter a whole number from 1 to 10080.',
      }),
    }),
  })
  const { form } = editing
  return (
    <Panel title={title}>
      <EditingForm
        editing={editing}
        what="organization"
        labels={labels}
        show={(field, values) => (typeof values[field] === 'boolean' ? (values[field] ? 'Yes' : 'No') : values[field])}
        submitLabel="Save changes"
        cancel={<CancelButton onClick={() => editing.close(close)} />}
      >
        <Stack gap="md">
          <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
            <TextInput
              label={labels.factor}
              description="How much longer the road is than the straight line."
              inputMode="decimal"
              autoComplete="off"
              {...form.getInputProps('factor')}
            />
            <TextInput
              label={labels.speed}
              description="With breaks."
              inputMode="decimal"
              autoComplete="off"
              {...form.getInputProps('speed')}
            />
            <TextInput
              label={labels.limit}
              description="A manifest that is later has an event, and customers who want it get a mail."
              inputMode="numeric"
              autoComplete="off"
              {...form.getInputProps('limit')}
            />
          </SimpleGrid>
          <Checkbox label={labels.refuses} {...form.getInputProps('refuses', { type: 'checkbox' })} />
        </Stack>
      </EditingForm>
    </Panel>
  )
}

function versionOf({
  revision,
  eta_detour_factor,
  eta_average_speed_kmh,
  eta_delay_limit_minutes,
  double_booking,
}: Organization): Version<Values> {
  const values = {
    factor: String(eta_detour_factor),
    speed: String(eta_average_speed_kmh),
    limit: String(eta_delay_limit_minutes),
  }
  return { revision, values: { ...values, refuses: double_booking === 'refuse' } }
}

function isWithin(text: string, least: number, most: number): boolean {
  const number = Number(text)
  return text.trim() !== '' && number >= least && number <= most
}
