import { TextInput, type TextInputProps } from '@mantine/core'

type NumberInputProps = Omit<TextInputProps, 'value' | 'onChange'> & {
  value: string
  onChange: (typed: string) => void
  /** What the text is replaced with when the person leaves the input: the number as it was understood. */
  shownBack: (typed: string) => string
}

/** An input for a number or an amount, typed as in the person's language. */
export function NumberInput({ value, onChange, shownBack, ...props }: NumberInputProps) {
  const leave = () => {
    const shown = value.trim() === '' ? value : shownBack(value)
    if (shown !== value) onChange(shown)
  }
  return (
    <TextInput
      inputMode="decimal"
      autoComplete="off"
      {...props}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onBlur={leave}
    />
  )
}
