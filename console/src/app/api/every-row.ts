type Paging = { limit: number; after?: string }
type Page<Name extends string, Row> = { next_after: string | null } & { [Rows in Name]: readonly Row[] }

const pageSize = 200

/** All rows of a list, page by page: what people choose from, look up or count must not end with the first page. */
export async function everyRow<Name extends string, Row>(
  name: Name,
  read: (paging: Paging) => Promise<Page<Name, Row>>,
): Promise<Row[]> {
  const rows: Row[] = []
  for (let after: string | null | undefined; after !== null; ) {
    const page: Page<Name, Row> = await read({ limit: pageSize, ...(after && { after }) })
    rows.push(...page[name])
    after = page.next_after
  }
  return rows
}
