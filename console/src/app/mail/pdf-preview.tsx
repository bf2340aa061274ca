import { Loader } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Failed } from '../parts/failed.tsx'
import { type PdfPlace, pdfQuery } from './queries.ts'

/** What reads PDF is large, and loaded with the first one. */
const PdfView = lazy(() => import('../files/pdf-view.tsx').then(({ PdfView }) => ({ default: PdfView })))

/** The pages of a PDF that the server makes. */
export function PdfPreview({ pdf, name }: { pdf: PdfPlace; name: string }) {
  const { data, error, refetch, dataUpdatedAt } = useQuery(pdfQuery(pdf))
  if (error) return <Failed error={error} what="the PDF" retry={() => void refetch()} />
  if (!data) return <Loader role="status" aria-label="Loading the PDF" />
  const id = `${pdf.path} ${dataUpdatedAt}`
  return (
    <Suspense fallback={<Loader role="status" aria-label="Loading the PDF" />}>
      <PdfView key={id} id={id} content={data} name={name} />
    </Suspense>
  )
}
