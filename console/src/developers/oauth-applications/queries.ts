import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { ifUnchanged, useChange } from '../../app/api/changes.ts'
import { everyRow } from '../../app/api/every-row.ts'
import { answered } from '../../app/api/problem.ts'
import { lading } from '../../app/api/session.ts'
import { pageSize } from '../../app/table/page-number.ts'
import type { Application, Content, Scope } from './application.ts'

const all = ['oauth-applications']
const path = (applicationID: string) => ({ params: { path: { applicationID } } })
const changed = { touches: all }

/** What scopes there are, in the words of the server. They change with its version alone. */
export const scopesQuery = queryOptions({
  queryKey: ['scopes'],
  queryFn: async () => (await answered(lading.GET('/api/v1/scopes'))).scopes,
  staleTime: Number.POSITIVE_INFINITY,
})

/** What people call a scope. */
export function useScopeName(): (scope: Scope) => string {
  const { data: scopes = [] } = useQuery(scopesQuery)
  return (scope) => scopes.find(({ id }) => id === scope)?.name ?? scope
}

export const applicationsQuery = (page: number) =>
  queryOptions({
    queryKey: [...all, 'list', page],
    queryFn: () =>
      answered(
        lading.GET('/api/v1/oauth_applications', {
          params: { query: { limit: pageSize, offset: (page - 1) * pageSize } },
        }),
      ),
  })

/** For lists that name applications. */
export const applicationNamesQuery = queryOptions({
  queryKey: [...all, 'names'],
  queryFn: () =>
    everyRow('oauth_applications', (query) =>
      answered(lading.GET('/api/v1/oauth_applications', { params: { query } })),
    ),
})

export const applicationQuery = (id: string) =>
  queryOptions({
    queryKey: [...all, id],
    queryFn: async () =>
      (await answered(lading.GET('/api/v1/oauth_applications/{applicationID}', path(id)))).oauth_application,
  })

export const historyQuery = (id: string, limit: number) =>
  queryOptions({
    queryKey: [...all, id, 'history', limit],
    queryFn: () =>
      answered(
        lading.GET('/api/v1/oauth_applications/{applicationID}/history', {
          params: { path: { applicationID: id }, query: { limit } },
        }),
      ),
  })

export function useCreateApplication() {
  return useChange(
    async (body: Content) => (await answered(lading.POST('/api/v1/oauth_applications', { body }))).oauth_application,
    changed,
  )
}

export function useUpdateApplication(id: string) {
  return useChange(
    async ({ changes, revision }: { changes: Partial<Omit<Content, 'type'>>; revision: number }) =>
      (
        await answered(
          lading.PUT('/api/v1/oauth_applications/{applicationID}', {
            ...path(id),
            ...ifUnchanged(revision),
            body: changes,
          }),
        )
      ).oauth_application,
    changed,
  )
}

export function useRotateSecret({ id }: Application) {
  return useChange(
    async (overlap_seconds: number) =>
      (
        await answered(
          lading.POST('/api/v1/oauth_applications/{applicationID}/rotate_secret', {
            ...path(id),
            body: { overlap_seconds },
          }),
        )
      ).oauth_application,
    changed,
  )
}

export function useDisableApplication({ id, revision }: Application) {
  return useChange(
    () =>
      answered(
        lading.POST('/api/v1/oauth_applications/{applicationID}/disable', { ...path(id), ...ifUnchanged(revision) }),
      ),
    changed,
  )
}

export function useEnableApplication({ id, revision }: Application) {
  return useChange(
    () =>
      answered(
        lading.POST('/api/v1/oauth_applications/{applicationID}/enable', { ...path(id), ...ifUnchanged(revision) }),
      ),
    changed,
  )
}

export function useDeleteApplication({ id, revision }: Application, done: () => Promise<void>) {
  const queryClient = useQueryClient()
  return useChange(async () => {
    await answered(
      lading.DELETE('/api/v1/oauth_applications/{applicationID}', { ...path(id), ...ifUnchanged(revision) }),
    )
    // Away from its page first: there is nothing to read there any more.
    await done()
    queryClient.removeQueries({ queryKey: [...all, id] })
  }, changed)
}
