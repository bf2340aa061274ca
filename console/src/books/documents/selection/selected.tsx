import { Button, Group, Paper, Text } from '@mantine/core'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useMoney } from '../../../app/api/currencies.ts'
import { useMe } from '../../../app/api/me.ts'
import { IconCash, IconDeviceFloppy, IconSend } from '../../../app/icons/icons.ts'
import type { Document } from '../document.ts'
import type { DocumentKind } from '../kind.ts'
import { rightFor } from '../moves/rights.ts'
import type { ManyMove } from './move-selected.tsx'
import styles from './selected.module.css'
import { sumsOf } from './sums.ts'

// Loaded when it is opened: the list itself is the page that people open first.
const MoveSelected = lazy(async () => ({ default: (await import('./move-selected.tsx')).MoveSelected }))

const moves = [
  { move: 'save', label: 'Save', icon: IconDeviceFloppy },
  { move: 'send', label: 'Send', icon: IconSend },
  { move: 'pay', label: 'Pay', icon: IconCash },
] as const

type SelectedProps<D extends Document> = {
  kind: DocumentKind<D>
  documents: readonly D[]
  keep: (documents: readonly D[]) => void
  /** Further buttons. */
  children?: ReactNode
}

/** The selected documents, also those on other pages of the list: their sum in every currency, and what can be done with them. */
export function Selected<D extends Document>({ kind, documents, keep, children }: SelectedProps<D>) {
  const money = useMoney()
  const [open, setOpen] = useState<ManyMove | null>(null)
  const { may } = useMe()
  const sums = sumsOf(documents, money)
  // Many at once are a bulk update, which takes the right to enter whatever it does.
  const possible = moves.filter(({ move }) => may('enter') && may(rightFor(move)))
  const close = (left: readonly Document[]) => {
    setOpen(null)
    keep(left as readonly D[])
  }
  return (
    <Paper
      withBorder
      px="sm"
      py={6}
      mt="sm"
      component="section"
      aria-label={`Selected ${kind.many}`}
      className={styles.selected ?? ''}
    >
      <Group justify="space-between" gap="xs">
        <Text size="sm" aria-live="polite">
          <b>{documents.length.toLocaleString()} selected</b>
          {sums && ` · ${sums}`}
        </Text>
        <Group gap="xs">
          {possible.map(({ move, label, icon: Icon }) => (
            <Button
              key={move}
              size="xs"
              variant="default"
              leftSection={<Icon size={15} aria-hidden />}
              onClick={() => setOpen(move)}
            >
              {label}
            </Button>
          ))}
          {children}
          <Button size="xs" variant="subtle" onClick={() => keep([])}>
            Clear selection
          </Button>
        </Group>
      </Group>
      <Suspense>{open && <MoveSelected kind={kind} move={open} documents={documents} close={close} />}</Suspense>
    </Paper>
  )
}
