import { TextInput, type TextInputProps } from '@mantine/core'
import { useBooksToday } from '../../../app/api/organization.ts'

type PaidOnProps = Pick<TextInputProps, 'error' | 'maw' | 'mb'> & { value: string; change: (day: string) => void }

/** The day of a payment, today or before. */
export function PaidOn({ change, ...props }: PaidOnProps) {
  return (
    <TextInput
      type="date"
      label="Paid on"
      required
      max={useBooksToday()}
      onChange={(event) => change(event.currentTarget.value)}
      data-autofocus
      {...props}
    />
  )
}
