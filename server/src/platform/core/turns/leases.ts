/**
 * For so long a process holds what it works on without a word. It renews that several times meanwhile, so what takes longer is held for longer; what a process
 * that was killed held is taken by another after this.
 */
export const leaseMs = 20_000

export type KeptLease = {
  /** Aborted when another process may have it: it has taken it, or the lease could not be renewed in time. */
  lost: AbortSignal
  stopRenewing(): void
}

/** Renews a lease that was just taken until told to stop. `renew` answers false where another has it, and throws where that is not known. */
export function keepLease(renew: () => Promise<boolean>, ms = leaseMs): KeptLease {
  const lost = new AbortController()
  let heldUntil = performance.now() + ms
  const timer = setInterval(async () => {
    const asked = performance.now()
    const held = await renew().catch(() => null)
    if (held) heldUntil = asked + ms
    else if (held === false || performance.now() >= heldUntil)
      lost.abort(new Error('another process may have taken it: the lease was not renewed in time'))
  }, ms / 4).unref()
  return { lost: lost.signal, stopRenewing: () => clearInterval(timer) }
}
