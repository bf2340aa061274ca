import { nearestTo } from '../../core/near-names.ts'

/** A name that nothing here knows, where it stands, and those that are known there. */
export type UnknownName = { name: string; within?: string; known: readonly string[] }

/** More are counted only, and longer ones cut: whoever sends them must not be able to make a header of any length. */
export const most = { names: 10, letters: 64 }

/** The text of a header that names what was ignored, each with the known name that it comes close to; of `count` in all, of which the first are given. */
export function ignoredNames(unknown: readonly UnknownName[], count = unknown.length): string {
  const shown = unknown.slice(0, most.names).map(({ name, within = '', known }) => {
    const nearest = nearestTo(name, known)
    return nearest ? `${inHeader(within + name)}; did you mean ${nearest}?` : inHeader(within + name)
  })
  const more = count > shown.length ? [`and ${count - shown.length} more`] : []
  return [...shown, ...more].join(', ')
}

/** Whatever could end the header or be read as two names is percent-encoded. */
function inHeader(name: string): string {
  const cut = name.length > most.letters ? `${name.slice(0, most.letters)}...` : name
  return encodeURIComponent(cut.toWellFormed()).replaceAll('%5B', '[').replaceAll('%5D', ']')
}
