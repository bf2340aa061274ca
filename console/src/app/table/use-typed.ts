import { type RefObject, useEffect, useRef, useState } from 'react'

/**
 * The text of a field whose value is kept in the address: what is being typed, until the address changes otherwise, as with the back button.
 * `applied` is the value that this field last put there.
 */
export function useTyped(value: string): {
  typed: string
  setTyped: (next: string) => void
  applied: RefObject<string>
} {
  const [typed, setTyped] = useState(value)
  const applied = useRef(value)
  useEffect(() => {
    if (value === applied.current) return
    applied.current = value
    setTyped(value)
  }, [value])
  return { typed, setTyped, applied }
}
