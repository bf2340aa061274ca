import type { Schemas } from '@lading/sdk'
import { queryOptions, useMutation } from '@tanstack/react-query'
import { useChange } from '../api/changes.ts'
import { answered } from '../api/problem.ts'
import { lading } from '../api/session.ts'
import { pageSize } from '../parts/page-number.ts'
import { saveFile } from '../parts/save-file.ts'

export type Mail = Schemas['Mail']

/** Read again while something waits, so that its state is seen to change. */
export const mailsQuery = (page: number) =>
  queryOptions({
    queryKey: ['mails', page],
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data?.mails.some(({ status }) => status === 'queued') ? 3_000 : false),
    queryFn: () => answered(lading.GET('/api/v1/mails', { params: { query: { limit: pageSize, offset: (page - 1) * pageSize } } })),
  })

/** What was mailed of one record. */
export const mailsOfQuery = (record_type: string, record_id: string) =>
  queryOptions({
    queryKey: ['mails', record_type, record_id],
    staleTime: 0,
    queryFn: () => answered(lading.GET('/api/v1/mails', { params: { query: { record_type, record_id, limit: 50 } } })),
  })

export function useResendMail() {
  return useChange((mailID: string) => answered(lading.POST('/api/v1/mails/{mailID}/resend', { params: { path: { mailID } }, body: {} })), {
    touches: ['mails'],
  })
}

/** Downloads the whole message, which every mail program opens. */
export function useDownloadMail() {
  return useMutation({
    mutationFn: async (mailID: string) => {
      const headers = { accept: 'message/rfc822' }
      const message = answered<Blob>(lading.GET('/api/v1/mails/{mailID}/content', { params: { path: { mailID } }, headers, parseAs: 'blob' }) as never)
      saveFile(await message, `${mailID}.eml`)
    },
  })
}

/** Downloads the PDF of the record at this path. */
export function useDownloadPdf() {
  return useMutation({
    mutationFn: async ({ path, name }: { path: string; name: string }) => {
      const at = `/api/v1/${path}/pdf` as '/api/v1/bills/{billID}/pdf'
      const options = { params: { path: { billID: '' } }, headers: { accept: 'application/pdf' }, parseAs: 'blob' as const }
      saveFile(await answered<Blob>(lading.GET(at, options) as never), `${name}.pdf`)
    },
  })
}
