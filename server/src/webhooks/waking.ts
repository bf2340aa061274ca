/** There is something to be sent to a webhook, or, without one, to be looked for in the organization. */
type Listener = (org: string, webhook: string | null) => void

const listeners = new Set<Listener>()

/** Calls back when deliveries were made in this process by request. Returns the way to stop it. */
export function onWaiting(listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export function announceWaiting(org: string, webhook: string | null): void {
  for (const listener of listeners) listener(org, webhook)
}
