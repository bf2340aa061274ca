import { Button, Group, Paper, Text } from '@mantine/core'
import { IconCash, IconDeviceFloppy, IconSend, IconStack2 } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useMoney } from '../api/currencies.ts'
import type { Bill } from './bill.ts'
import { type ManyMove, MoveSelected } from './move-selected.tsx'
import styles from './selected.module.css'
import { groupsOf } from './statement-groups.ts'
import { StatementsDialog } from './statements-dialog.tsx'
import { sumsOf } from './sums.ts'

const moves = [
  { move: 'save', label: 'Save', icon: IconDeviceFloppy },
  { move: 'send', label: 'Send', icon: IconSend },
  { move: 'pay', label: 'Pay', icon: IconCash },
] as const

type SelectedProps = { bills: readonly Bill[]; keep: (bills: readonly Bill[]) => void }

/** The selected bills, also those on other pages of the list: their sum in every currency, and what can be done with them. */
export function Selected({ bills, keep }: SelectedProps) {
  const money = useMoney()
  const [open, setOpen] = useState<ManyMove | 'statements' | null>(null)
  const sums = sumsOf(bills, money)
  const close = (left: readonly Bill[]) => {
    setOpen(null)
    keep(left)
  }
  return (
    <Paper withBorder px="sm" py={6} mt="sm" component="section" aria-label="Selected bills" className={styles.selected ?? ''}>
      <Group justify="space-between" gap="xs">
        <Text size="sm" aria-live="polite">
          <b>{bills.length.toLocaleString()} selected</b>
          {sums && ` · ${sums}`}
        </Text>
        <Group gap="xs">
          {moves.map(({ move, label, icon: Icon }) => (
            <Button key={move} size="xs" variant="default" leftSection={<Icon size={15} aria-hidden />} onClick={() => setOpen(move)}>
              {label}
            </Button>
          ))}
          <StatementButton bills={bills} open={() => setOpen('statements')} />
          <Button size="xs" variant="subtle" onClick={() => keep([])}>
            Clear selection
          </Button>
        </Group>
      </Group>
      {open === 'statements' && <StatementsDialog bills={bills} close={close} />}
      {open && open !== 'statements' && <MoveSelected move={open} bills={bills} close={close} />}
    </Paper>
  )
}

/** Where all bills fit on one statement, its page asks for the period and the other details. */
function StatementButton({ bills, open }: { bills: readonly Bill[]; open: () => void }) {
  const { groups, left } = groupsOf(bills)
  const props = { size: 'xs', variant: 'default', leftSection: <IconStack2 size={15} aria-hidden /> } as const
  if (groups.length === 1 && left.length === 0) {
    const search = { bills: bills.map(({ id }) => id).join(',') }
    return (
      <Button {...props} renderRoot={(link) => <Link to="/statements/new" search={search} {...link} />}>
        Create a statement
      </Button>
    )
  }
  return (
    <Button {...props} onClick={open}>
      Create statements
    </Button>
  )
}
