import { type Skipped, some, unlessItsTurn } from '../depth.ts'

const libraries = ['oauth4webapi', 'openid-client', 'passport-oauth2', 'simple-oauth2'] as const

const chosen = some(libraries)

/** Libraries that people write clients with, each in a file of its own: one of them signs in, another each time, and at full depth all. */
export function inTurn(library: (typeof libraries)[number]): Skipped {
  return unlessItsTurn(chosen.includes(library))
}
