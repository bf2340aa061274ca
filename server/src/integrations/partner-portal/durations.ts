import Type from 'typebox'

const day = 86_400
export const longestSeconds = 90 * day

/** For how long something is good, in seconds. */
export const ExpiresIn = (description: string, usual: number) =>
  Type.Integer({
    minimum: 60,
    maximum: longestSeconds,
    default: usual,
    description: `${description} In seconds, at most 90 days.`,
    examples: [usual],
  })

export const usualTenderSeconds = day
export const usualLinkSeconds = 7 * day
/** Of the link in the mail that offers a load: until it was moved, mostly. */
export const offeredLinkSeconds = 30 * day
