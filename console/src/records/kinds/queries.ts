import { queryOptions, useQuery } from '@tanstack/react-query'
import { ifUnchanged, useChange } from '../../app/api/changes.ts'
import { answered } from '../../app/api/problem.ts'
import { lading } from '../../app/api/session.ts'
import type { Choice } from '../../app/inputs/choices.ts'
import { TooManyRows } from '../../app/transfers/too-many-rows.ts'
import type { Filter } from './filter.ts'
import type { Fields, Kind, PlatformObject } from './kind.ts'

const all = ['objects']
const most = 200
const path = (objectID: string) => ({ params: { path: { objectID } } })

/** The answer contains the changed object, which its page shows at once; lists, references and histories are read again. */
const changed = { touches: all, inBackground: true }

export const kindsQuery = queryOptions({
  queryKey: ['definitions'],
  queryFn: async () => {
    const kinds: Kind[] = []
    for (let total = 1; kinds.length < total; ) {
      const page = await answered(
        lading.GET('/api/v2/platformModel/definitions', { params: { query: { limit: most, offset: kinds.length } } }),
      )
      if (page.definitions.length === 0) break
      kinds.push(...(page.definitions as unknown as Kind[]))
      total = page.total
    }
    return kinds
  },
  staleTime: 60_000,
})

export function useKinds(): readonly Kind[] {
  return useQuery(kindsQuery).data ?? []
}

/** The keys of all fields that the definition of a kind contains, also those that the server sets. */
export const knownFieldsQuery = (objectKey: string) =>
  queryOptions({
    queryKey: ['definitions', objectKey, 'known fields'],
    queryFn: async () => {
      const { properties } = await answered(
        lading.GET('/api/v2/platformModel/definitions/{objectKey}', { params: { path: { objectKey } } }),
      )
      return Object.keys(properties)
    },
    staleTime: 60_000,
  })

export type Search = { objectKey: string; q?: string; filter?: Filter; sort?: string; paths?: string[] }

export const objectsQuery = (search: Search, page: number, size: number) =>
  queryOptions({
    queryKey: [...all, 'list', search, page, size],
    queryFn: () => find(search, { limit: size, offset: (page - 1) * size }),
  })

/** Finds the first few that match, the newest first. */
export const firstQuery = (search: Search, limit: number) =>
  queryOptions({ queryKey: [...all, 'first', search, limit], queryFn: () => find(search, { limit, offset: 0 }) })

async function find({ filter, ...search }: Search, paging: { limit: number; offset: number }) {
  const body = { ...search, ...(filter && { filter: filter as Fields }), ...paging }
  const { objects, ...envelope } = await answered(lading.POST('/api/v2/platformModel/objects/search', { body }))
  return { objects: objects as unknown as PlatformObject[], ...envelope }
}

/** What a file of a list has at most; more is exported in the background. */
const mostInFile = 10_000

/** Finds all that match, page by page. */
export async function findAll(search: Search): Promise<PlatformObject[]> {
  const found: PlatformObject[] = []
  for (let total = 1; found.length < total; ) {
    const page = await find(search, { limit: most, offset: found.length })
    total = page.total
    if (total > mostInFile) throw new TooManyRows()
    if (page.objects.length === 0) break
    found.push(...page.objects)
  }
  return found
}

export const objectQuery = (id: string) =>
  queryOptions({
    queryKey: [...all, 'one', id],
    queryFn: async () =>
      (await answered(lading.GET('/api/v2/platformModel/objects/{objectID}', path(id)))) as unknown as PlatformObject,
  })

export const historyQuery = (id: string, limit: number) =>
  queryOptions({
    queryKey: [...all, 'history', id, limit],
    queryFn: () =>
      answered(
        lading.GET('/api/v2/platformModel/objects/{objectID}/history', {
          params: { path: { objectID: id }, query: { limit } },
        }),
      ),
  })

const known = ['fullId', 'name']

/** The objects that match the text typed so far, as the choices of a select. */
export const choicesQuery = (objectKey: string, q: string) =>
  queryOptions({
    queryKey: [...all, 'choices', objectKey, q],
    queryFn: async () =>
      (await find({ objectKey, paths: known, ...(q && { q }) }, { limit: 20, offset: 0 })).objects.map(choiceOf),
  })

export const choiceQuery = (objectKey: string, id: string) =>
  queryOptions({
    queryKey: [...all, 'choice', objectKey, id],
    queryFn: async ({ client }) => (await client.fetchQuery(referredQuery(objectKey, [id]))).map(choiceOf),
  })

function choiceOf({ id, fullId, name }: PlatformObject): Choice {
  return { value: id, label: name === fullId ? fullId : `${name} (${fullId})` }
}

const referredQuery = (objectKey: string, wanted: readonly string[]) =>
  queryOptions({
    queryKey: [...all, 'referred', objectKey, wanted],
    queryFn: async () =>
      (
        await find(
          { objectKey, paths: known, filter: { field: 'id', op: 'in', value: wanted } },
          { limit: most, offset: 0 },
        )
      ).objects,
  })

/** The objects with these ids, in one request. */
export function useReferred(objectKey: string, ids: readonly string[]): ReadonlyMap<string, PlatformObject> {
  const wanted = [...new Set(ids)].sort()
  const { data } = useQuery({ ...referredQuery(objectKey, wanted), enabled: wanted.length > 0 })
  return new Map(data?.map((object) => [object.id, object]))
}

export function useCreateObject(objectKey: string) {
  return useChange(
    async (json: Fields) =>
      (await answered(
        lading.PATCH('/api/v2/platformModel/objects', { body: { objectKey, json } }),
      )) as unknown as PlatformObject,
    changed,
  )
}

export function useUpdateObject() {
  return useChange(
    async ({ object, json }: { object: PlatformObject; json: Fields }) =>
      (await answered(
        lading.PUT('/api/v2/platformModel/objects/{objectID}', {
          ...path(object.id),
          ...ifUnchanged(object.version),
          body: { json },
        }),
      )) as unknown as PlatformObject,
    changed,
  )
}

export function useDeleteObject(object: PlatformObject, done: () => Promise<void>) {
  return useChange(async () => {
    await answered(
      lading.DELETE('/api/v2/platformModel/objects/{objectID}', { ...path(object.id), ...ifUnchanged(object.version) }),
    )
    // Leave its page before the queries are read again: the object no longer exists.
    await done()
  }, changed)
}

export function useRestoreObject(id: string) {
  return useChange(
    async () =>
      (await answered(
        lading.POST('/api/v2/platformModel/objects/{objectID}/restore', { ...path(id), body: {} }),
      )) as unknown as PlatformObject,
    changed,
  )
}

const exportQuery = ({ objectKey, q, filter, sort }: Search) => ({
  objectKey,
  format: 'csv' as const,
  ...(q && { q }),
  ...(sort && { sort }),
  ...(filter && { filter: JSON.stringify(filter) }),
})

/** All objects of the search as a CSV file. */
export async function exportCsv(search: Search): Promise<Blob> {
  return (await answered(
    lading.GET('/api/v2/platformModel/objects/export', { params: { query: exportQuery(search) }, parseAs: 'blob' }),
  )) as unknown as Blob
}

/** Starts the same export in the background. */
export function startExport(search: Search): Promise<unknown> {
  return answered(lading.POST('/api/v2/platformModel/objects/exports', { params: { query: exportQuery(search) } }))
}
