import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { DocumentsPanel } from '../../../app/files/documents-panel.tsx'
import { documentsQuery, type RecordName } from '../../../app/files/queries.ts'
import { type DocumentFile, viewOf } from '../../../app/files/types.ts'
import { Select } from '../../../app/inputs/select.tsx'
import { Panel } from '../../../app/parts/panel.tsx'

const DocumentView = lazy(() =>
  import('../../../app/files/preview.tsx').then(({ DocumentView }) => ({ default: DocumentView })),
)

/** The papers of a record, to be read next to it: the invoice first, if it can be shown. */
export function DocumentPane({ record }: { record: RecordName }) {
  const { data } = useQuery(documentsQuery(record))
  const [chosen, setChosen] = useState<string | null>(null)
  const shown = (data?.documents ?? []).filter(viewOf).toSorted((one, other) => rank(one) - rank(other))
  const current = shown.find(({ id }) => id === chosen) ?? shown[0]
  return (
    <>
      {current && (
        <Panel title={current.file_name}>
          {shown.length > 1 && (
            <Select
              aria-label="Document"
              mb="sm"
              choices={shown.map(({ id, file_name }) => ({ value: id, label: file_name }))}
              value={current.id}
              onChange={setChosen}
            />
          )}
          <Suspense>
            <DocumentView key={current.id} document={current} />
          </Suspense>
        </Panel>
      )}
      <DocumentsPanel record={record} narrow />
    </>
  )
}

function rank({ document_type }: DocumentFile): number {
  return document_type === 'invoice' ? 0 : 1
}
