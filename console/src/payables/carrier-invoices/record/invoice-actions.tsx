import { Button, Menu } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { useMe } from '../../../app/api/me.ts'
import { wordsFor } from '../../../app/api/problem.ts'
import { useIsReading } from '../../../app/api/use-is-reading.ts'
import { ConfirmDialog } from '../../../app/editing/confirm-dialog.tsx'
import { IconChevronDown, IconClipboardCheck, IconPencil, IconTrash } from '../../../app/icons/icons.ts'
import type { CarrierInvoice, Decision } from '../invoice.ts'
import { useAudit, useDeleteInvoice } from '../queries.ts'
import { sentenceOfMove } from '../rows.ts'
import { decisionsFor, decisionWords, findingsInWords, isOpen } from '../states.ts'

type InvoiceActionsProps = {
  invoice: CarrierInvoice
  decide: (decision: Decision) => void
  edit: () => void
  /** Where to go once it is deleted. */
  leave: () => Promise<void>
}

/** What can be done with an invoice, by who is signed in. */
export function InvoiceActions({ invoice, decide, edit, leave }: InvoiceActionsProps) {
  const { may } = useMe()
  const [removing, setRemoving] = useState(false)
  const remove = useDeleteInvoice(invoice, leave)
  const audit = useAudit(invoice)
  const { invoice_number, audited_at, missing_fields } = invoice
  const isReading = useIsReading()
  const canEnter = may('enter')
  const open = isOpen(invoice)
  const [first, ...others] = may('approve') ? decisionsFor(invoice) : []
  // By the promise: what is audited may leave the list, and with it these buttons.
  const startAudit = () =>
    void audit.mutateAsync(undefined).then(
      ({ state, findings }) =>
        notifications.show({
          message: `${invoice_number} was audited: ${findingsInWords(findings)}.${sentenceOfMove(invoice.state, state)}`,
        }),
      (error: unknown) =>
        notifications.show({ title: `Could not audit ${invoice_number}`, message: wordsFor(error), color: 'red.9' }),
    )
  return (
    <>
      {canEnter && open && missing_fields.length === 0 && (
        <Button
          size="xs"
          variant={audited_at ? 'default' : 'filled'}
          leftSection={<IconClipboardCheck size={15} aria-hidden />}
          loading={audit.isPending}
          onClick={startAudit}
        >
          {audited_at ? 'Audit again' : 'Audit'}
        </Button>
      )}
      {canEnter && open && missing_fields.length > 0 && (
        <Button size="xs" leftSection={<IconPencil size={15} aria-hidden />} onClick={edit}>
          Complete
        </Button>
      )}
      {first && (
        <Button
          size="xs"
          variant={first === 'reject' ? 'default' : 'filled'}
          disabled={isReading}
          onClick={() => decide(first)}
        >
          {decisionWords[first].label}
        </Button>
      )}
      {others.map((decision) => (
        <Button key={decision} size="xs" variant="default" disabled={isReading} onClick={() => decide(decision)}>
          {decisionWords[decision].label}
        </Button>
      ))}
      {canEnter && (open || invoice.state === 'rejected') && (
        <Menu position="bottom-end">
          <Menu.Target>
            <Button size="xs" variant="default" rightSection={<IconChevronDown size={15} aria-hidden />}>
              More
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {open && (
              <Menu.Item leftSection={<IconPencil size={15} aria-hidden />} onClick={edit}>
                Edit
              </Menu.Item>
            )}
            <Menu.Item leftSection={<IconTrash size={15} aria-hidden />} onClick={() => setRemoving(true)}>
              Delete
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
      {removing && (
        <ConfirmDialog action="Delete" name={invoice_number} close={() => setRemoving(false)} change={remove}>
          The invoice and the files that are attached to nothing else are deleted. Its history stays.
        </ConfirmDialog>
      )}
    </>
  )
}
