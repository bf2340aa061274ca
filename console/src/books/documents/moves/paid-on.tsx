import { TextInput, type TextInputProps } from '@mantine/core'
import { today } from '../../../app/values/dates.ts'

type PaidOnProps = Pick<TextInputProps, 'error' | 'maw' | 'mb'> & { value: string; change: (day: string) => void }

/** The day of a payment, today or before. */
export function PaidOn({ change, ...props }: PaidOnProps) {
  return (
    <TextInput
      type="date"
      label="Paid on"
      required
      max={today()}
      onChange={(event) => change(event.currentTarget.value)}
      data-autofocus
      {...props}
    />
  )
}
