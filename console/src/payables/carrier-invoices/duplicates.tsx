import { Alert, Text } from '@mantine/core'
import { IconAlertTriangle } from '../../app/icons/icons.ts'
import type { CarrierInvoice } from './invoice.ts'
import { duplicatesIn } from './states.ts'

/** Repeats, where a decision leads to a payment, that something else has the same number. */
export function Duplicates({ of: invoice }: { of: CarrierInvoice }) {
  const found = duplicatesIn(invoice)
  if (found.length === 0) return null
  return (
    <Alert variant="default" icon={<IconAlertTriangle aria-hidden />} title="It may be paid twice">
      {found.map((message) => (
        <Text key={message} size="sm">
          {message}
        </Text>
      ))}
    </Alert>
  )
}
