import { invalid, quote } from '../../../platform/core/refusal.ts'
import type { Definition, Field } from '../../kinds/kind.ts'
import { isRecord } from '../../model/check.ts'
import type { Filter } from './condition.ts'

/** No filter that is accepted is deeper. */
const deepest = 8

/** The same filter, with currencies in the form in which they are stored. A code that is no currency is refused: it would find nothing, and nobody would know why. */
export function withCurrencyCodes(
  definition: Definition,
  filter: Filter | undefined,
  currencies: ReadonlySet<string>,
): Filter | undefined {
  const paths = new Set(definition.fields.flatMap(currencyPaths))
  return filter === undefined || paths.size === 0 ? filter : (read(filter, 'filter', 0) as Filter)

  /** What is not a filter stays as it is, and is refused where it is read. */
  function read(node: unknown, at: string, depth: number): unknown {
    if (!isRecord(node) || depth > deepest) return node
    if ('not' in node) return { ...node, not: read(node.not, `${at}.not`, depth + 1) }
    for (const all of ['and', 'or'] as const) {
      const parts = node[all]
      if (Array.isArray(parts))
        return { ...node, [all]: parts.map((part, index) => read(part, `${at}.${all}[${index}]`, depth + 1)) }
    }
    const { field, op, value } = node
    if (typeof field !== 'string' || !paths.has(field)) return node
    if (op === 'eq' || op === 'ne') return { ...node, value: codeOf(value, `${at}.value`) }
    return op === 'in' && Array.isArray(value)
      ? { ...node, value: value.map((one, index) => codeOf(one, `${at}.value[${index}]`)) }
      : node
  }

  function codeOf(value: unknown, at: string): unknown {
    if (typeof value !== 'string') return value
    const code = value.toLowerCase()
    if (!currencies.has(code))
      throw invalid(
        at,
        'unknown_currency',
        `"${at}" must be the ISO 4217 code of a currency, such as "usd", not ${quote(value)}.`,
      )
    return code
  }
}

function currencyPaths({ key, format, items }: Field): string[] {
  if (format === 'currency') return [key]
  return items && 'fields' in items ? items.fields.flatMap(currencyPaths).map((path) => `${key}.${path}`) : []
}
