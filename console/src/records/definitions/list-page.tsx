import { Anchor, Badge, Button, Code, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { IconPlus } from '../../app/icons/icons.ts'
import { ForAdmins } from '../../app/parts/admins-only.tsx'
import { Failed } from '../../app/parts/failed.tsx'
import { Page } from '../../app/parts/page.tsx'
import { type Column, DataTable, TableSkeleton } from '../../app/table/data-table.tsx'
import { rowLink } from '../../app/table/open-row.ts'
import type { Kind } from '../kinds/kind.ts'
import { kindsQuery } from '../kinds/queries.ts'

export function ListPage() {
  return (
    <ForAdmins>
      <Page
        title="Object definitions"
        lead="The kinds of objects in this organization. You can add fields to the built-in kinds and create kinds of your own."
        actions={
          <Button
            leftSection={<IconPlus size={18} aria-hidden />}
            renderRoot={(props) => <Link to="/settings/objects/new" {...props} />}
          >
            New kind
          </Button>
        }
      >
        <Kinds />
      </Page>
    </ForAdmins>
  )
}

function Kinds() {
  const { data, error, refetch } = useQuery(kindsQuery)
  if (error) return <Failed error={error} what="the definitions" retry={() => void refetch()} />
  if (!data) return <TableSkeleton rows={9} />
  return <DataTable label="Object definitions" columns={columns} rows={data} keyOf={({ objectKey }) => objectKey} />
}

const columns: Column<Kind>[] = [
  {
    label: 'Name',
    show: ({ objectKey, plural, description }) => (
      <>
        <Anchor
          fw={600}
          size="sm"
          renderRoot={(props) => <Link to={`/settings/objects/${objectKey}`} {...rowLink} {...props} />}
        >
          {plural}
        </Anchor>
        <Text size="sm" c="dimmed">
          {description}
        </Text>
      </>
    ),
  },
  { label: 'Name in the API', show: ({ objectKey }) => <Code>{objectKey}</Code> },
  { label: 'Ids', show: ({ prefix }) => `${prefix}-1` },
  {
    label: 'Fields',
    show: ({ fields, addedFields, builtIn }) =>
      builtIn && addedFields.length > 0 ? `${fields.length}, of which ${addedFields.length} added` : fields.length,
  },
  {
    label: 'Origin',
    show: ({ builtIn }) => (
      <Badge variant="default" tt="none" fw={500}>
        {builtIn ? 'Built in' : 'Custom'}
      </Badge>
    ),
  },
]
