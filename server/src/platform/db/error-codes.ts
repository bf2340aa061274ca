import { type ErrorCodes, is } from '../core/error-code.ts'

export const dbCodes: ErrorCodes = {
  search_too_slow: is(
    400,
    'The search takes longer than a search may.',
    'Narrow it with conditions that fewer records fit, search for words of three letters or more, or export what you look for.',
  ),
  too_many_streams: is(
    429,
    'As many exports are under way as the organization, or the server, may have at once.',
    'Try again after the seconds in Retry-After.',
  ),
}
