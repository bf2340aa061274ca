import { Drawer, Image, Loader } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Failed } from '../parts/failed.tsx'
import { contentQuery } from './queries.ts'
import { type DocumentFile, viewOf } from './types.ts'

/** What reads PDF is large, and loaded with the first one. */
const PdfView = lazy(() => import('./pdf-view.tsx').then(({ PdfView }) => ({ default: PdfView })))

/** The file next to the record, which stays in reach: the two are compared. */
export function Preview({ document, close }: { document: DocumentFile; close: () => void }) {
  return (
    <Drawer
      opened
      onClose={close}
      position="right"
      size="min(42rem, 100vw)"
      title={document.file_name}
      withOverlay={false}
      lockScroll={false}
      trapFocus={false}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': 'Close the preview' }}
      // The page stays in reach, so its banner and this one would be two.
      attributes={{ header: { role: 'presentation' } }}
    >
      <DocumentView document={document} />
    </Drawer>
  )
}

/** What is in a PDF or a picture. */
export function DocumentView({ document }: { document: DocumentFile }) {
  const { data, error, refetch } = useQuery(contentQuery(document))
  return (
    <>
      {error && <Failed error={error} what="the file" retry={() => void refetch()} />}
      {!data && !error && <Loader aria-label="Loading the file" />}
      {data && viewOf(document) === 'picture' && <Picture content={data} name={document.file_name} />}
      {data && viewOf(document) === 'pdf' && (
        <Suspense fallback={<Loader aria-label="Loading the file" />}>
          <PdfView id={document.id} content={data} name={document.file_name} />
        </Suspense>
      )}
    </>
  )
}

function Picture({ content, name }: { content: Blob; name: string }) {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(content)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [content])
  return url && <Image src={url} alt={name} fit="contain" />
}
