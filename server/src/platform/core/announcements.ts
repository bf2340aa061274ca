type Listener<T extends readonly unknown[]> = (...args: T) => void

/** Something that happens in this process and that others in it want to know at once. */
export function announcements<T extends readonly unknown[]>() {
  const listeners = new Set<Listener<T>>()
  return {
    /** Calls back with each announcement. Returns the way to stop it. */
    listen(listener: Listener<T>): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    announce(...args: T): void {
      for (const listener of listeners) listener(...args)
    },
  }
}
