export const config = { scope: 'exchange_rates' } as const
export const tags = ['Exchange rates']
