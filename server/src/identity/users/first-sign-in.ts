import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Database } from '../../platform/db/database.ts'
import { type FirstPassword, findFirstPasswords, type Owner, ownerOf } from '../people/people.ts'
import { acceptWithFirstPassword, chooseAccount } from './invitations.ts'

const goodForMs = 15 * 60_000

/** What lets a person who came with a first password choose their own on the next page. It is worth nothing once that password is void. */
export function ticketFor(key: string, firstPassword: FirstPassword, at: Date): string {
  const expires = at.getTime() + goodForMs
  return `${firstPassword.id}.${expires}.${signatureOf(key, firstPassword, expires)}`
}

/** The first password for which this ticket was made, if both are still good. */
export async function readTicket(
  { pool }: Database,
  key: string,
  { email, ticket }: { email: string; ticket: string },
  at: Date,
): Promise<FirstPassword | null> {
  const [id, expires = '', signature = ''] = ticket.split('.')
  const found = (await findFirstPasswords(pool, email)).find((one) => one.id === id)
  if (!found || !(Number(expires) > at.getTime())) return null
  const [sent, right] = [Buffer.from(signature), Buffer.from(signatureOf(key, found, Number(expires)))]
  return sent.length === right.length && timingSafeEqual(sent, right) ? found : null
}

/** Joins the organization that gave the first password, with a password that nobody else chose; null where somebody did so just before. */
export async function chooseOwnPassword(
  database: Database,
  firstPassword: FirstPassword,
  password: string,
  at: Date,
): Promise<Owner | null> {
  const joinsAs = await chooseAccount(database, firstPassword, password, at)
  const person = await acceptWithFirstPassword(database, firstPassword, joinsAs)
  const owner = person ? await ownerOf(database, person) : undefined
  // With the password that was entered here: it may have been changed since.
  return owner ? { ...owner, password_hash: joinsAs.password_hash } : null
}

function signatureOf(key: string, { id, password_hash }: FirstPassword, expires: number): string {
  return createHmac('sha256', key).update(`first password ${id} ${expires} ${password_hash}`).digest('base64url')
}
