import type { Run } from './rows.ts'
import { sql } from './sql.ts'

/** What tells whether a database knows more letters than those of English: the first of these in lower case is the second. */
export const [capitals, small] = ['ÄЖ', 'äж'] as const

const remedy = `Make the database anew: create database … template template0 encoding 'UTF8' locale 'C.UTF-8'.`

/**
 * Why the database does not know all letters, in sentences that say what to do; null where it does. Names that differ in upper and lower case alone are one
 * name, and searches make no difference between them, by the database's own `lower`: with the locale C it knows the letters from A to Z and no others.
 */
export async function letterFault(run: Run): Promise<string | null> {
  const [server] = await run<{ encoding: string }>(sql`select current_setting('server_encoding') as encoding`)
  if (server?.encoding !== 'UTF8')
    return `The encoding of the database is ${server?.encoding}; Lading needs UTF8. ${remedy}`
  const [letters] = await run<{ known: boolean }>(sql`select lower(${capitals}) = ${small} as known`)
  return letters?.known
    ? null
    : `The locale of the database knows upper and lower case from A to Z alone: to it, Ä and ä have nothing to do with each other. ${remedy}`
}
