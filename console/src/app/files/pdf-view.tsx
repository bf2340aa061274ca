import { Loader, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { GlobalWorkerOptions, getDocument, type PDFDocumentProxy } from 'pdfjs-dist'
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?worker&url'
import { useEffect, useRef, useState } from 'react'
import { Failed } from '../parts/failed.tsx'

GlobalWorkerOptions.workerSrc = workerUrl

const mostPages = 50

/** Draws the pages of a PDF as pictures: nothing in it is run, and no link in it leads anywhere. */
export function PdfView({ id, content, name }: { id: string; content: Blob; name: string }) {
  const { data: pdf, error } = useQuery({
    queryKey: ['pdf', id],
    queryFn: async () =>
      getDocument({ data: await content.arrayBuffer(), useWasm: false, enableXfa: false, stopAtErrors: false }).promise,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
  if (error) return <Text size="sm">This PDF cannot be shown here. Download it to open it with another program.</Text>
  if (!pdf) return <Loader aria-label="Reading the file" />
  const shown = Math.min(pdf.numPages, mostPages)
  return (
    <Stack gap="sm">
      {numbersTo(shown).map((number) => (
        <PdfPage key={number} pdf={pdf} number={number} label={`${name}, page ${number} of ${pdf.numPages}`} />
      ))}
      {pdf.numPages > shown && (
        <Text size="sm" c="dimmed">
          These are the first {shown} of {pdf.numPages.toLocaleString()} pages. Download the file to see all.
        </Text>
      )}
    </Stack>
  )
}

function numbersTo(last: number): number[] {
  return Array.from({ length: last }, (_, index) => index + 1)
}

function PdfPage({ pdf, number, label }: { pdf: PDFDocumentProxy; number: number; label: string }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [error, setError] = useState<unknown>(null)
  useEffect(() => {
    let ended = false
    let stop = () => {}
    const draw = async () => {
      const page = await pdf.getPage(number)
      const target = canvas.current
      if (ended || !target) return
      const width = target.parentElement?.clientWidth ?? 600
      const scale = (width / page.getViewport({ scale: 1 }).width) * Math.min(window.devicePixelRatio, 2)
      const viewport = page.getViewport({ scale })
      target.width = Math.floor(viewport.width)
      target.height = Math.floor(viewport.height)
      const task = page.render({ canvas: target, viewport })
      stop = () => task.cancel()
      await task.promise
      target.dataset.drawn = 'true'
    }
    draw().catch((thrown) => !ended && setError(thrown))
    return () => {
      ended = true
      stop()
    }
  }, [pdf, number])
  if (error) return <Failed error={error} what={`page ${number}`} />
  return (
    <canvas
      ref={canvas}
      role="img"
      aria-label={label}
      style={{ width: '100%', display: 'block', background: 'white' }}
    />
  )
}
