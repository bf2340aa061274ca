import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { wordsFor } from '../api/problem.ts'
import { IconFileTypePdf } from '../icons/icons.ts'
import { type PdfPlace, useDownloadPdf } from './queries.ts'

/** Downloads a record as a PDF file. The label says which paper it is, where it is another than the record itself. */
export function PdfButton({ pdf, name, label = 'Download PDF' }: { pdf: PdfPlace; name: string; label?: string }) {
  const download = useDownloadPdf()
  const onError = (error: unknown) =>
    notifications.show({ title: 'Could not make the PDF', message: wordsFor(error), color: 'red.9' })
  return (
    <Button
      variant="default"
      leftSection={<IconFileTypePdf size={16} aria-hidden />}
      loading={download.isPending}
      onClick={() => download.mutate({ pdf, name }, { onError })}
    >
      {label}
    </Button>
  )
}
