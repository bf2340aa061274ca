/** How money moved. `recorded` says only that it did. */
export const methodWords = {
  recorded: 'Not stated',
  ach: 'ACH',
  wire: 'Wire transfer',
  check: 'Check',
  card: 'Card',
  cash: 'Cash',
  other: 'Other',
} as const

export type Method = keyof typeof methodWords

export const methodChoices = Object.entries(methodWords).map(([value, label]) => ({ value, label }))
