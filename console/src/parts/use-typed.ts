import { type RefObject, useEffect, useRef, useState } from 'react'

/**
 * What stands in a field whose value is in the address: what is being typed, until the address changes by other hands, as the back button does.
 * `applied` is what was last sent there from here.
 */
export function useTyped(value: string): { typed: string; setTyped: (next: string) => void; applied: RefObject<string> } {
  const [typed, setTyped] = useState(value)
  const applied = useRef(value)
  useEffect(() => {
    if (value === applied.current) return
    applied.current = value
    setTyped(value)
  }, [value])
  return { typed, setTyped, applied }
}
