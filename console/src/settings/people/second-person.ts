import { useQuery } from '@tanstack/react-query'
import { useMe } from '../../app/api/me.ts'
import { peopleNamesQuery } from './queries.ts'

/** Whether the person who is signed in may approve what somebody asked for. Who asked cannot, unless the organization has nobody else; people of carriers are not of it. */
export function useSecondPerson(requestedBy: string): { isOwn: boolean; canApprove: boolean; why: string | null } {
  const { user, isAdmin, may } = useMe()
  const isOwn = user?.id === requestedBy
  const mustAsk = isOwn && isAdmin
  const { data: people, isPending } = useQuery({ ...peopleNamesQuery, enabled: mustAsk })
  const isOnly =
    people?.filter(({ disabled_at, joined_at, role }) => !disabled_at && joined_at && role !== 'partner').length === 1
  if (!may('approve')) return { isOwn, canApprove: false, why: 'Your role does not allow you to approve it.' }
  if (!isOwn || isOnly) return { isOwn, canApprove: true, why: null }
  return {
    isOwn,
    canApprove: false,
    why: mustAsk && isPending ? null : 'You asked for it, so another person has to approve it.',
  }
}
