import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../context.ts'
import { currencyIds } from '../definitions/currencies.ts'
import type { Definition } from '../kinds/kind.ts'
import { apply, type Content, type Fields, type Naming } from '../model/apply.ts'
import { withoutUnsaid } from '../model/defaults.ts'
import { keyOf } from '../model/name.ts'
import { type Named, namesIn, withTargets } from '../model/references.ts'
import { findTargets, type Locked } from './object-store.ts'

export type Source = 'api' | 'manual' | 'import' | 'system'

export type WriteOptions = {
  /** Where the object comes from: `api` unless said. */
  source?: Source
  /** How refusals name fields; `json.<path>` unless said. */
  naming?: Naming
  /** What the caller's words mean in the terms of the definition, given what was there before; as they are unless said. */
  read?: (sent: Fields, definition: Definition, before: Locked | null) => Fields
  /** Called with the kind of the object before anything is said about it: throws if the caller may not. */
  permit?: (objectKey: string) => void
  /** Called with the kind of every object that is named otherwise than by its id, which tells the id: throws if the caller may not know of it. */
  reach?: (objectKey: string) => void
}

export const inJson: Naming = (path) => `json.${path}`
export const anyone = () => {}

/** What becomes of an object when these fields are sent: read, referred and checked. */
export async function decide(ctx: Context, definition: Definition, before: Locked | null, json: Fields, options: WriteOptions) {
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
export function readSent(definition: Definition, before: Locked | null, json: Fields, { read }: WriteOptions): Fields {
  return read ? read(json, definition, before) : withoutUnsaid(json, before)
}

export function namesReached(definition: Definition, sent: Fields, { reach = anyone }: WriteOptions): Named[] {
  const names = namesIn(definition, sent)
  for (const objectKey of new Set(names.map(({ objectKey }) => objectKey))) reach(objectKey)
  return names
}

/** What becomes of the object, once every reference is by id. */
export async function settle(ctx: Context, definition: Definition, before: Locked | null, sent: Fields, { naming = inJson }: WriteOptions) {
  const { after, ignored } = apply(definition, before?.content ?? null, sent, { naming, currencies: await currencyIds(ctx) })
  return { content: after, ignored }
}

/** What the changed fields were before; nothing if nothing changed. */
export function differences(before: Content, after: Content): Record<string, unknown> {
  const fields = Object.keys(after.json).filter((key) => !isDeepStrictEqual(after.json[key], Object.hasOwn(before.json, key) ? before.json[key] : undefined))
  return {
    ...Object.fromEntries(fields.map((key) => [key, Object.hasOwn(before.json, key) ? before.json[key] : null])),
    ...(before.status !== after.status && { status: before.status }),
    ...(before.externalId !== after.externalId && { externalId: before.externalId }),
  }
}
