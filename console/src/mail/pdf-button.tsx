import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconFileTypePdf } from '@tabler/icons-react'
import { wordsFor } from '../api/problem.ts'
import { useDownloadPdf } from './queries.ts'

/** Downloads a record as a PDF file. */
export function PdfButton({ path, name }: { path: string; name: string }) {
  const download = useDownloadPdf()
  const onError = (error: unknown) => notifications.show({ title: 'Could not make the PDF', message: wordsFor(error), color: 'red.9' })
  return (
    <Button
      variant="default"
      leftSection={<IconFileTypePdf size={16} aria-hidden />}
      loading={download.isPending}
      onClick={() => download.mutate({ path, name }, { onError })}
    >
      PDF
    </Button>
  )
}
