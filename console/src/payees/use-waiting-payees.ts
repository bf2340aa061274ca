import { useQuery } from '@tanstack/react-query'
import { useMe } from '../api/me.ts'
import type { Work } from '../home/work.ts'
import { waitingCountQuery } from './queries.ts'
import { payeesPath } from './routes.ts'

/** The changes of payees that wait for a second person, for those who may approve; nothing where none waits. */
export function useWaitingPayees(): Work[] {
  const { may } = useMe()
  const { data: count = 0 } = useQuery({ ...waitingCountQuery, enabled: may('approve') })
  return count > 0
    ? [{ label: 'Payee changes to approve', to: payeesPath, search: { show: 'waiting' }, count, sums: [] }]
    : []
}
