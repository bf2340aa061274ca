import { Button, Checkbox, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useCurrency, useMoney } from '../../app/api/currencies.ts'
import { useMe } from '../../app/api/me.ts'
import { organizationQuery } from '../../app/api/organization.ts'
import { CancelButton, EditingForm } from '../../app/editing/editing-form.tsx'
import { useEditing, type Version } from '../../app/editing/use-editing.ts'
import { IconPencil } from '../../app/icons/icons.ts'
import { Fact } from '../../app/parts/fact.tsx'
import { Panel } from '../../app/parts/panel.tsx'
import { readAmount, typedAmountOf } from '../../app/values/money.ts'
import { type Organization, useUpdateOrganization } from '../../settings/organization/queries.ts'

type Values = {
  approvals: boolean
  limit: string
  forbid_self_approval: boolean
  separate_payer: boolean
  days: string
  new_approver_days: string
}

const labels: Record<keyof Values, string> = {
  approvals: 'Bills are approved before they are paid',
  limit: 'No approval needed up to',
  forbid_self_approval: 'Nobody approves a bill or carrier invoice that they entered or changed',
  separate_payer: 'Nobody pays a bill that they entered or approved',
  days: 'Reminder after days',
  new_approver_days: 'Days for which who is new approves no payee or payment run',
}

/** The settings of approvals. */
export function PolicyPanel({ organization }: { organization: Organization }) {
  const [editing, { open, close }] = useDisclosure(false)
  return editing ? (
    <EditForm organization={organization} close={close} />
  ) : (
    <Details organization={organization} edit={open} />
  )
}

function Details({ organization, edit }: { organization: Organization; edit: () => void }) {
  const { isAdmin } = useMe()
  const money = useMoney()
  const {
    approvals,
    approval_limit_amount,
    forbid_self_approval,
    separate_payer,
    approval_reminder_days,
    new_approver_days,
    home_currency_id,
  } = organization
  const editButton = isAdmin && (
    <Button variant="default" size="xs" leftSection={<IconPencil size={15} aria-hidden />} onClick={edit}>
      Edit
    </Button>
  )
  return (
    <Panel title="Settings" actions={editButton} {...(!isAdmin && { lead: 'Admins can change this.' })}>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="md">
        <Fact label="Approval of bills">{approvals === 'on' ? 'On' : 'Off'}</Fact>
        <Fact label={labels.limit}>
          {approval_limit_amount === null ? 'Every bill needs it' : money(approval_limit_amount, home_currency_id)}
        </Fact>
        <Fact label="Own bills">
          {forbid_self_approval ? 'Approved by somebody else' : 'Can be approved by who entered them'}
        </Fact>
        <Fact label="Payer">{separate_payer ? 'Neither entered nor approved the bill' : 'Anyone who may pay'}</Fact>
        <Fact label="Reminder">
          {approval_reminder_days === null ? 'None' : `After ${approval_reminder_days} days`}
        </Fact>
        <Fact label="New people">{newPeople(new_approver_days)}</Fact>
      </SimpleGrid>
    </Panel>
  )
}

function newPeople(days: number): string {
  if (days === 0) return 'Approve payees and payment runs at once'
  return `Approve payees and payment runs after ${days === 1 ? 'a day' : `${days} days`}`
}

function EditForm({ organization, close }: { organization: Organization; close: () => void }) {
  const queryClient = useQueryClient()
  const update = useUpdateOrganization()
  const currency = useCurrency(organization.home_currency_id)
  const minor_units = currency?.minor_units ?? 2
  const versionOf = (one: Organization): Version<Values> => ({
    revision: one.revision,
    values: {
      approvals: one.approvals === 'on',
      limit: one.approval_limit_amount === null ? '' : typedAmountOf(one.approval_limit_amount, minor_units),
      forbid_self_approval: one.forbid_self_approval,
      separate_payer: one.separate_payer,
      days: one.approval_reminder_days === null ? '' : String(one.approval_reminder_days),
      new_approver_days: String(one.new_approver_days),
    },
  })
  const editing = useEditing<Values>({
    start: versionOf(organization),
    load: async () => versionOf(await queryClient.fetchQuery({ ...organizationQuery, staleTime: 0 })),
    save: async (
      _changes,
      revision,
      { approvals, limit, forbid_self_approval, separate_payer, days, new_approver_days },
    ) => {
      const read = limit.trim() ? readAmount(limit, { minor_units }) : null
      const amount = read && 'value' in read ? Number(read.value) : null
      const body = {
        ...{
          approvals: approvals ? 'on' : 'off',
          forbid_self_approval,
          separate_payer,
          new_approver_days: Number(new_approver_days),
        },
        ...{ approval_limit_amount: amount, approval_reminder_days: days.trim() ? Number(days) : null },
      }
      await update.mutateAsync({ body, revision })
      await queryClient.invalidateQueries({ queryKey: ['bills'] })
      notifications.show({ message: 'Changes saved.' })
      close()
    },
    fields: Object.keys(labels),
    validate: ({ limit, days, new_approver_days }) => {
      const read = limit.trim() ? readAmount(limit, { minor_units }) : null
      return {
        ...(read && 'problem' in read && { limit: read.problem }),
        ...(days.trim() &&
          !/^[1-9]\d{0,2}$/.test(days.trim()) && { days: 'Enter a number of days from 1 to 365, or nothing.' }),
        ...(!/^(?:[0-9]|[12]\d|30)$/.test(new_approver_days.trim()) && {
          new_approver_days: 'Enter a number of days from 0 to 30.',
        }),
      }
    },
  })
  const { form } = editing
  return (
    <Panel title="Settings">
      <EditingForm
        editing={editing}
        what="organization"
        labels={labels}
        show={(field, values) =>
          typeof values[field] === 'boolean' ? (values[field] ? 'Yes' : 'No') : values[field] || '–'
        }
        submitLabel="Save changes"
        cancel={<CancelButton onClick={() => editing.close(close)} />}
      >
        <Stack gap="md">
          <Checkbox label={labels.approvals} {...form.getInputProps('approvals', { type: 'checkbox' })} />
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
            <TextInput
              label={currency ? `${labels.limit}, ${currency.iso_4217}` : labels.limit}
              description={
                currency
                  ? 'Empty: every bill needs approval.'
                  : 'Choose a home currency on the page Organization first.'
              }
              inputMode="decimal"
              autoComplete="off"
              disabled={!currency}
              {...form.getInputProps('limit')}
            />
            <TextInput
              label={labels.days}
              description="Empty: no reminders."
              inputMode="numeric"
              autoComplete="off"
              {...form.getInputProps('days')}
            />
          </SimpleGrid>
          <Checkbox
            label={labels.forbid_self_approval}
            {...form.getInputProps('forbid_self_approval', { type: 'checkbox' })}
          />
          <Checkbox label={labels.separate_payer} {...form.getInputProps('separate_payer', { type: 'checkbox' })} />
          <TextInput
            label={labels.new_approver_days}
            description="Who joined or got a role that approves. A smaller number counts when as many days have passed as it was before. All admins are told."
            inputMode="numeric"
            autoComplete="off"
            {...form.getInputProps('new_approver_days')}
          />
        </Stack>
      </EditingForm>
    </Panel>
  )
}
