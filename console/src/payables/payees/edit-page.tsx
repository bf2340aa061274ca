import { Alert, Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { EditingForm } from '../../app/editing/editing-form.tsx'
import { useEditing } from '../../app/editing/use-editing.ts'
import { IconHourglass } from '../../app/icons/icons.ts'
import { Page } from '../../app/parts/page.tsx'
import { RecordPage } from '../../app/parts/record-page.tsx'
import { addressIn, linesOfAddress } from '../../app/values/address:ts.ts'
import { errorFields, FactoringPanel, PaidPanel, TermsPanel } from './form.tsx'
import { type Payee, payeeQuery, useUpdatePayee } from './queries.ts'
import { contentOf, errorsIn, type Values, versionOf } from './values.ts'
import { labels, partsOf, shownValue } from './words.tsx'

export function EditPage() {
  const { payeeId = '' } = useParams({ strict: false }) as { payeeId?: string }
  return (
    <RecordPage title="Payee" above={{ label: 'Payee', to: `/payees/${payeeId}` }} query={payeeQuery(payeeId)}>
      {(payee) => <EditForm key={payeeId} payee={payee} />}
    </RecordPage>
  )
}

function EditForm({ payee }: { payee: Payee }) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const update = useUpdatePayee(payee.id)
  const at = `/payees/${payee.id}`
  const editing = useEditing<Values>({
    start: versionOf(payee),
    load: async () => versionOf(await queryClient.fetchQuery({ ...payeeQuery(payee.id), staleTime: 0 })),
    save: async (changes, revision, all) => {
      const saved = await update.mutateAsync({ body: contentOf(changes, all), revision })
      const isHeld = saved.waiting_change !== null && saved.waiting_change.id !== payee.waiting_change?.id
      notifications.show({
        message: isHeld ? 'The change waits until a second person has approved it.' : `${saved.name} was saved.`,
      })
      await navigate({ to: at, ignoreBlocker: true })
      return undefined
    },
    fields: errorFields,
    validate: errorsIn,
    eachInputWatches: true,
  })
  return (
    <Page title={`Edit ${payee.name}`} above={{ label: payee.name, to: at }}>
      {payee.waiting_change && (
        <Alert variant="default" icon={<IconHourglass aria-hidden />} mb="md" p="sm">
          A change of this payee waits for a second person. Until it is decided, only the terms and notes can be
          changed.
        </Alert>
      )}
      <EditingForm
        editing={editing}
        what="payee"
        labels={labels as Record<keyof Values, string>}
        show={shown}
        submitLabel="Save changes"
        cancel={
          <Button variant="default" renderRoot={(props) => <Link to={at} {...props} />}>
            Cancel
          </Button>
        }
      >
        <PaidPanel form={editing.form} payee={payee} />
        {payee.partner_carrier_id && <FactoringPanel form={editing.form} carrier={payee.partner_carrier_id} />}
        <TermsPanel form={editing.form} />
      </EditingForm>
    </Page>
  )
}

function shown(field: keyof Values & string, values: Values) {
  if (field === 'address') return linesOfAddress(addressIn(values.address)).join(', ') || '–'
  if (field === 'bank_details') return partsOf(values.bank_details).length > 1 ? 'New details' : '–'
  return values[field] === '' || values[field] === null ? '–' : shownValue(values[field], field)
}
