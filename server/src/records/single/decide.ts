import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../platform/context.ts'
import { type Detail, invalidAll } from '../../platform/core/refusal.ts'
import { currencyIds } from '../definitions/currencies.ts'
import type { Extension } from '../kinds/extension.ts'
import type { Definition } from '../kinds/kind.ts'
import { apply, renameField } from '../model/apply.ts'
import { withoutDefaults } from '../model/defaults.ts'
import { keyOf } from '../model/name.ts'
import type { Content, Fields, LockedObject, Naming } from '../model/object.ts'
import { withReferenceKeys } from '../model/reference-keys.ts'
import { type NamedReference, namesIn, withTargets } from '../model/references.ts'
import { findTargets } from './targets.ts'

export type Source = 'api' | 'manual' | 'import' | 'system'

export type WriteOptions = {
  /** What other parts of the program add to kinds. */
  extensions: readonly Extension[]
  /** Where the object comes from; `api` by default. */
  source?: Source
  /** How refusals name fields; `json.<path>` by default. */
  naming?: Naming
  /** Turns what the caller sent into fields of the definition, given the object before the change; by default they are the fields already. */
  read?: (sent: Fields, definition: Definition, before: LockedObject | null) => Fields
  /** Called with the kind of the object before anything about it is revealed: throws if the caller may not use it. */
  permit?: (objectKey: string) => void
  /** Called with the kind of every object that is referred to by external id or fullId, because the answer shows its id: throws if the caller may not see it. */
  reach?: (objectKey: string) => void
}

export const inJson: Naming = (path) => `json.${path}`
export const anyone = () => {}

/** What becomes of an object when these fields are sent: read, with references looked up, and checked. */
export async function decide(
  ctx: Context,
  definition: Definition,
  before: LockedObject | null,
  json: Fields,
  options: WriteOptions,
) {
  const sent = readSent(definition, before, json, options)
  const targets = await findTargets(ctx, namesReached(definition, sent, options))
  return settle(
    ctx,
    definition,
    before,
    withTargets(definition, sent, (name) => targets.get(keyOf(name))),
    options,
  )
}

/** What the caller sent, in the terms of the definition. */
export function readSent(
  definition: Definition,
  before: LockedObject | null,
  json: Fields,
  { read }: WriteOptions,
): Fields {
  return read
    ? read(json, definition, before)
    : withoutDefaults(withReferenceKeys(definition, json, before?.content.json), before)
}

export function namesReached(definition: Definition, sent: Fields, { reach = anyone }: WriteOptions): NamedReference[] {
  const names = namesIn(definition, sent)
  for (const objectKey of new Set(names.map(({ objectKey }) => objectKey))) reach(objectKey)
  return names
}

/** What becomes of the object, once all references are ids. */
export async function settle(
  ctx: Context,
  definition: Definition,
  before: LockedObject | null,
  sent: Fields,
  { naming = inJson, extensions }: WriteOptions,
) {
  const { after, ignored } = apply(definition, before?.content ?? null, sent, {
    naming,
    currencies: await currencyIds(ctx),
  })
  return { content: await completed(ctx, after, before, definition, { naming, extensions }), ignored }
}

/** With what the extensions of the kind make of the fields, or all that they find wrong. */
async function completed(
  ctx: Context,
  after: Content,
  before: LockedObject | null,
  definition: Definition,
  options: Required<Pick<WriteOptions, 'naming' | 'extensions'>>,
): Promise<Content> {
  let { json } = after
  const wrong: Detail[] = []
  for (const { objectKey, complete } of options.extensions) {
    if (!complete || objectKey !== definition.objectKey) continue
    const made = await complete(ctx, json, before?.content.json ?? null, definition)
    wrong.push(...made.wrong.map((detail) => renameField(detail, options.naming)))
    json = made.json
  }
  if (wrong.length > 0) throw invalidAll(wrong)
  return json === after.json ? after : { ...after, json }
}

/** What the changed fields were before; nothing if nothing changed. */
export function differences(before: Content, after: Content): Record<string, unknown> {
  const fields = Object.keys(after.json).filter(
    (key) => !isDeepStrictEqual(after.json[key], Object.hasOwn(before.json, key) ? before.json[key] : undefined),
  )
  return {
    ...Object.fromEntries(fields.map((key) => [key, Object.hasOwn(before.json, key) ? before.json[key] : null])),
    ...(before.status !== after.status && { status: before.status }),
    ...(before.externalId !== after.externalId && { externalId: before.externalId }),
  }
}
