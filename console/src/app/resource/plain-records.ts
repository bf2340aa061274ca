import type { FormErrors } from '@mantine/form'
import type { ComponentType, ReactNode } from 'react'
import type { EditSession } from '../editing/use-editing.ts'
import type { Icon } from '../icons/icons.ts'
import type { Column } from '../table/data-table.tsx'
import type { NamedRow, plainQueries } from './plain-queries.ts'

type Fields = Record<string, unknown>

/** A page of plain records, which are listed, edited in a dialog, deleted, and have a history. */
export type PlainRecords<Row extends NamedRow, Values extends Fields, Content extends object> = {
  path: string
  queries: ReturnType<typeof plainQueries<Row, Content>>
  icon: Icon
  words: {
    title: string
    lead: string
    /** `tax rate`, and what a button calls it where that is shorter. */
    one: string
    short?: string
    many: string
    search: string
    /** Shown where there are none, and where none has the text that is searched for. */
    none: string
    noneFound: string
    /** What follows from deleting one. */
    removing: string
  }
  /** Without the actions, which are the same for all. */
  columns: readonly Column<Row>[]
  labels: Record<keyof Values & string, string>
  /** What the form starts with; null of a new record. */
  valuesOf: (row: Row | null) => Values
  contentOf: (values: Partial<Values>) => Partial<Content>
  /** Its fields hang together, so an edit sends all of them. */
  sendsWhole?: boolean
  validate: (values: Values) => FormErrors
  /** The fields as inputs; those of the labels as plain texts unless said. */
  Inputs?: ComponentType<{ editing: EditSession<Values> }>
  /** A value of the form and one of the history as people read it. */
  show?: (field: keyof Values & string, values: Values) => ReactNode
  showRecorded?: (value: unknown, field: string) => ReactNode
}
