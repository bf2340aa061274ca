/** The name of the constraint that a statement would have broken, or null. On Citus a shard number stands behind the name. */
export function violated(error: unknown): string | null {
  const { code, constraint } = (error ?? {}) as { code?: string; constraint?: string }
  return code?.startsWith('23') && constraint ? constraint.replace(/_\d{5,}$/, '') : null
}
