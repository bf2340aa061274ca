/**
 * The name of the constraint that a statement would have broken, or null. On Citus it stands in the message alone, with the number of the shard behind
 * it.
 */
export function violatedConstraint(error: unknown): string | null {
  const { code, constraint, message } = (error ?? {}) as { code?: string; constraint?: string; message?: string }
  if (!code?.startsWith('23')) return null
  const name = constraint ?? /constraint "([^"]+)"/.exec(message ?? '')?.[1]
  return name?.replace(/_\d{5,}$/, '') ?? null
}
