import { useQuery } from '@tanstack/react-query'
import { useMe } from '../app/api/me.ts'
import { waitingCountQuery } from '../payables/payees/queries.ts'
import { payeesPath } from '../payables/payees/routes.ts'
import type { Work } from './work.ts'

/** The changes of payees that wait for a second person, for those who may approve; nothing where none waits. */
export function useWaitingPayees(): Work[] {
  const { may } = useMe()
  const { data: count = 0 } = useQuery({ ...waitingCountQuery, enabled: may('approve') })
  return count > 0
    ? [{ label: 'Payee changes to approve', to: payeesPath, search: { show: 'waiting' }, count, sums: [] }]
    : []
}
