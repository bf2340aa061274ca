/** What the organization does about its partners' portal. */
export const config = { scope: 'partner_portal' } as const
export const tags = ['Partner portal']
export const base = '/partner_portal'
