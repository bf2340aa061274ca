import type { Schemas } from '@lading/sdk'
import { queryOptions } from '@tanstack/react-query'
import { ifUnchanged, useChange } from '../../app/api/changes.ts'
import { answered } from '../../app/api/problem.ts'
import { lading } from '../../app/api/session.ts'

export type Organization = Schemas['Organization']

export type Usage = Awaited<ReturnType<typeof usageOf>>[number]

async function usageOf() {
  return (await answered(lading.GET('/api/v1/organization/usage'))).usage
}

export const usageQuery = queryOptions({ queryKey: ['organization', 'usage'], queryFn: usageOf })

export const historyQuery = (limit: number) =>
  queryOptions({
    queryKey: ['organization', 'history', limit],
    queryFn: () => answered(lading.GET('/api/v1/organization/history', { params: { query: { limit } } })),
  })

/** The name is shown at the top of every page. */
export function useUpdateOrganization() {
  return useChange(
    ({ body, revision }: { body: object; revision: number }) =>
      answered(lading.PUT('/api/v1/organization', { ...ifUnchanged(revision), body })),
    { touches: ['organization', 'me'] },
  )
}

/** The logo as an address that a picture can have. Only where the organization says that it has one: a browser logs every 404. */
export const logoQuery = queryOptions({
  queryKey: ['logo'],
  queryFn: async () => {
    const headers = { accept: 'image/png, image/jpeg, application/json' }
    return addressOf(
      await answered<Blob>(lading.GET('/api/v1/organization/logo', { headers, parseAs: 'blob' }) as never),
    )
  },
})

export function useSetLogo() {
  return useChange(
    (file: File) => {
      const request = { body: file, bodySerializer: (body: unknown) => body, headers: { 'content-type': file.type } }
      return answered(lading.PUT('/api/v1/organization/logo', request as never))
    },
    { touches: ['logo', 'organization'] },
  )
}

/** The organization then says that it has none, so the picture is not asked for again. */
export function useRemoveLogo() {
  return useChange((_: undefined) => answered(lading.DELETE('/api/v1/organization/logo')), {
    touches: ['organization'],
  })
}

/** The policy of the page allows pictures of its own and `data:` addresses alone. */
function addressOf(picture: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(picture)
  })
}
