import { SimpleGrid, Text } from '@mantine/core'
import { Fact } from '../../app/parts/fact.tsx'
import { LoadingText } from '../../app/parts/loading-text.tsx'
import { Panel } from '../../app/parts/panel.tsx'
import { type Column, DataTable } from '../../app/table/data-table.tsx'
import { linesOfAddress } from '../../app/values/address:ts.ts'
import { useFreightZones } from '../form/freight-times.ts'
import { type Money, useMoney } from '../kinds/amounts.ts'
import { type Field, type Fields, isRecord, type Kind, type PlatformObject, sharedFields } from '../kinds/kind.ts'
import { NamedObjectLink } from '../kinds/object-name.tsx'
import { ObjectStatus } from '../kinds/status-badge.tsx'
import { textOfValue, Value } from '../kinds/value.tsx'

/** What an object says, to be read: what is set, by the groups of its form, and the names of what is not. */
export function DetailsView({ kind, object }: { kind: Kind; object: PlatformObject }) {
  const money = useMoney(kind)(object)
  const zoneOf = useFreightZones(kind)?.(object)
  const fields = [...kind.fields, ...sharedFields(kind).filter(({ key }) => key !== 'status')].filter(
    (field) => !isStops(kind, field),
  )
  const isSet = ({ key }: Field) => !isEmpty(object[key])
  const small = fields.filter((field) => !isLarge(field) && isSet(field))
  const large = fields.filter((field) => isLarge(field) && isSet(field))
  const empty = fields.filter((field) => !isSet(field))
  return (
    <Panel title="Details">
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm">
        {small.map((field) => (
          <Fact key={field.key} label={field.name}>
            {zoneOf || field.type !== 'date-time' ? (
              <FieldValue field={field} value={object[field.key]} money={money} zone={zoneOf?.(field.key)} />
            ) : (
              <LoadingText />
            )}
          </Fact>
        ))}
        {large.filter(isAddress).map((field) => (
          <Fact key={field.key} label={field.name}>
            <AddressLines value={object[field.key]} />
          </Fact>
        ))}
      </SimpleGrid>
      {large
        .filter((field) => !isAddress(field))
        .map((field) => (
          <Entries key={field.key} field={field} value={object[field.key]} money={money} />
        ))}
      {empty.length > 0 && (
        <Text size="xs" c="dimmed" mt="sm">
          Not set: {empty.map(({ name }) => name).join(', ')}
        </Text>
      )}
    </Panel>
  )
}

type FieldValueProps = { field: Field; value: unknown; money: Money; zone: string | undefined }

function FieldValue({ field, value, money, zone }: FieldValueProps) {
  const { type, objectKey = '', items, format } = field
  if (type === 'reference' && typeof value === 'string') return <NamedObjectLink objectKey={objectKey} id={value} />
  if (type === 'list' && items && 'type' in items && items.type === 'reference' && Array.isArray(value)) {
    return value.map((id, index) => (
      <span key={String(id)}>
        {index > 0 && ', '}
        <NamedObjectLink objectKey={items.objectKey ?? ''} id={String(id)} />
      </span>
    ))
  }
  if (type === 'select' && format !== 'currency' && field.key === 'status')
    return <ObjectStatus status={String(value)} />
  return <Value shape={field} value={value} money={money} zone={zone} />
}

function AddressLines({ value }: { value: unknown }) {
  if (!isRecord(value)) return '–'
  const text = (key: string) => (typeof value[key] === 'string' ? (value[key] as string) : null)
  const lines = linesOfAddress({
    company_name: text('companyName'),
    contact_name: text('contactName'),
    address_1: text('address1'),
    address_2: text('address2'),
    city: text('city'),
    state: text('state'),
    postal: text('postal'),
    country: text('country'),
  })
  // biome-ignore lint/suspicious/noArrayIndexKey: two lines may be equal, and their order never changes
  return lines.map((line, index) => <div key={index}>{line}</div>)
}

/** A list of records, such as the payment items of a manifest. */
function Entries({ field, value, money }: { field: Field; value: unknown; money: Money }) {
  const entries = Array.isArray(value) ? value : []
  const inner = field.items && 'fields' in field.items ? field.items.fields.filter(({ format }) => format !== 'id') : []
  const columns = inner.map(
    (part): Column<{ entry: Fields; index: number }> => ({
      label: part.name,
      end: part.type === 'money' || part.type === 'integer' || part.type === 'number',
      show: ({ entry }) => textOfValue(part, entry[part.key], money),
    }),
  )
  return (
    <>
      <Text size="xs" c="dimmed" mt="sm" mb={2}>
        {field.name}
      </Text>
      <DataTable
        label={field.name}
        columns={columns}
        rows={entries.map((entry, index) => ({ entry: isRecord(entry) ? entry : {}, index }))}
        keyOf={({ index }) => String(index)}
      />
    </>
  )
}

/** Stops have a panel of their own, unless an organization has a field of its own by that name. */
function isStops({ objectKey, addedFields }: Kind, { key }: Field): boolean {
  return key === 'stops' && (objectKey === 'manifest' || objectKey === 'order') && !addedFields.includes(key)
}

function isAddress({ type }: Field): boolean {
  return type === 'address'
}

function isLarge({ type, items }: Field): boolean {
  return type === 'address' || (type === 'list' && items !== undefined && 'fields' in items)
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
}
