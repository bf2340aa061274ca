import { useEffect, useState } from 'react'

const stepMs = 15_000

/** The time, again and again: for texts that say how long ago something was. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), stepMs)
    return () => clearInterval(timer)
  }, [])
  return now
}
