import { useQuery } from '@tanstack/react-query'
import { useMe } from '../../app/api/me.ts'
import { settings } from '../../app/api/settings.ts'
import { peopleNamesQuery } from '../../settings/people/queries.ts'
import { applicationNamesQuery } from '../oauth-applications/queries.ts'
import type { Event } from './queries.ts'

/** Who did it, and through which application. Only admins may read the names of users and applications. */
export function useActorWords(): (actor: Event['actor']) => string {
  const { user, isAdmin } = useMe()
  const { data: people } = useQuery({ ...peopleNamesQuery, enabled: isAdmin })
  const { data: applications } = useQuery({ ...applicationNamesQuery, enabled: isAdmin })
  const nameOfUser = (id: string) => people?.find((person) => person.id === id)?.name ?? 'A user'
  const nameOfApplication = (clientId: string) => applications?.find(({ client_id }) => client_id === clientId)?.name
  return ({ type, id, application_id }) => {
    if (type === 'application') return nameOfApplication(id) ?? 'An application'
    if (type !== 'user') return 'Lading'
    const who = id === user?.id ? 'You' : nameOfUser(id)
    if (typeof application_id !== 'string' || application_id === settings.clientId) return who
    return `${who} through ${nameOfApplication(application_id) ?? 'an application'}`
  }
}
