import { RemoteSelect } from '../../app/inputs/remote-select.tsx'
import { payTermQueries } from './queries.ts'

export function PayTermSelect(props: Omit<Parameters<typeof RemoteSelect>[0], 'search' | 'one'>) {
  return (
    <RemoteSelect label="Pay term" clearable {...props} search={payTermQueries.choices} one={payTermQueries.choice} />
  )
}
