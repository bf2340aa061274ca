import { invalid } from '../refusal.ts'

const deepest = 64

/**
 * Only text that PostgreSQL can keep unchanged gets in: `__proto__` as a key, NUL characters and halves of surrogate pairs cannot make a faithful round trip.
 * Gives back how many keys there are.
 */
export function requireStorable(value: unknown, path = '', depth = 0): number {
  if (typeof value === 'string') {
    const problem = unstorable(value)
    if (problem)
      throw invalid(path, 'bad_text', `${path ? `"${path}"` : 'The body'} contains ${problem}, which cannot be stored.`)
  }
  if (typeof value !== 'object' || value === null) return 0
  if (depth >= deepest)
    throw invalid(path.split('.')[0] ?? '', 'too_deep', `The body is nested more than ${deepest} levels deep.`)
  let keys = 0
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      keys += requireStorable(item, path ? `${path}.${index}` : String(index), depth + 1)
    return keys
  }
  for (const key of Object.keys(value)) {
    const inner = path ? `${path}.${key}` : key
    if (key === '__proto__') throw invalid(inner, 'bad_key', 'A field cannot be called "__proto__".')
    const problem = unstorable(key)
    if (problem) throw invalid(path, 'bad_key', `A field name contains ${problem}, which cannot be stored.`)
    keys += 1 + requireStorable((value as Record<string, unknown>)[key], inner, depth + 1)
  }
  return keys
}

export function unstorable(text: string): string | null {
  if (text.includes('\0')) return 'a NUL character'
  return text.isWellFormed() ? null : 'half of a surrogate pair'
}
