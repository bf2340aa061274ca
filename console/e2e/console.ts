/** Opens the console for tests of what is in it. */
import type { Page } from 'playwright-core'
import { newPerson, newSession, type Person, product, type Session } from './product.ts'

export const applications = '/settings/api/oauth-applications'

type Role = 'admin' | 'member'

const sessions = new Map<string, Promise<Session>>()
const people = new Map<Role, Promise<Person>>()

/** Opens a page of the console. Each person signs in once for all tests; signing in has tests of its own. */
export async function openConsole(page: Page, who: Person | Role, path = applications): Promise<void> {
  const person = typeof who === 'string' ? await anyone(who) : who
  const session = sessions.get(person.email) ?? newSession(person)
  sessions.set(person.email, session)
  await page.context().addCookies(await session)
  await page.goto(`${product().url}${path}`)
}

/** One person of each role for all tests that do not need a person of their own: hashing a password is slow on purpose. */
export function anyone(role: Role): Promise<Person> {
  const person = people.get(role) ?? newPerson(role === 'admin' ? 'Ada Admin' : 'Mo Member', role)
  people.set(role, person)
  return person
}

export async function openMenu(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: /sign out$/ }).click()
  await page.getByRole('menuitem', { name: item }).click()
}
