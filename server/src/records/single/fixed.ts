import type { Context } from '../../platform/context.ts'
import { invalidAll, type Refusal } from '../../platform/core/refusal.ts'
import type { Extension, TouchedObject, Write } from '../kinds/extension.ts'
import { renameField } from '../model/apply.ts'
import type { Naming } from '../model/object.ts'
import { inJson } from './decide.ts'

/** Refuses a change or deletion that an extension of the kind does not allow. Called with the object locked. */
export async function requireChangeable(
  ctx: Context,
  extensions: readonly Extension[],
  object: TouchedObject & { objectKey: string },
): Promise<void> {
  const [refusal] = (await findFixed(ctx, extensions, [object])).values()
  if (refusal) throw refusal
}

/** Why some of these objects must stay as they are, by their ids. Called with the objects locked. */
export async function findFixed(
  ctx: Context,
  extensions: readonly Extension[],
  objects: readonly (TouchedObject & { objectKey: string })[],
): Promise<ReadonlyMap<string, Refusal>> {
  const found = new Map<string, Refusal>()
  for (const { objectKey, findFixed } of extensions) {
    const touched = objects.filter((object) => object.objectKey === objectKey)
    if (touched.length > 0) for (const [id, refusal] of await findFixed(ctx, touched)) found.set(id, refusal)
  }
  return found
}

export type WriteOf = Write & { objectKey: string }

/** Refuses a write that brings what an extension of the kind finds wrong. */
export async function requireRight(ctx: Context, options: Checking, write: WriteOf): Promise<void> {
  const [refusal] = (await findWrong(ctx, options, [write])).values()
  if (refusal) throw refusal
}

type Checking = { extensions: readonly Extension[]; naming?: Naming }

/** What is wrong with these writes, by the ids of their objects. */
export async function findWrong(
  ctx: Context,
  { extensions, naming = inJson }: Checking,
  writes: readonly WriteOf[],
): Promise<ReadonlyMap<string, Refusal>> {
  const found = new Map<string, Refusal>()
  for (const { objectKey, findWrong } of extensions) {
    const own = writes.filter((write) => write.objectKey === objectKey)
    if (!findWrong || own.length === 0) continue
    for (const [id, details] of await findWrong(ctx, own))
      found.set(id, invalidAll(details.map((detail) => renameField(detail, naming))))
  }
  return found
}

/** Refuses a write that an extension of the kind does not allow. Called with the object locked, before it is written. */
export async function requireAllowed(ctx: Context, extensions: readonly Extension[], write: WriteOf): Promise<void> {
  const [refusal] = (await findRefused(ctx, extensions, [write])).values()
  if (refusal) throw refusal
}

/** Why some of these writes must not happen, by the ids of their objects. */
export async function findRefused(
  ctx: Context,
  extensions: readonly Extension[],
  writes: readonly WriteOf[],
): Promise<ReadonlyMap<string, Refusal>> {
  const found = new Map<string, Refusal>()
  for (const { objectKey, findRefused } of extensions) {
    const own = writes.filter((write) => write.objectKey === objectKey)
    if (findRefused && own.length > 0) for (const [id, refusal] of await findRefused(ctx, own)) found.set(id, refusal)
  }
  return found
}

/** Lets the extensions of the kinds keep what follows from these writes, in the same transaction. */
export async function afterWrites(
  ctx: Context,
  extensions: readonly Extension[],
  writes: readonly WriteOf[],
): Promise<void> {
  for (const { objectKey, afterWrite } of extensions) {
    const own = writes.filter((write) => write.objectKey === objectKey)
    if (afterWrite && own.length > 0) await afterWrite(ctx, own)
  }
}
