export const findingCodes = [
  'times_out_of_order',
  'not_enough_time',
  'hours_of_service',
  'late_stop',
  'equipment_mismatch',
  'equipment_conflict',
  'over_capacity',
] as const

/** Something of a plan that cannot work. It is said, and never refused: the dispatcher may know better. */
export type Finding = { code: (typeof findingCodes)[number]; message: string; stop_id: string | null }

export function finding(code: Finding['code'], message: string, stop_id: string | null = null): Finding {
  return { code, message, stop_id }
}
