/** What is on a paper, before it is drawn. Every text is one already: amounts with the digits of their currency, dates as people read them. */
export type Paper = {
  /** What it is, such as `Invoice`, and the number that it is known by. */
  title: string
  number: string | null
  /** Said across the first page: that it is a draft, or void. */
  mark: string | null
  from: Letterhead
  /** Whom it is to, and others that it names, side by side. */
  parties: readonly { label: string; lines: readonly string[] }[]
  facts: readonly Fact[]
  tables: readonly Table[]
  totals: readonly (Fact & { strong?: boolean })[]
  notes: readonly { label: string; text: string }[]
  /** Lines to sign on. */
  signatures: readonly string[]
  /** When what is on it last changed: the date in the file, so that the same content is the same bytes. */
  date: Date
  size: 'LETTER' | 'A4'
}

export type Letterhead = { name: string; lines: readonly string[]; logo: Uint8Array | null }
export type Fact = { label: string; value: string }
export type Column = { label: string /** Its part of the width. */; share: number; align?: 'right' }
export type Table = { label?: string; columns: readonly Column[]; rows: readonly (readonly string[])[] }

/** A file name that every system takes. */
export function fileNameOf({ title, number }: Pick<Paper, 'title' | 'number'>): string {
  const name = number ?? title
  return `${name.replace(/[^\p{L}\p{N}._-]+/gu, '-')}.pdf`
}
