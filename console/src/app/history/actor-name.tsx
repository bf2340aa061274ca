import type { Schemas } from '@lading/sdk'
import { useMe } from '../api/me.ts'

type Actor = Schemas['Event']['actor']

/** Who made a change, in words. */
export function ActorName({ actor: { type, id }, name }: { actor: Actor; name: string | null }) {
  const { user } = useMe()
  if (user?.id === id) return 'you'
  if (type === 'application') return name ? `the application ${name}` : 'a deleted application'
  return name ?? (type === 'user' ? 'a deleted user' : 'the system')
}
