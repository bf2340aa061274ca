import { Button, Checkbox, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useMoney } from '../../app/api/currencies.ts'
import { useMe } from '../../app/api/me.ts'
import { organizationQuery } from '../../app/api/organization.ts'
import { CancelButton, EditingForm } from '../../app/editing/editing-form.tsx'
import { useEditing, type Version } from '../../app/editing/use-editing.ts'
import { useField } from '../../app/editing/use-field.ts'
import { FieldChanges, textOf } from '../../app/history/field-changes.tsx'
import { RecordHistory } from '../../app/history/record-history.tsx'
import { IconPencil } from '../../app/icons/icons.ts'
import { AddressFields, AddressText } from '../../app/inputs/address.tsx'
import { CurrencySelect } from '../../app/inputs/currency-select.tsx'
import { Select } from '../../app/inputs/select.tsx'
import { Fact } from '../../app/parts/fact.tsx'
import { Page } from '../../app/parts/page.tsx'
import { Panel } from '../../app/parts/panel.tsx'
import { RecordPage } from '../../app/parts/record-page.tsx'
import {
  type Address,
  type AddressValues,
  addressFields,
  addressIn,
  addressValuesOf,
  linesOfAddress,
} from '../../app/values/address:ts.ts'
import { PayTermName } from '../pay-terms/pay-term-name.tsx'
import { PayTermSelect } from '../pay-terms/pay-term-select.tsx'
import { LogoPanel } from './logo-panel.tsx'
import { MovementSettings } from './movement-panel.tsx'
import { historyQuery, type Organization, useUpdateOrganization } from './queries.ts'
import { UsagePanel } from './usage-panel.tsx'

type Values = {
  name: string
  home_currency_id: string | null
  time_zone: string | null
  default_pay_term_id: string | null
  require_exchange_rate: boolean
  require_send_address: boolean
  duplicates: string | null
  address: AddressValues
}

const labels: Record<keyof Values, string> = {
  name: 'Name',
  home_currency_id: 'Home currency',
  time_zone: 'Time zone',
  default_pay_term_id: 'Default pay term of bills',
  require_exchange_rate: 'Exchange rate required',
  require_send_address: 'Address required to send',
  duplicates: 'Duplicates of bills',
  address: 'Address',
}
/** Settings of approvals are changed on a page of their own, and are in the same history. */
const historyLabels = {
  ...labels,
  approvals: 'Approval of bills',
  approval_limit_amount: 'No approval needed up to',
  forbid_self_approval: 'Nobody approves a bill that they entered',
  separate_payer: 'Nobody pays a bill that they entered or approved',
  approval_reminder_days: 'Reminder after days',
}
const duplicateChoices = [
  { value: 'warn', label: 'Show a warning' },
  { value: 'refuse', label: 'Refuse them' },
  { value: 'off', label: 'Do not look for them' },
]
const zones = Intl.supportedValuesOf('timeZone').map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))

export function OrganizationPage() {
  return (
    <RecordPage title="Organization" above={{ label: 'Home', to: '/' }} query={organizationQuery}>
      {(organization) => <Known organization={organization} />}
    </RecordPage>
  )
}

function Known({ organization }: { organization: Organization }) {
  const [editing, { open, close }] = useDisclosure(false)
  const money = useMoney()
  const shownInHistory = (value: unknown, field: string): ReactNode => {
    if (field === 'approval_limit_amount' && typeof value === 'number')
      return money(value, organization.home_currency_id)
    return field === 'address' && value ? linesOfAddress(value as Address).join(', ') : textOf(value)
  }
  return (
    <Page title="Organization" lead="What your organization is called, where it is, and how it keeps its books.">
      {editing ? (
        <EditForm organization={organization} close={close} />
      ) : (
        <Details organization={organization} edit={open} />
      )}
      <MovementSettings organization={organization} />
      <LogoPanel hasLogo={organization.has_logo} />
      <UsagePanel />
      <RecordHistory
        query={historyQuery}
        changesOf={(event) => <FieldChanges event={event} labels={historyLabels} show={shownInHistory} />}
      />
    </Page>
  )
}

