import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useRef } from 'react'

/** Looks while one types; what is looked for stands in the address, and comes back from there. */
export function SearchField({ label, value, change }: { label: string; value: string; change: (next: string) => void }) {
  const own = useRef(value)
  const apply = useDebouncedCallback((typed: string) => {
    own.current = typed
    change(typed)
  }, 250)
  return (
    <TextInput
      // Anew only where the address changed by itself: typing must not lose its place.
      key={own.current === value ? 'own' : value}
      type="search"
      aria-label={label}
      placeholder={label}
      defaultValue={value}
      maxLength={255}
      mb="md"
      maw="24rem"
      leftSection={<IconSearch size={16} aria-hidden />}
      onChange={(event) => apply(event.currentTarget.value.trim())}
    />
  )
}
