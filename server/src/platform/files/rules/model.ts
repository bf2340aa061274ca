/** What a rule can hold back. */
export const steps = ['approve', 'pay'] as const
export type Step = (typeof steps)[number]