function Details({ organization, edit }: { organization: Organization; edit: () => void }) {
  const { isAdmin } = useMe()
  const {
    name,
    home_currency_id,
    time_zone,
    default_pay_term_id,
    require_exchange_rate,
    require_send_address,
    duplicates,
    address,
  } = organization
  const editButton = isAdmin && (
    <Button variant="default" size="xs" leftSection={<IconPencil size={15} aria-hidden />} onClick={edit}>
      Edit
    </Button>
  )
  return (
    <Panel title="Details" actions={editButton} {...(!isAdmin && { lead: 'Admins can change this.' })}>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="md">
        <Fact label={labels.name}>{name}</Fact>
        <Fact label={labels.home_currency_id}>{home_currency_id?.toUpperCase() ?? 'None chosen'}</Fact>
        <Fact label={labels.time_zone}>{time_zone.replaceAll('_', ' ')}</Fact>
        <Fact label={labels.default_pay_term_id}>
          {default_pay_term_id ? <PayTermName id={default_pay_term_id} /> : 'None chosen'}
        </Fact>
        <Fact label="Without an exchange rate">
          {require_exchange_rate ? 'Documents cannot be saved' : 'Documents can be saved'}
        </Fact>
        <Fact label="Without an e-mail address">
          {require_send_address ? 'Documents cannot be sent' : 'Documents can be marked as sent'}
        </Fact>
        <Fact label={labels.duplicates}>{duplicateChoices.find(({ value }) => value === duplicates)?.label}</Fact>
        <Fact label={labels.address}>
          <AddressText address={address as Address | null} />
        </Fact>
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
    save: async ({ address, duplicates, ...changes }, revision) => {
      const policy = duplicates ? { duplicates: duplicates as Organization['duplicates'] } : {}
      await update.mutateAsync({
        body: { ...changes, ...policy, ...(address && { address: addressIn(address) }) },
        revision,
      })
      notifications.show({ message: 'Changes saved.' })
      close()
    },
    fields: [...addressFields.map((part) => `address.${part}`), ...Object.keys(labels)],
    validate: ({ name }) => (name.trim() ? {} : { name: 'Enter a name.' }),
    eachInputWatches: true,
  })
  const name = useField<string>(editing.form, 'name')
  const currency = useField<string | null>(editing.form, 'home_currency_id')
  const zone = useField<string | null>(editing.form, 'time_zone')
  const payTerm = useField<string | null>(editing.form, 'default_pay_term_id')
  const required = useField<boolean>(editing.form, 'require_exchange_rate')
  const addressed = useField<boolean>(editing.form, 'require_send_address')
  const duplicates = useField<string | null>(editing.form, 'duplicates')
  return (
    <Panel title="Details">
      <EditingForm
        editing={editing}
        what="organization"
        labels={labels}
        show={(field, values) => shown(values[field])}
        submitLabel="Save changes"
        cancel={<CancelButton onClick={() => editing.close(close)} />}
      >
        <Stack gap="md">
          <SimpleGrid cols={{ base: 1, xs: 2, lg: 3 }} spacing="sm">
            <TextInput
              label={labels.name}
              required
              maxLength={200}
              autoComplete="off"
              value={name.value}
              onChange={(event) => name.set(event.currentTarget.value)}
              error={name.error}
            />
            <CurrencySelect
              label={labels.home_currency_id}
              description="Documents are converted to it when they are saved."
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              value={currency.value}
              onChange={currency.set}
              error={currency.error}
            />
            <Select
              label={labels.time_zone}
              description="A day of the books begins and ends in it."
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              choices={zones}
              value={zone.value}
              onChange={zone.set}
              error={zone.error}
            />
            <PayTermSelect
              label={labels.default_pay_term_id}
              description="A bill that is saved with neither a due date nor a term gets it."
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              value={payTerm.value}
              onChange={payTerm.set}
              error={payTerm.error}
            />
            <Select
              label={labels.duplicates}
              description="What happens to a bill with the carrier and the number of another."
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              choices={duplicateChoices}
              value={duplicates.value}
              onChange={duplicates.set}
              error={duplicates.error}
            />
          </SimpleGrid>
          <Checkbox
            label="A document can be saved only where the exchange rate of its date is known"
            checked={required.value}
            onChange={(event) => required.set(event.currentTarget.checked)}
          />
          <Checkbox
            label="A document can be sent only where there is an e-mail address to send it to"
            checked={addressed.value}
            onChange={(event) => addressed.set(event.currentTarget.checked)}
          />
          <AddressFields form={editing.form} path="address" legend={labels.address} />
        </Stack>
      </EditingForm>
    </Panel>
  )
}

function versionOf({ revision, address, ...organization }: Organization): Version<Values> {
  const {
    name,
    home_currency_id,
    time_zone,
    default_pay_term_id,
    require_exchange_rate,
    require_send_address,
    duplicates,
  } = organization
  const rules = { require_exchange_rate, require_send_address, duplicates }
  return {
    revision,
    values: {
      name,
      home_currency_id,
      time_zone,
      default_pay_term_id,
      ...rules,
      address: addressValuesOf(address as Address | null),
    },
  }
}

function shown(value: Values[keyof Values]): ReactNode {
  return typeof value === 'object' && value ? linesOfAddress(addressIn(value)).join(', ') || '–' : textOf(value)
}
