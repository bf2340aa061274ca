const listeners = new Set<() => void>()

/** Calls back when a transfer was queued in this process. Returns the way to stop it. */
export function onQueued(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export function announceQueued(): void {
  for (const listener of listeners) listener()
}
