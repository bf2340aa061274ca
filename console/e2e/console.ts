/** The way into the console, for tests of what is in there. */
import type { Page } from 'playwright-core'
import { newSession, type Person, product, type Session } from './product.ts'

export const applications = '/settings/api/oauth-applications'

const sessions = new Map<string, Promise<Session>>()

/** Opens a page of the console as somebody who signed in before, once for all of their stories; signing in has stories of its own. */
export async function openConsole(page: Page, person: Person, path = applications): Promise<void> {
  const session = sessions.get(person.email) ?? newSession(person)
  sessions.set(person.email, session)
  await page.context().addCookies(await session)
  await page.goto(`${product().url}${path}`)
}

export async function openMenu(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: /sign out$/ }).click()
  await page.getByRole('menuitem', { name: item }).click()
}
