import type { Column } from '../../../app/table/data-table.tsx'
import { type AnyFields, shortLabelOf, shownFields } from '../field.ts'
import { NumberLink, Payee, type Row, Shown } from './shown.tsx'

type ColumnsOptions<R> = {
  /** Where the page of a record is. */
  path: string
  /** What the number of the record is followed by while it has none. */
  nameOf: (record: R) => string
  sorts?: Readonly<Record<string, string>>
}

/** The columns of a list: the fields that say they are one. */
export function columnsOf<R extends Row & { id: string }>(
  fields: AnyFields,
  { path, nameOf, sorts = {} }: ColumnsOptions<R>,
): (Column<R> & { name: string })[] {
  return shownFields(fields)
    .filter(({ column }) => column)
    .map((field) => {
      const { name, kind, column } = field
      return {
        name,
        label: column === 'payee' ? 'Payee' : shortLabelOf(field),
        end: kind === 'money' || kind === 'count',
        ...(name in sorts && { sort: name }),
        show: (record: R) => {
          if (kind === 'number') return <NumberLink to={`${path}/${record.id}`}>{nameOf(record)}</NumberLink>
          if (column === 'payee') return <Payee record={record as unknown as Parameters<typeof Payee>[0]['record']} />
          // In a list the row leads to the document, so that a name is no link.
          return <Shown field={field} record={record} inText={kind === 'carrier' || kind === 'customer'} />
        },
      }
    })
}
