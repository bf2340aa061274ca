/** Opens the console for tests of what is in it. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page, Request } from 'playwright-core'
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
  await untilRead(page, () => page.goto(`${product().url}${path}`))
}

const longestMs = 5_000

/** Until all that the page reads at first is there: what comes later moves what is below it, and a click could miss. The feed of changes never ends. */
async function untilRead(page: Page, open: () => Promise<unknown>): Promise<void> {
  const underWay = new Set<Request>()
  const begin = (request: Request) => void (request.url().includes('/events/stream') || underWay.add(request))
  const end = (request: Request) => void underWay.delete(request)
  page.on('request', begin).on('requestfinished', end).on('requestfailed', end)
  await open()
  const since = Date.now()
  for (let quiet = 0; quiet < 3 && Date.now() - since < longestMs; quiet = underWay.size === 0 ? quiet + 1 : 0)
    await sleep(30)
  page.off('request', begin).off('requestfinished', end).off('requestfailed', end)
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
