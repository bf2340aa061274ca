import { notifications } from '@mantine/notifications'
import { type Currency, useCurrencies } from '../../../app/api/currencies.ts'
import { useOrganizationZone } from '../../../app/api/organization.ts'
import { CancelButton, EditingForm } from '../../../app/editing/editing-form.tsx'
import { useEditing, type Version } from '../../../app/editing/use-editing.ts'
import { Panel } from '../../../app/parts/panel.tsx'
import { TableSkeleton } from '../../../app/table/data-table.tsx'
import { type AnyFields, fieldsWithInput } from '../field.ts'
import { type Row, Shown } from '../shown/shown.tsx'
import { bodyOf, errorNamesOf, type FormValues, labelsOf, problemsIn, recordValue, valuesOf } from '../values.ts'
import { Inputs } from './inputs.tsx'

type EditFormProps<R> = {
  what: string
  fields: AnyFields
  record: R
  hasLines?: boolean
  columns?: number
  load: () => Promise<R>
  update: (change: { body: object; revision: number }) => Promise<unknown>
  done: () => void
}

type Editable = Row & { revision: number }

/** The form over a document that others may be changing too. Amounts need the decimals of their currency, so it waits until that is known. */
export function EditForm<R extends Editable>(props: EditFormProps<R>) {
  const currencyById = useCurrencies()
  const { currency_id } = props.record
  return currency_id && !currencyById(currency_id) ? <TableSkeleton /> : <Form {...props} currencyById={currencyById} />
}

type FormProps<R> = EditFormProps<R> & { currencyById: ReturnType<typeof useCurrencies> }

function Form<R extends Editable>({
  what,
  fields,
  record,
  hasLines = false,
  columns = 3,
  load,
  update,
  done,
  currencyById,
}: FormProps<R>) {
  const currencyOf = (values: FormValues): Currency | undefined =>
    currencyById((values.currency_id as string | null | undefined) ?? record.currency_id ?? null)
  const zone = useOrganizationZone()
  const version = (now: R): Version<FormValues> => ({
    revision: now.revision,
    values: valuesOf(fields, now, currencyById(now.currency_id ?? null), zone),
  })
  const editing = useEditing<FormValues>({
    start: version(record),
    load: async () => version(await load()),
    save: async (changes, revision, all) => {
      await update({ body: bodyOf(fields, changes, all, currencyOf(all)), revision })
      notifications.show({ message: 'Changes saved.' })
      done()
    },
    fields: errorNamesOf(fields),
    validate: (values) => problemsIn(fields, values, currencyOf(values)),
    eachInputWatches: true,
  })
  const inputs = fieldsWithInput(fields, 'edit')
  const show = (name: string, values: FormValues) => {
    const field = inputs.find((one) => one.name === name)
    const value = values[name]
    if (!field || value === undefined) return '–'
    return (
      <Shown
        field={field}
        record={{
          currency_id: currencyOf(values)?.id ?? null,
          [name]: recordValue(field.kind, value, currencyOf(values)),
        }}
      />
    )
  }
  return (
    <Panel title="Details">
      <EditingForm
        editing={editing}
        what={what}
        labels={labelsOf(fields)}
        show={show}
        submitLabel="Save changes"
        cancel={<CancelButton onClick={() => editing.close(done)} />}
      >
        <Inputs form={editing.form} fields={inputs} situation={{ record, hasLines }} columns={columns} />
      </EditingForm>
    </Panel>
  )
}
