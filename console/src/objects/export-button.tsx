import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { wordsFor } from '../api/problem.ts'
import type { Kind } from './kind.ts'
import { exportCsv, type Search } from './queries.ts'

/** Exports all objects of the search, from all pages, with all fields. */
export function ExportButton({ kind, search }: { kind: Kind; search: Search }) {
  const download = useMutation({
    mutationFn: async () => keep(await exportCsv(search), `${kind.plural.toLowerCase().replaceAll(/\W+/g, '-')}-${new Date().toISOString().slice(0, 10)}.csv`),
    onError: (error) => void notifications.show({ title: 'Could not export the objects', message: wordsFor(error), color: 'red.9' }),
  })
  return (
    <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />} loading={download.isPending} onClick={() => download.mutate()}>
      Export CSV
    </Button>
  )
}

function keep(blob: Blob, name: string): void {
  const href = URL.createObjectURL(blob)
  Object.assign(document.createElement('a'), { href, download: name }).click()
  // The browser takes it in its own time.
  setTimeout(() => URL.revokeObjectURL(href), 60_000)
}
