import { queryOptions } from '@tanstack/react-query'
import { answered } from '../../app/api/problem.ts'
import { lading } from '../../app/api/session.ts'

export type NamedObject = { name: string; fullId: string }
type Waiting = PromiseWithResolvers<NamedObject | null>

const most = 200
const waiting = new Map<string, Map<string, Waiting>>()

/** What an object is called; null where there is none with this id. The names that one page needs are read together, in one request for each kind. */
export const nameQuery = (objectKey: string, id: string) =>
  queryOptions({ queryKey: ['objects', 'name', objectKey, id], queryFn: () => nameOf(objectKey, id) })

function nameOf(objectKey: string, id: string): Promise<NamedObject | null> {
  const ofKind = waiting.get(objectKey) ?? new Map<string, Waiting>()
  if (ofKind.size === 0) {
    waiting.set(objectKey, ofKind)
    setTimeout(() => void readNames(objectKey))
  }
  const asked = ofKind.get(id) ?? Promise.withResolvers<NamedObject | null>()
  ofKind.set(id, asked)
  return asked.promise
}

async function readNames(objectKey: string): Promise<void> {
  const asked = [...(waiting.get(objectKey) ?? [])]
  waiting.delete(objectKey)
  for (let first = 0; first < asked.length; first += most) await readSome(objectKey, asked.slice(first, first + most))
}

async function readSome(objectKey: string, asked: readonly (readonly [string, Waiting])[]): Promise<void> {
  try {
    const filter = { field: 'id', op: 'in', value: asked.map(([id]) => id) }
    const body = { objectKey, paths: ['name', 'fullId'], filter, limit: most }
    const { objects } = await answered(lading.POST('/api/v2/platformModel/objects/search', { body }))
    const found = new Map((objects as unknown as (NamedObject & { id: string })[]).map((object) => [object.id, object]))
    for (const [id, { resolve }] of asked) resolve(found.get(id) ?? null)
  } catch (error) {
    for (const [, { reject }] of asked) reject(error)
  }
}
