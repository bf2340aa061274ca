import { Group, SegmentedControl, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMe } from '../../app/api/me.ts'
import { wordsFor } from '../../app/api/problem.ts'
import { Select } from '../../app/inputs/select.tsx'
import { Failed } from '../../app/parts/failed.tsx'
import { Panel } from '../../app/parts/panel.tsx'
import { type Column, DataTable, TableSkeleton } from '../../app/table/data-table.tsx'
import {
  type Connection,
  type Connector,
  type Mapping,
  type MappingKind,
  mappingsQuery,
  type RemoteList,
  remoteQuery,
  useMap,
} from './queries.ts'
import { kindWords } from './words.ts'

/** Two columns: what records are called here, and what they are there. */
export function MappingsPanel({ connection, connector }: { connection: Connection; connector: Connector }) {
  const [kind, setKind] = useState<MappingKind>(connector.mappings[0]?.kind ?? 'partner_carriers')
  const [term, setTerm] = useState('')
  const [page, setPage] = useState(1)
  const of = connector.mappings.find((mapping) => mapping.kind === kind)
  const choose = (next: string) => {
    setKind(next as MappingKind)
    setPage(1)
  }
  const search = (event: React.ChangeEvent<HTMLInputElement>) => {
    setTerm(event.currentTarget.value)
    setPage(1)
  }
  return (
    <Panel title="Mappings" lead={of?.description}>
      <Group gap="sm" mb="sm" align="center">
        <SegmentedControl
          aria-label="What is mapped"
          maw="100%"
          data={connector.mappings.map((mapping) => ({ value: mapping.kind, label: kindWords[mapping.kind] }))}
          value={kind}
          onChange={choose}
        />
        <TextInput aria-label="Search records" placeholder="Search" value={term} onChange={search} />
      </Group>
      <Rows
        key={kind}
        connection={connection}
        kind={kind}
        list={(of?.list ?? null) as RemoteList | null}
        term={term}
        page={page}
        setPage={setPage}
      />
    </Panel>
  )
}

type RowsProps = {
  connection: Connection
  kind: MappingKind
  list: RemoteList | null
  term: string
  page: number
  setPage: (page: number) => void
}

function Rows({ connection, kind, list, term, page, setPage }: RowsProps) {
  const { data, error, refetch, isPlaceholderData } = useQuery(
    mappingsQuery(connection.id, { kind, term, mapped: null, page }),
  )
  if (error) return <Failed error={error} what="the mappings" retry={() => void refetch()} />
  if (!data) return <TableSkeleton />
  const columns: Column<Mapping>[] = [
    { label: 'Here', show: ({ record_name }) => record_name },
    {
      label: 'There',
      show: (mapping) => (
        <There
          key={`${mapping.record_id} ${mapping.remote_id}`}
          connection={connection}
          list={list}
          mapping={mapping}
        />
      ),
    },
  ]
  if (data.mappings.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {term ? 'Nothing is called so.' : 'There is nothing to map.'}
      </Text>
    )
  const { offset, limit, total } = data
  return (
    <DataTable
      label="Mappings"
      columns={columns}
      rows={data.mappings}
      keyOf={({ record_id }) => record_id}
      paging={{ offset, limit, total, onPage: setPage }}
      waiting={isPlaceholderData}
    />
  )
}

function There({ connection, list, mapping }: { connection: Connection; list: RemoteList | null; mapping: Mapping }) {
  const { isAdmin } = useMe()
  const map = useMap(connection)
  const { kind, record_id, record_name, remote_id, remote_name } = mapping
  const isOpen = connection.status === 'connected' || connection.status === 'error'
  const save = (next: string | null, name: string | null) =>
    map.mutate(
      { kind, record_id, remote_id: next, remote_name: name },
      {
        onError: (error) =>
          notifications.show({ title: `Could not map ${record_name}`, message: wordsFor(error), color: 'red.9' }),
      },
    )
  if (!isAdmin) return remote_name ?? remote_id ?? '–'
  if (list && isOpen) return <Chosen connection={connection} list={list} mapping={mapping} save={save} />
  return (
    <TextInput
      aria-label={`${record_name} there`}
      defaultValue={remote_id ?? ''}
      onBlur={({ currentTarget: { value } }) => value.trim() !== (remote_id ?? '') && save(value.trim() || null, null)}
    />
  )
}

type ChosenProps = {
  connection: Connection
  list: RemoteList
  mapping: Mapping
  save: (id: string | null, name: string | null) => void
}

function Chosen({ connection, list, mapping: { record_name, remote_id, remote_name }, save }: ChosenProps) {
  const { data = [], isPending, error } = useQuery(remoteQuery(connection.id, list))
  const choices = data
    .filter(({ is_active, id }) => is_active || id === remote_id)
    .map(({ id, name, detail }) => ({ value: id, label: detail ? `${name} (${detail})` : name }))
  return (
    <Select
      aria-label={`${record_name} there`}
      clearable
      noneLabel="Not mapped"
      choices={choices}
      value={remote_id}
      valueLabel={remote_name ?? remote_id}
      searching={isPending}
      error={error ? wordsFor(error) : undefined}
      onChange={(next) => save(next, data.find(({ id }) => id === next)?.name ?? null)}
    />
  )
}
