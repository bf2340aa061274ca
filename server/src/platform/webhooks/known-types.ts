import type { Context } from '../context.ts'
import { nearestTo } from '../core/near-names.ts'
import { invalid, quote } from '../core/refusal.ts'

/** Every noun that can be in an event of the organization: the ones that all have, and its own kinds of objects. */
export type NounsOf = (ctx: Context) => Promise<readonly { noun: string; verbs: readonly string[] }[]>

/** Refuses a type of event that never comes, with those that it comes close to: a webhook for it would stay silent, and nobody would learn why. */
export async function requireKnownTypes(
  ctx: Context,
  nounsOf: NounsOf,
  patterns: readonly string[] = [],
  field = 'event_types',
): Promise<void> {
  const asked = patterns.filter((pattern) => pattern !== '*')
  if (asked.length === 0) return
  const verbs = new Map<string, string[]>()
  for (const { noun, verbs: more } of await nounsOf(ctx)) verbs.set(noun, [...(verbs.get(noun) ?? []), ...more])
  const unknown = asked.find((pattern) => !isKnown(pattern, verbs))
  if (unknown === undefined) return
  const near = nearTo(unknown, verbs)
  const hint =
    near.length > 0
      ? ` Did you mean ${quote(near[0] as string)}?`
      : ' The section "webhooks" of the OpenAPI document lists all types.'
  throw invalid(
    field,
    'unknown_event_type',
    `There is no type of event ${quote(unknown)}, so nothing would be sent.${hint}`,
    near,
  )
}

function isKnown(pattern: string, verbs: ReadonlyMap<string, readonly string[]>): boolean {
  const [noun = '', verb = ''] = pattern.split('.')
  const known = verbs.get(noun)
  return known !== undefined && (verb === '*' || known.includes(verb))
}

/** The nearest first, then all of its noun. */
function nearTo(unknown: string, verbs: ReadonlyMap<string, readonly string[]>): string[] {
  const [noun = '', verb = ''] = unknown.split('.')
  const typesOf = (noun: string) => [`${noun}.*`, ...(verbs.get(noun) ?? []).map((verb) => `${noun}.${verb}`)]
  const nouns = [...verbs.keys()]
  // People write the name of the list: `invoices.paid`.
  const meant = verbs.has(noun) ? noun : (nouns.find((one) => `${one}s` === noun) ?? nearestTo(noun, nouns))
  if (meant === undefined) return [nearestTo(unknown, nouns.flatMap(typesOf))].filter((type) => type !== undefined)
  const types = typesOf(meant)
  const nearest = isKnown(`${meant}.${verb}`, verbs) ? `${meant}.${verb}` : nearestTo(`${meant}.${verb}`, types)
  return [...new Set([...(nearest === undefined ? [] : [nearest]), ...types])]
}
