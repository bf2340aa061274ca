import { invalid, quote } from '../../platform/core/refusal.ts'
import { addressKeys, type Definition, type Field } from '../kinds/kind.ts'
import { otherFields } from '../model/other-fields.ts'

/** What `paths` asks for of an object: all of it or some keys, parts of addresses, and the objects it refers to. */
export type Choice = { all: boolean; keys: string[]; parts: Map<string, string[]>; expanded: Map<string, Expansion> }
export type Expansion = { field: string; many: boolean; choice: Choice }

const mostPaths = 100
const deepest = 3

/** The definition of a kind that a path leads to; refuses a caller that may not see that kind. */
export type Lookup = (objectKey: string) => Promise<Definition>

/**
 * Reads `paths`: `name`, `pickup.city`, `*` for everything, and through a reference `customerId.name`, for which `customer.name` is the same.
 * The object that a reference leads to is answered under the name without its `Id`.
 */
export async function readPaths(definition: Definition, paths: readonly string[], lookup: Lookup): Promise<Choice> {
  if (paths.length > mostPaths) throw invalid('paths', 'too_many', `"paths" can have at most ${mostPaths} entries.`)
  const choice = blank()
  for (const path of paths) await add(choice, definition, stepsOf(path), path, lookup, 0)
  return choice
}

/** A field that the definition does not name is a key like any other here, with or without the prefix that it has in a filter. */
function stepsOf(path: string): string[] {
  const [first, ...rest] = path.split('.')
  return first === otherFields && rest.length === 1 ? rest : path.split('.')
}

async function add(
  choice: Choice,
  definition: Definition,
  [head = '', ...rest]: string[],
  path: string,
  lookup: Lookup,
  depth: number,
): Promise<void> {
  if (rest.length === 0) {
    if (head === '*') choice.all = true
    else if (!/^[^\s.]{1,255}$/.test(head)) throw badPath(path, 'a path is a field, or fields with dots between them')
    else choice.keys.push(head)
    return
  }
  const field = definition.fields.find((field) => field.key === head || (isReference(field) && aliasOf(field) === head))
  if (!field) throw badPath(path, `the kind ${definition.objectKey} has no address and no reference "${head}"`)
  if (field.type === 'address') {
    if (rest.length > 1 || !addressKeys.has(rest[0] as string))
      throw badPath(path, `an address has no part "${rest.join('.')}"`)
    choice.parts.set(head, [...(choice.parts.get(head) ?? []), rest[0] as string])
    return
  }
  const target = targetOf(field)
  if (!target) throw badPath(path, `"${head}" is neither an address nor a reference`)
  if (depth >= deepest) throw badPath(path, `paths lead through at most ${deepest} references`)
  const alias = aliasOf(field)
  const expansion = choice.expanded.get(alias) ?? { field: field.key, many: field.type === 'list', choice: blank() }
  choice.expanded.set(alias, expansion)
  await add(expansion.choice, await lookup(target), rest, path, lookup, depth + 1)
}

function blank(): Choice {
  return { all: false, keys: [], parts: new Map(), expanded: new Map() }
}

function targetOf({ type, objectKey, items }: Field): string | undefined {
  return type === 'list'
    ? items && 'type' in items && items.type === 'reference'
      ? items.objectKey
      : undefined
    : type === 'reference'
      ? objectKey
      : undefined
}

function isReference(field: Field): boolean {
  return targetOf(field) !== undefined
}

/** `customerId` → `customer`, `orderIds` → `orders`; a reference by any other name is answered under its own. */
function aliasOf({ key }: Field): string {
  return key.replace(/(?<=.)Ids$/, 's').replace(/(?<=.)Id$/, '')
}

function badPath(path: string, why: string) {
  return invalid('paths', 'bad_path', `"paths" cannot have ${quote(path)}: ${why}.`)
}
