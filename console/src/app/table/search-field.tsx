import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '../icons/icons.ts'
import { useTyped } from './use-typed.ts'

/** Searches while the person types; the text is kept in the address. */
export function SearchField({
  label,
  value,
  change,
}: {
  label: string
  value: string
  change: (next: string) => void
}) {
  const { typed, setTyped, applied } = useTyped(value)
  const apply = useDebouncedCallback((term: string) => {
    applied.current = term
    change(term)
  }, 250)
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      value={typed}
      maxLength={255}
      mb="md"
      maw="24rem"
      leftSection={<IconSearch size={16} aria-hidden />}
      // Applied after a link was followed, it would lead back from there.
      onBlur={() => apply.flush()}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value)
        apply(currentTarget.value.trim())
      }}
    />
  )
}
