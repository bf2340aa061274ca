/** Whether the server answers: not at all, or later than people expect. */
export type Connection = 'good' | 'slow' | 'lost'

/** A request that takes longer is worth a word. */
const patienceMs = 5000

let isLost = false
/** How often it was lost so far: an answer to what was sent before that says nothing about now. */
let losses = 0
let slowRequests = 0
const listeners = new Set<() => void>()

/** Watches every request of the console. */
export function watchRequests(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    let isSlow = false
    const lossesBefore = losses
    const patience = setTimeout(() => {
      isSlow = true
      change(() => slowRequests++)
    }, patienceMs)
    try {
      const response = await fetch(input, init)
      if (losses === lossesBefore) change(() => (isLost = false))
      return response
    } catch (error) {
      // Whatever the reason, the browser's fetch says no more than this when there is no answer.
      if (error instanceof TypeError) change(lose)
      throw error
    } finally {
      clearTimeout(patience)
      if (isSlow) change(() => slowRequests--)
    }
  }
}

export function connection(): Connection {
  return isLost ? 'lost' : slowRequests > 0 ? 'slow' : 'good'
}

/** Calls when the connection changed, until the answer is called. */
export function onConnection(listener: () => void): () => void {
  const onOffline = () => change(lose)
  window.addEventListener('offline', onOffline)
  listeners.add(listener)
  return () => {
    window.removeEventListener('offline', onOffline)
    listeners.delete(listener)
  }
}

function lose(): void {
  if (!isLost) losses++
  isLost = true
}

function change(make: () => unknown): void {
  const before = connection()
  make()
  if (connection() !== before) for (const listener of listeners) listener()
}
