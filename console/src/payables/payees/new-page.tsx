import { Button, SegmentedControl, SimpleGrid, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { EditingForm } from '../../app/editing/editing-form.tsx'
import { useEditing } from '../../app/editing/use-editing.ts'
import { Page } from '../../app/parts/page.tsx'
import { Panel } from '../../app/parts/panel.tsx'
import { PartySelect, partyQuery } from '../../books/documents/shown/parties.tsx'
import { errorFields, FactoringPanel, PaidPanel, TermsPanel } from './form.tsx'
import { type NewPayee, useCreatePayee } from './queries.ts'
import { payeesPath } from './routes.ts'
import { contentOf, errorsIn, type Values, versionOf } from './values.ts'
import { labels, shownValue } from './words.tsx'

const sorts = [
  { value: 'carrier', label: 'A carrier' },
  { value: 'factor', label: 'A factoring company' },
]

export function NewPage() {
  const [sort, setSort] = useState('carrier')
  const { carrier: given } = useSearch({ strict: false }) as { carrier?: string }
  const [carrier, setCarrier] = useState<string | null>(given ?? null)
  const navigate = useNavigate()
  const create = useCreatePayee()
  const isFactor = sort === 'factor'
  const editing = useEditing<Values>({
    start: versionOf(null),
    load: async () => versionOf(null),
    save: async (_, __, all) => {
      const body = {
        ...contentOf(all, all),
        ...(isFactor ? { factor_payee_id: null, notice_of_assignment_on: null, notice_document_id: null } : {}),
      }
      const { id, name } = await create.mutateAsync({
        ...body,
        partner_carrier_id: isFactor ? null : carrier,
      } as NewPayee)
      notifications.show({ message: `${name} was created. It is paid once a second person has approved it.` })
      await navigate({ to: `/payees/${id}`, ignoreBlocker: true })
      return undefined
    },
    fields: errorFields,
    validate: (values) => ({
      ...(!isFactor && carrier === null && { partner_carrier_id: 'Choose the carrier.' }),
      ...errorsIn(values),
    }),
    eachInputWatches: true,
  })
  const choose = (id: string | null) => {
    setCarrier(id)
    editing.form.clearFieldError('partner_carrier_id')
  }
  const { data: party } = useQuery({ ...partyQuery('carrier', carrier ?? ''), enabled: carrier !== null })
  const named = useRef<string | null>(null)
  useEffect(() => {
    if (!party || named.current === party.id) return
    named.current = party.id
    if (!editing.form.getValues().name.trim()) editing.form.setFieldValue('name', party.name)
  })
  return (
    <Page
      title="New payee"
      above={{ label: 'Payees', to: payeesPath }}
      lead="It is paid for the first time once a second person has approved it."
    >
      <EditingForm
        editing={editing}
        what="payee"
        labels={labels as Record<keyof Values, string>}
        show={(field, values) => (typeof values[field] === 'object' ? '–' : shownValue(values[field], field))}
        submitLabel="Create payee"
        cancel={
          <Button variant="default" renderRoot={(props) => <Link to={payeesPath} {...props} />}>
            Cancel
          </Button>
        }
      >
        <Panel title="Who is paid">
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" style={{ alignItems: 'end' }}>
            <div>
              <Text size="sm" fw={600} mb={4} id="payee-sort">
                This is the payee of
              </Text>
              <SegmentedControl aria-labelledby="payee-sort" fullWidth data={sorts} value={sort} onChange={setSort} />
            </div>
            {!isFactor && (
              <PartySelect
                party="carrier"
                required
                clearable={false}
                value={carrier}
                onChange={choose}
                error={editing.form.errors.partner_carrier_id}
              />
            )}
          </SimpleGrid>
        </Panel>
        <PaidPanel form={editing.form} payee={null} />
        {!isFactor && <FactoringPanel form={editing.form} carrier={carrier} />}
        <TermsPanel form={editing.form} />
      </EditingForm>
    </Page>
  )
}
