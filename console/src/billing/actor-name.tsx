import type { Schemas } from '@lading/sdk'
import { useMe } from '../api/me.ts'

type Actor = Schemas['Event']['actor']

/** Who did it, as a person says it. */
export function ActorName({ actor: { type, id }, name }: { actor: Actor; name: string | null }) {
  const { user } = useMe()
  if (user?.id === id) return 'you'
  if (type === 'application') return name ? `the application ${name}` : 'an application that is gone'
  return name ?? (type === 'user' ? 'somebody who is gone' : 'Lading itself')
}
