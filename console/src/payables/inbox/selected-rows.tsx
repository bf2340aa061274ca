import { Button, Group, Paper, Text } from '@mantine/core'
import { useMoney } from '../../app/api/currencies.ts'
import { IconCheck } from '../../app/icons/icons.ts'
import { bills } from '../../books/bills/kind.ts'
import { PaymentButton } from '../../books/documents/selection/payment-button.tsx'
import styles from '../../books/documents/selection/selected.module.css'
import { sumsOf } from '../../books/documents/selection/sums.ts'
import type { Tab } from '../carrier-invoices/paths.ts'
import type { Row } from '../carrier-invoices/rows.ts'
import { sumPartOf } from './approve-rows-dialog.tsx'

type SelectedRowsProps = { tab: Tab; rows: readonly Row[]; approve: () => void; clear: () => void }

/** The selected rows, their sum in every currency, and what can be done with them. */
export function SelectedRows({ tab, rows, approve, clear }: SelectedRowsProps) {
  const money = useMoney()
  return (
    <Paper
      withBorder
      px="sm"
      py={6}
      mt="sm"
      component="section"
      aria-label="Selected"
      className={styles.selected ?? ''}
    >
      <Text size="sm" aria-live="polite" mb={6}>
        <b>{rows.length.toLocaleString()} selected</b> · {sumsOf(rows.map(sumPartOf), money)}
      </Text>
      <Group gap="xs">
        {tab === 'approve' && (
          <Button size="xs" leftSection={<IconCheck size={15} aria-hidden />} onClick={approve}>
            Approve
          </Button>
        )}
        {tab === 'pay' && <PaymentButton kind={bills} documents={rows.flatMap(({ bill }) => bill ?? [])} />}
        <Button size="xs" variant="subtle" onClick={clear}>
          Clear
        </Button>
      </Group>
    </Paper>
  )
}
