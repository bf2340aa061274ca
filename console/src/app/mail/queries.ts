import type { Schemas } from '@lading/sdk'
import { queryOptions, useMutation } from '@tanstack/react-query'
import { useChange } from '../api/changes.ts'
import { answered } from '../api/problem.ts'
import { lading } from '../api/session.ts'
import { pageSize } from '../table/page-number.ts'
import { saveFile } from '../values/save-file.ts'

export type Mail = Schemas['Mail']

/** Read again while something waits, so that its state is seen to change. */
const whileWaiting = ({ state: { data } }: { state: { data?: { mails: Mail[] } | undefined } }) =>
  data?.mails.some(({ status }) => status === 'queued') ? 3_000 : false

export const mailsQuery = (page: number) =>
  queryOptions({
    queryKey: ['mails', page],
    staleTime: 0,
    refetchInterval: whileWaiting,
    queryFn: () =>
      answered(lading.GET('/api/v1/mails', { params: { query: { limit: pageSize, offset: (page - 1) * pageSize } } })),
  })

/** What was mailed of one record. */
export const mailsOfQuery = (record_type: string, record_id: string) =>
  queryOptions({
    queryKey: ['mails', record_type, record_id],
    staleTime: 0,
    refetchInterval: whileWaiting,
    queryFn: () => answered(lading.GET('/api/v1/mails', { params: { query: { record_type, record_id, limit: 50 } } })),
  })

export function useResendMail() {
  return useChange(
    (mailID: string) =>
      answered(lading.POST('/api/v1/mails/{mailID}/resend', { params: { path: { mailID } }, body: {} })),
    {
      touches: ['mails'],
    },
  )
}

/** Downloads the whole message, which every mail program opens. */
export function useDownloadMail() {
  return useMutation({
    mutationFn: async (mailID: string) => {
      const headers = { accept: 'message/rfc822' }
      const message = answered<Blob>(
        lading.GET('/api/v1/mails/{mailID}/content', {
          params: { path: { mailID } },
          headers,
          parseAs: 'blob',
        }) as never,
      )
      saveFile(await message, `${mailID}.eml`)
    },
  })
}

/** Where a PDF is: the path of its record, and what it is asked for with. It is another one for each revision of the record. */
export type PdfPlace = { path: string; query?: Record<string, string>; revision?: number }

/** Downloads the PDF of a record. */
export function useDownloadPdf() {
  return useMutation({
    mutationFn: async ({ pdf, name }: { pdf: PdfPlace; name: string }) => saveFile(await readPdf(pdf), `${name}.pdf`),
  })
}

/** The PDF as it is now: read again whenever it is shown, because names and addresses on it come from other records too. */
export const pdfQuery = (pdf: PdfPlace) =>
  queryOptions({ queryKey: ['pdf-file', pdf], queryFn: () => readPdf(pdf), gcTime: 0, refetchOnWindowFocus: false })

/** All PDF files have the same kind of address, of which the types know one. */
function readPdf({ path, query = {} }: PdfPlace): Promise<Blob> {
  const at = `/api/v1/${path}/pdf` as '/api/v1/bills/{billID}/pdf'
  const options = {
    params: { path: { billID: '' }, query },
    headers: { accept: 'application/pdf' },
    parseAs: 'blob' as const,
  }
  return answered<Blob>(lading.GET(at, options as never) as never)
}
