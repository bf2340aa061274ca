import { Button, SimpleGrid, Text } from '@mantine/core'
import { useMe } from '../../../app/api/me.ts'
import { IconPencil } from '../../../app/icons/icons.ts'
import { Fact } from '../../../app/parts/fact.tsx'
import { Panel } from '../../../app/parts/panel.tsx'
import { type AnyFields, type NamedField, shortLabelOf, shownFields } from '../field.ts'
import { type Row, Shown } from './shown.tsx'

/** The row of facts at the top of a page; the first one is the largest. */
export function Summary({ fields, record }: { fields: AnyFields; record: Row }) {
  const facts = shownFields(fields)
    .filter(({ summary }) => summary !== undefined)
    .sort((one, other) => (one.summary ?? 0) - (other.summary ?? 0))
  return (
    <Panel>
      <SimpleGrid cols={{ base: 2, xs: 3, md: 6 }}>
        {facts.map((field, index) => (
          <Fact key={field.name} label={shortLabelOf(field)}>
            {index === 0 ? (
              <Text fw={650} size="lg" lh={1.2}>
                <Shown field={field} record={record} />
              </Text>
            ) : (
              <Shown field={field} record={record} empty={field.kind === 'moment' ? 'Not yet' : '–'} />
            )}
          </Fact>
        ))}
      </SimpleGrid>
    </Panel>
  )
}

/** What the document says apart from its lines or bills, in the order of the form, and the button to change it. */
export function DetailsPanel({
  fields,
  record,
  edit,
}: {
  fields: AnyFields
  record: Row & { status_id: string; voided_at?: string | null }
  edit: () => void
}) {
  const isSet = ({ name }: NamedField) => Boolean(record[name as keyof Row])
  const details = shownFields(fields).filter(
    (field) => field.details === 'always' || (field.details === 'if set' && isSet(field)),
  )
  const { may } = useMe()
  const why = record.voided_at
    ? 'It was voided and cannot be changed.'
    : record.status_id === 'paid'
      ? 'It is paid and cannot be changed. Reopen it first.'
      : null
  const isWide = ({ kind }: NamedField) => kind === 'address' || kind === 'longText'
  return (
    <Panel title="Details" {...(!why && may('enter') && { actions: <EditButton edit={edit} /> })}>
      {[details.filter((field) => !isWide(field)), details.filter(isWide)].map((group, index) => (
        <SimpleGrid
          key={index === 0 ? 'short' : 'wide'}
          cols={{ base: 1, xs: 2, md: 4 }}
          spacing="sm"
          mt={index === 0 ? 0 : 'sm'}
        >
          {group.map((field) => (
            <Fact key={field.name} label={field.label}>
              <Shown field={field} record={record} />
            </Fact>
          ))}
        </SimpleGrid>
      ))}
      {why && (
        <Text size="sm" c="dimmed" mt="sm">
          {why}
        </Text>
      )}
    </Panel>
  )
}

function EditButton({ edit }: { edit: () => void }) {
  return (
    <Button variant="default" size="xs" leftSection={<IconPencil size={15} aria-hidden />} onClick={edit}>
      Edit details
    </Button>
  )
}
