import { IconTags } from '../../app/icons/icons.ts'
import { When } from '../../app/parts/when.tsx'
import { PlainPage } from '../../app/resource/plain-page.tsx'
import type { PlainRecords } from '../../app/resource/plain-records.ts'
import { type BillItemType, billItemTypeQueries, type Content } from './queries.ts'
import { billItemTypesPath } from './routes.ts'

type Values = Record<keyof Content, string>

const billItemTypes: PlainRecords<BillItemType, Values, Content> = {
  path: billItemTypesPath,
  queries: billItemTypeQueries,
  icon: IconTags,
  words: {
    title: 'Bill item types',
    lead: 'The types of lines on bills, such as line haul or fuel, with their ids in the accounting package.',
    ...{ one: 'bill item type', short: 'type', many: 'bill item types', search: 'Search by name, class or id' },
    none: 'A type says what a line of a bill is for.',
    noneFound: 'No type has this text in its name, class or ids.',
    removing: 'It can no longer be chosen. A type that lines of bills use cannot be deleted.',
  },
  columns: [
    { label: 'Name', show: ({ name }) => <b>{name}</b> },
    { label: 'Class', show: ({ class: kind }) => kind ?? '–' },
    { label: 'External id', show: ({ external_id }) => external_id ?? '–' },
    { label: 'Id in accounting', show: ({ qb_external_id }) => qb_external_id ?? '–' },
    { label: 'Changed', show: ({ updated_at }) => <When at={updated_at} /> },
  ],
  labels: { name: 'Name', class: 'Class', external_id: 'External id', qb_external_id: 'Id in the accounting package' },
  valuesOf: (type) => ({
    name: type?.name ?? '',
    class: type?.class ?? '',
    external_id: type?.external_id ?? '',
    qb_external_id: type?.qb_external_id ?? '',
  }),
  // An empty field is sent as null; the name is never empty.
  contentOf: (values) =>
    Object.fromEntries(Object.entries(values).map(([field, text]) => [field, text.trim() || null])),
  validate: ({ name }) => (name.trim() ? {} : { name: 'Enter a name.' }),
}

export const ListPage = () => <PlainPage records={billItemTypes} />
