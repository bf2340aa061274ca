import { useQuery } from '@tanstack/react-query'
import { useMe } from '../app/api/me.ts'
import { organizationQuery } from '../app/api/organization.ts'
import { awaitingQuery } from '../books/approvals/queries.ts'
import type { Work } from './work.ts'

/** What waits for the approval of the person who is signed in, where the organization has bills approved. */
export function useApprovals(): Work[] {
  const { may } = useMe()
  const { data: organization } = useQuery(organizationQuery)
  const isAsked = organization?.approvals === 'on' && may('approve')
  const { data: count } = useQuery({ ...awaitingQuery, enabled: isAsked })
  return isAsked && count !== undefined
    ? [{ label: 'Waiting for your approval', to: '/bills', search: { state: 'to_approve' }, count, sums: [] }]
    : []
}
