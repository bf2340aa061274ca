import type { Paths, Schemas } from '@lading/sdk'
import { keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query'
import { ifUnchanged, useChange } from '../../app/api/changes.ts'
import { everyRow } from '../../app/api/every-row.ts'
import { answered } from '../../app/api/problem.ts'
import { lading } from '../../app/api/session.ts'
import { pageSize } from '../../app/table/page-number.ts'
import { saveFile } from '../../app/values/save-file.ts'

export type Connector = Schemas['Connector']
export type Connection = Schemas['ConnectorOrg']
export type Mapping = Schemas['ConnectorMapping']
export type MappingKind = Mapping['kind']
export type Sync = Schemas['ConnectorSync']
export type SyncResult = Schemas['ConnectorSyncResult']
export type RemoteList = NonNullable<Connector['mappings'][number]['list']>
export type Edit = { name?: string; settings?: Record<string, string | null>; secrets?: Record<string, string | null> }
type CheckAnswer =
  Paths['/api/v1/connectors_orgs/{connectionID}/check']['post']['responses']['200']['content']['application/json']
export type Gap = CheckAnswer['missing'][number]

const path = (connectionID: string) => ({ params: { path: { connectionID } } })
const changed = { touches: ['connections'] }
/** A sync changes what documents say, and makes payments. */
const synced = { touches: ['connections', 'bills', 'invoices', 'payments'] }

export const connectorsQuery = queryOptions({
  queryKey: ['connectors'],
  queryFn: async () => (await answered(lading.GET('/api/v1/connectors'))).connectors,
})

export const connectionsQuery = queryOptions({
  queryKey: ['connections', 'list'],
  queryFn: () =>
    everyRow('connectors_orgs', (query) => answered(lading.GET('/api/v1/connectors_orgs', { params: { query } }))),
})

export const connectionQuery = (id: string) =>
  queryOptions({
    queryKey: ['connections', id],
    queryFn: async () => (await answered(lading.GET('/api/v1/connectors_orgs/{connectionID}', path(id)))).connector_org,
  })

export const historyQuery = (id: string, limit: number) =>
  queryOptions({
    queryKey: ['connections', id, 'history', limit],
    queryFn: () =>
      answered(
        lading.GET('/api/v1/connectors_orgs/{connectionID}/history', {
          params: { path: { connectionID: id }, query: { limit } },
        }),
      ),
  })

export type MappingsSearch = { kind: MappingKind; term: string; mapped: boolean | null; page: number }

export const mappingsQuery = (id: string, { kind, term, mapped, page }: MappingsSearch) => {
  const query = {
    kind,
    ...(term && { search_term: term }),
    ...(mapped !== null && { mapped }),
    limit: pageSize,
    offset: (page - 1) * pageSize,
  }
  return queryOptions({
    queryKey: ['connections', id, 'mappings', query],
    queryFn: () =>
      answered(
        lading.GET('/api/v1/connectors_orgs/{connectionID}/mappings', {
          params: { path: { connectionID: id }, query },
        }),
      ),
    placeholderData: keepPreviousData,
  })
}

/** Asked there, so not again for some minutes. */
export const remoteQuery = (id: string, list: RemoteList) =>
  queryOptions({
    queryKey: ['connection-remote', id, list],
    queryFn: async () =>
      (
        await answered(
          lading.GET('/api/v1/connectors_orgs/{connectionID}/remote/{list}', {
            params: { path: { connectionID: id, list } },
          }),
        )
      ).remote,
    staleTime: 5 * 60_000,
    retry: false,
  })

/** While something runs it is looked at again. */
export const syncsQuery = (id: string) =>
  queryOptions({
    queryKey: ['connections', id, 'syncs'],
    queryFn: async () =>
      (
        await answered(
          lading.GET('/api/v1/connectors_orgs/{connectionID}/syncs', {
            params: { path: { connectionID: id }, query: { limit: 10 } },
          }),
        )
      ).syncs,
    refetchInterval: (query) => (query.state.data?.some(({ state }) => state === 'running') ? 1500 : false),
  })

export const resultsQuery = (id: string, sync: Sync, outcome: SyncResult['outcome'] | null, page: number) => {
  const query = { ...(outcome && { outcomes: [outcome] }), limit: pageSize, offset: (page - 1) * pageSize }
  return queryOptions({
    queryKey: ['connections', id, 'results', sync.id, sync.state, sync.counts.pending, query],
    queryFn: () =>
      answered(
        lading.GET('/api/v1/connectors_orgs/{connectionID}/syncs/{syncID}/results', {
          params: { path: { connectionID: id, syncID: sync.id }, query },
        }),
      ),
    placeholderData: keepPreviousData,
  })
}

export function useCreateConnection() {
  return useChange(
    async (body: { connector_id: string }) =>
      (await answered(lading.POST('/api/v1/connectors_orgs', { body }))).connector_org,
    changed,
  )
}

export function useSaveConnection({ id, revision }: Connection) {
  return useChange(
    (body: Edit) =>
      answered(
        lading.PUT('/api/v1/connectors_orgs/{connectionID}', {
          ...path(id),
          ...ifUnchanged(revision),
          body: body as never,
        }),
      ),
    { ...changed, evenIfRefused: true },
  )
}

export function useDeleteConnection({ id }: Connection, leave: () => Promise<void>) {
  return useChange(async () => {
    await answered(lading.DELETE('/api/v1/connectors_orgs/{connectionID}', path(id)))
    await leave()
  }, changed)
}

export function useDisconnect({ id }: Connection) {
  return useChange(() => answered(lading.POST('/api/v1/connectors_orgs/{connectionID}/disconnect', path(id))), changed)
}

/** Leaves to the accounting system, which comes back to the callback page. */
export function useSignIn({ id }: Pick<Connection, 'id'>) {
  return useMutation({
    mutationFn: async () => {
      const { url } = await answered(lading.POST('/api/v1/connectors_orgs/{connectionID}/authorize', path(id)))
      window.location.assign(url)
    },
  })
}

export function useEndSignIn() {
  return useChange(
    ({ id, ...body }: { id: string; authorization_code: string; state: string; realm_id: string | null }) =>
      answered(lading.POST('/api/v1/connectors_orgs/{connectionID}/connect', { ...path(id), body })),
    changed,
  )
}

export function useMap({ id }: Connection) {
  return useChange(
    (mapping: { kind: MappingKind; record_id: string; remote_id: string | null; remote_name: string | null }) =>
      answered(
        lading.POST('/api/v1/connectors_orgs/{connectionID}/mappings', { ...path(id), body: { mappings: [mapping] } }),
      ),
    { touches: ['connections', 'pay-terms'] },
  )
}

export function useCheck({ id }: Connection) {
  return useMutation({
    mutationFn: () => answered(lading.POST('/api/v1/connectors_orgs/{connectionID}/check', { ...path(id), body: {} })),
  })
}

export function useStartSync({ id }: Connection) {
  return useChange(
    () => answered(lading.POST('/api/v1/connectors_orgs/{connectionID}/syncs', { ...path(id), body: {} })),
    synced,
  )
}

export function useRetrySync({ id }: Connection) {
  return useChange(
    (syncID: string) =>
      answered(
        lading.POST('/api/v1/connectors_orgs/{connectionID}/syncs/{syncID}/retry', {
          params: { path: { connectionID: id, syncID } },
        }),
      ),
    synced,
  )
}

export function useDownloadFile() {
  return useMutation({
    mutationFn: async (documentID: string) => {
      const at = { params: { path: { documentID } } }
      const { document } = await answered(lading.GET('/api/v1/documents/{documentID}', at))
      const content = await answered(lading.GET('/api/v1/documents/{documentID}/content', { ...at, parseAs: 'blob' }))
      saveFile(content as unknown as Blob, document.file_name)
    },
  })
}
