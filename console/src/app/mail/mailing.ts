/** What a mail is sent with, as it is typed. What is left empty the server fills in. */
export type Mailing = { to: string; cc: string; subject: string; message: string }

export const noMailing: Mailing = { to: '', cc: '', subject: '', message: '' }

/** The part of a mailing that was filled in, as the API takes it. */
export function bodyOf(mailing: Mailing): Partial<Mailing> {
  const typed = Object.entries(mailing).map(([name, text]) => [name, text.trim()] as const)
  return Object.fromEntries(typed.filter(([, text]) => text !== ''))
}
