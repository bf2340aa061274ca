/** Whether a manifest in this state is expected nowhere any more. */
export function isOver(status: string): boolean {
  return status === 'completed' || status === 'cancelled' || status === 'inactive'
}
