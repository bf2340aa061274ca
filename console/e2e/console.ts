/** The way into the console, for tests of what is in there. */
import type { Page } from 'playwright-core'
import { signIn } from './client.ts'
import { type Person, product } from './product.ts'

export const applications = '/settings/api/oauth-applications'

/** Asks for a page of the console and signs in on the way there. */
export async function openConsole(page: Page, person: Person, path = applications): Promise<void> {
  await page.goto(`${product().url}${path}`)
  await signIn(page, person)
}

export async function openMenu(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: /sign out$/ }).click()
  await page.getByRole('menuitem', { name: item }).click()
}
