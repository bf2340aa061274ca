import { Button, Group, Modal, Text } from '@mantine/core'
import { useState } from 'react'
import type { Currency } from '../../../app/api/currencies.ts'
import { IconArrowDown, IconArrowUp, IconPencil, IconPlus, IconTrash } from '../../../app/icons/icons.ts'
import { type Column, DataTable } from '../../../app/table/data-table.tsx'
import { RowAction } from '../../../app/table/row-action.tsx'
import { moneyOf, productOf } from '../../../app/values/money.ts'
import { TaxRateName } from '../../../settings/tax-rates/tax-rate-name.tsx'
import { type LineChoice, LineDialog } from './line-dialog.tsx'

/** `taxAmount` is known once the line is saved. */
export type Line = LineChoice & { key: string; taxAmount?: number }

export type LineActions = {
  add: (line: LineChoice) => Promise<unknown>
  change: (line: Line, next: LineChoice) => Promise<unknown>
  remove: (line: Line) => void
  move: (line: Line, by: -1 | 1) => void
  load?: () => Promise<unknown>
  /** Called when a line is opened, before anything is typed. */
  begin?: () => void
  /** A line that is removed at once needs a question first. */
  asksBeforeRemoving?: boolean
}

type LinesTableProps = {
  /** The document, as in a sentence. */
  what: string
  lines: readonly Line[]
  currency: Currency | undefined
  actions: LineActions | null
  busy?: boolean
}

/** The lines of an existing document, and of one that is being created. */
export function LinesTable({ what, lines, currency, actions, busy = false }: LinesTableProps) {
  const [open, setOpen] = useState<Line | 'new' | null>(null)
  const [removing, setRemoving] = useState<Line | null>(null)
  const show = (line: Line | 'new') => {
    actions?.begin?.()
    setOpen(line)
  }
  const columns = columnsOf(lines, currency)
  if (actions)
    columns.push({
      label: 'Actions',
      end: true,
      show: (line) => (
        <Buttons
          line={line}
          lines={lines}
          actions={actions}
          edit={show}
          remove={actions.asksBeforeRemoving ? setRemoving : actions.remove}
          busy={busy}
        />
      ),
    })
  return (
    <>
      {lines.length > 0 ? (
        <DataTable label="Lines" columns={columns} rows={lines} keyOf={({ key }) => key} waiting={busy} />
      ) : (
        <Text size="sm" c="dimmed">
          No lines yet.
        </Text>
      )}
      {actions && (
        <Group mt="md" gap="sm">
          <Button
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => show('new')}
            disabled={!currency}
          >
            Add line
          </Button>
          {!currency && (
            <Text size="sm" c="dimmed">
              Choose a currency first. It determines the number of decimals of a price.
            </Text>
          )}
        </Group>
      )}
      {actions && removing && (
        <Modal opened onClose={() => setRemoving(null)} title="Remove the line">
          <Text size="sm">
            {nameOf(removing) ?? 'The line'} is removed from the {what} at once. The history still shows it.
          </Text>
          <Group justify="flex-end" mt="lg">
            <Button variant="default" onClick={() => setRemoving(null)}>
              Cancel
            </Button>
            <Button
              color="red.9"
              onClick={() => {
                actions.remove(removing)
                setRemoving(null)
              }}
            >
              Remove
            </Button>
          </Group>
        </Modal>
      )}
      {actions && open && currency && (
        <LineDialog
          what={what}
          title={open === 'new' ? 'Add a line' : 'Edit the line'}
          line={open === 'new' ? null : open}
          currency={currency}
          save={(next) => (open === 'new' ? actions.add(next) : actions.change(open, next))}
          {...(actions.load && { load: actions.load })}
          close={() => setOpen(null)}
        />
      )}
    </>
  )
}

function nameOf({ description, typeName }: Line): string | null {
  return description ?? typeName
}

function columnsOf(lines: readonly Line[], currency: Currency | undefined): Column<Line>[] {
  const money = (amount: number | bigint) => (currency ? moneyOf(amount, currency) : '–')
  return [
    { label: 'Type', show: ({ typeName }) => typeName ?? '–' },
    { label: 'Description', show: ({ description }) => description ?? '–' },
    { label: 'Quantity', end: true, show: ({ quantity }) => quantity.toLocaleString() },
    { label: 'Unit price', end: true, show: ({ unit_price }) => money(unit_price) },
    ...(lines.some(({ tax_rate_id }) => tax_rate_id)
      ? [
          { label: 'Tax rate', show: ({ tax_rate_id }: Line) => <TaxRateName id={tax_rate_id} /> },
          {
            label: 'Tax',
            end: true,
            show: ({ taxAmount }: Line) => (taxAmount === undefined ? '–' : money(taxAmount)),
          },
        ]
      : []),
    { label: 'Total', end: true, show: ({ unit_price, quantity }) => money(productOf(unit_price, quantity)) },
  ]
}

type ButtonsProps = {
  line: Line
  lines: readonly Line[]
  actions: LineActions
  edit: (line: Line) => void
  remove: (line: Line) => void
  busy: boolean
}

function Buttons({ line, lines, actions, edit, remove, busy }: ButtonsProps) {
  const at = lines.indexOf(line)
  const name = nameOf(line) ?? `line ${at + 1}`
  const buttons = [
    { label: 'Move up', icon: IconArrowUp, disabled: at === 0, run: () => actions.move(line, -1) },
    { label: 'Move down', icon: IconArrowDown, disabled: at === lines.length - 1, run: () => actions.move(line, 1) },
    { label: 'Edit', icon: IconPencil, disabled: false, run: () => edit(line) },
    { label: 'Remove', icon: IconTrash, disabled: false, run: () => remove(line) },
  ]
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      {buttons.map(({ label, icon, disabled, run }) => (
        <RowAction key={label} icon={icon} label={label} of={name} disabled={disabled} waiting={busy} onClick={run} />
      ))}
    </Group>
  )
}
