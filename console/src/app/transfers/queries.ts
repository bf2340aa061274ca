import type { Schemas } from '@lading/sdk'
import { queryOptions, useMutation } from '@tanstack/react-query'
import { useChange } from '../api/changes.ts'
import { answered } from '../api/problem.ts'
import { lading } from '../api/session.ts'
import { pageSize } from '../table/page-number.ts'
import { saveFile } from '../values/save-file.ts'

export type Transfer = Schemas['Transfer']

export const isUnderWay = ({ state }: Transfer) => state === 'queued' || state === 'running'

/** Asked again every second as long as one of them is under way. */
export const transfersQuery = (page: number) =>
  queryOptions({
    queryKey: ['transfers', page],
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data?.transfers.some(isUnderWay) ? 1000 : false),
    queryFn: () =>
      answered(
        lading.GET('/api/v1/transfers', { params: { query: { limit: pageSize, offset: (page - 1) * pageSize } } }),
      ),
  })

const path = (transferID: string) => ({ params: { path: { transferID } } })

export function useCancelTransfer() {
  return useChange((id: string) => answered(lading.POST('/api/v1/transfers/{transferID}/cancel', path(id))), {
    touches: ['transfers'],
    evenIfRefused: true,
  })
}

/** Downloads the result, or the rows that failed. */
export function useDownload() {
  return useMutation({
    mutationFn: async ({ transfer, file }: { transfer: Transfer; file: 'result' | 'failures' }) => {
      const { id, resource, object_key, direction, format, created_at } = transfer
      const options = { ...path(id), parseAs: 'blob' as const }
      const content = await answered<Blob>(
        (file === 'result'
          ? lading.GET('/api/v1/transfers/{transferID}/result', options)
          : lading.GET('/api/v1/transfers/{transferID}/failures', options)) as never,
      )
      const ending = file === 'failures' ? 'failed.csv' : direction === 'export' ? format : 'results.ndjson'
      saveFile(content, `${object_key ?? resource}-${created_at.slice(0, 10)}.${ending}`)
    },
  })
}

/** Imports a file of documents in the background. */
export function useStartImport(resource: string) {
  return useChange(
    (csv: string) => {
      const request = { body: csv, bodySerializer: (text: string) => text, headers: { 'content-type': 'text/csv' } }
      return answered(lading.POST(`/api/v1/${resource}/imports` as '/api/v1/bills/imports', request as never))
    },
    { touches: ['transfers'], inBackground: true },
  )
}
