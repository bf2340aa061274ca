import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import { useMe } from '../../../app/api/me.ts'
import { IconPlus, IconUpload } from '../../../app/icons/icons.ts'
import { ExportMenu } from '../../../app/transfers/export-menu.tsx'
import { today } from '../../../app/values/dates.ts'
import type { Document } from '../document.ts'
import { type DocumentKind, nameIn, pathOf } from '../kind.ts'
import { documentQuery, documentsQuery, exportDocuments, exportForPeople, startExport, useTotals } from '../queries.ts'
import type { Search } from '../search.ts'
import { Selected } from '../selection/selected.tsx'
import { columnsOf } from '../shown/columns.tsx'
import { DocumentList } from './list-page.tsx'

type DocumentsPageProps<D extends Document> = {
  kind: DocumentKind<D>
  /** Further buttons for the documents that are selected. */
  forSelected?: (documents: readonly D[], keep: (documents: readonly D[]) => void) => ReactNode
}

/** The list of one kind of document, with everything that can be done from there. */
export function DocumentsPage<D extends Document>({ kind, forSelected }: DocumentsPageProps<D>) {
  const search = useSearch({ strict: false }) as Search
  const { may } = useMe()
  const { list, title, lead, icon, emptyText, noMatchText } = kind
  const columns = useMemo(
    () =>
      columnsOf<D>(list.fields, { path: pathOf(kind), nameOf: ({ number }) => number ?? 'Draft', sorts: list.sorts }),
    [kind, list],
  )
  return (
    <DocumentList
      list={list}
      title={title}
      lead={lead}
      icon={icon}
      columns={columns}
      totals={useTotals(kind, search)}
      result={useQuery(documentsQuery(kind, search))}
      actions={
        <>
          {may('enter') && (
            <Button
              variant="default"
              leftSection={<IconUpload size={16} aria-hidden />}
              renderRoot={(props) => <Link to={`${pathOf(kind)}/import`} {...props} />}
            >
              Import CSV
            </Button>
          )}
          <ExportButton kind={kind} search={search} />
          {may('enter') && <NewButton kind={kind} />}
        </>
      }
      newButton={may('enter') && <NewButton kind={kind} />}
      emptyText={emptyText}
      noMatchText={noMatchText}
      selected={{
        nameOf: (document) => nameIn(kind, document),
        now: useNewest(kind),
        show: (documents, keep) => (
          <Selected kind={kind} documents={documents} keep={keep}>
            {forSelected?.(documents, keep)}
          </Selected>
        ),
      }}
    />
  )
}

/** A document that was opened after it was selected may have changed since. */
function useNewest<D extends Document>(kind: DocumentKind<D>): (document: D) => D {
  const queryClient = useQueryClient()
  return (document) => {
    const known = queryClient.getQueryData(documentQuery(kind, document.id).queryKey)?.document
    return known && known.revision > document.revision ? known : document
  }
}

function ExportButton({ kind, search }: { kind: DocumentKind; search: Search }) {
  const queryClient = useQueryClient()
  return (
    <ExportMenu
      what={`the ${kind.many}`}
      fileName={`${kind.many.replaceAll(' ', '-')}-${today()}`}
      forPeople={() => exportForPeople(queryClient, kind, search)}
      forPrograms={() => exportDocuments(kind, search)}
      start={() => startExport(kind, search)}
    />
  )
}

function NewButton({ kind }: { kind: DocumentKind }) {
  return (
    <Button
      leftSection={<IconPlus size={18} aria-hidden />}
      renderRoot={(props) => <Link to={`${pathOf(kind)}/new`} {...props} />}
    >
      New {kind.one}
    </Button>
  )
}
