import { useState } from 'react'

type Chosen<Row> = ReadonlyMap<string, Row>

/** The selections of lists, for as long as the console is open: whoever opens a record and comes back finds them again. */
const kept = new Map<string, Chosen<unknown>>()

export function useSelection<Row>(list: string): [Chosen<Row>, (next: Chosen<Row>) => void] {
  const [chosen, setChosen] = useState<Chosen<Row>>(() => (kept.get(list) as Chosen<Row> | undefined) ?? new Map())
  const choose = (next: Chosen<Row>) => {
    kept.set(list, next)
    setChosen(next)
  }
  return [chosen, choose]
}
