type Listener<T extends readonly unknown[]> = (...args: T) => void

function announcements<T extends readonly unknown[]>() {
  const listeners = new Set<Listener<T>>()
  return {
    /** Calls back with each announcement in this process. Returns the way to stop it. */
    listen(listener: Listener<T>): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    announce(...args: T): void {
      for (const listener of listeners) listener(...args)
    },
  }
}

/** An organization has events that were committed in this process, and have no place in the feed yet. */
export const recorded = announcements<[org: string]>()

/** The feed of an organization has grown, up to this position. */
export const published = announcements<[org: string, lastPosition: number]>()
