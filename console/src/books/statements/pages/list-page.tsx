import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { IconPlus, IconStack2 } from '../../../app/icons/icons.ts'
import { DocumentList } from '../../documents/list/list-page.tsx'
import type { Search } from '../../documents/search.ts'
import { columnsOf } from '../../documents/shown/columns.tsx'
import { type Statement, statementFields, statementList } from '../fields.ts'
import { statementsQuery, useTotals } from '../queries.ts'

const columns = columnsOf<Statement>(statementFields, {
  path: '/statements',
  nameOf: ({ number }) => number ?? 'Draft',
})

export function ListPage() {
  const search = useSearch({ strict: false }) as Search
  return (
    <DocumentList
      list={statementList}
      title="Statements"
      lead="Bills of one payee in one currency, sent and paid together."
      icon={IconStack2}
      columns={columns}
      totals={useTotals(search)}
      result={useQuery(statementsQuery(search))}
      actions={<NewButton />}
      newButton={<NewButton />}
      emptyText="A statement combines the bills of one payee, so that they are sent and paid in one step."
      noMatchText="No statement matches the state and the filters above."
    />
  )
}

function NewButton() {
  return (
    <Button
      leftSection={<IconPlus size={18} aria-hidden />}
      renderRoot={(props) => <Link to="/statements/new" {...props} />}
    >
      New statement
    </Button>
  )
}
