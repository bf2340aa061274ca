import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useExport } from '../transfers/use-export.ts'
import type { Kind } from './kind.ts'
import { exportCsv, type Search, startExport } from './queries.ts'

/** Exports all objects of the search, from all pages, with all fields. */
export function ExportButton({ kind, search }: { kind: Kind; search: Search }) {
  const { mutate, isPending } = useExport({
    what: 'the objects',
    fileName: `${kind.plural.toLowerCase().replaceAll(/\W+/g, '-')}-${new Date().toISOString().slice(0, 10)}.csv`,
    read: () => exportCsv(search),
    start: () => startExport(search),
  })
  return (
    <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />} loading={isPending} onClick={() => mutate()}>
      Export CSV
    </Button>
  )
}
