import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'
import { useTyped } from './use-typed.ts'

type TextFilterProps = {
  label: string
  value: string
  change: (next: string) => void
  placeholder?: string
  /** What is wrong with a text, which is then not searched for. */
  check?: (typed: string) => string | null
}

/** A text that filters while it is typed; it is kept in the address. */
export function TextFilter({ label, value, change, placeholder, check = () => null }: TextFilterProps) {
  const { typed, setTyped, applied } = useTyped(value)
  const [isTyping, setIsTyping] = useState(false)
  const apply = useDebouncedCallback((next: string) => {
    if (check(next)) return
    applied.current = next
    change(next)
  }, 300)
  return (
    <TextInput
      label={label}
      placeholder={placeholder}
      value={typed}
      error={isTyping ? null : check(typed.trim())}
      maxLength={128}
      autoComplete="off"
      spellCheck={false}
      // Whoever goes on to something else has typed to the end: applied later, it would lead back from where they went.
      onBlur={() => {
        apply.flush()
        setIsTyping(false)
      }}
      onChange={({ currentTarget }) => {
        setIsTyping(true)
        setTyped(currentTarget.value)
        apply(currentTarget.value.trim())
      }}
    />
  )
}
