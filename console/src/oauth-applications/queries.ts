import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { answered } from '../api/problem.ts'
import { lading } from '../api/session.ts'
import { pageSize } from '../parts/page-number.ts'
import type { Application, Content } from './application.ts'

const all = ['oauth-applications']
const path = (applicationID: string) => ({ params: { path: { applicationID } } })
const ifUnchanged = ({ revision }: Application) => ({ headers: { 'if-match': `"${revision}"` } })

export const applicationsQuery = (page: number) =>
  queryOptions({
    queryKey: [...all, 'list', page],
    queryFn: () => answered(lading.GET('/api/v1/oauth_applications', { params: { query: { limit: pageSize, offset: (page - 1) * pageSize } } })),
  })

/** Not asked for again behind the back of someone who edits it; `If-Match` tells them if it changed. */
export const applicationQuery = (id: string) =>
  queryOptions({
    queryKey: [...all, id],
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    queryFn: async () => (await answered(lading.GET('/api/v1/oauth_applications/{applicationID}', path(id)))).oauth_application,
  })

export function useCreateApplication() {
  const changed = useChanged()
  return useMutation({
    mutationFn: async (content: Content) => (await answered(lading.POST('/api/v1/oauth_applications', { body: content }))).oauth_application,
    onSuccess: changed,
  })
}

export function useUpdateApplication(application: Application) {
  const changed = useChanged()
  return useMutation({
    mutationFn: ({ type: _, ...body }: Content) =>
      answered(lading.PUT('/api/v1/oauth_applications/{applicationID}', { ...path(application.id), ...ifUnchanged(application), body })),
    onSuccess: changed,
  })
}

export function useRotateSecret(application: Application) {
  const changed = useChanged()
  return useMutation({
    mutationFn: async (overlap_seconds: number) =>
      (await answered(lading.POST('/api/v1/oauth_applications/{applicationID}/rotate_secret', { ...path(application.id), body: { overlap_seconds } })))
        .oauth_application,
    onSuccess: changed,
  })
}

export function useDeleteApplication(application: Application, done: () => Promise<void>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => answered(lading.DELETE('/api/v1/oauth_applications/{applicationID}', { ...path(application.id), ...ifUnchanged(application) })),
    onSuccess: async () => {
      // Away from its page first: there is nothing to read there any more.
      await done()
      queryClient.removeQueries({ queryKey: [...all, application.id] })
      await queryClient.invalidateQueries({ queryKey: all })
    },
  })
}

/** What is on the screen comes from the server again; nothing is shown as done before it is. */
function useChanged() {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: all })
}
