import { Anchor, Button, Group, Modal, SegmentedControl, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useMe } from '../../app/api/me.ts'
import { IconBarrierBlock, IconPlus } from '../../app/icons/icons.ts'
import { Select } from '../../app/inputs/select.tsx'
import { Failed } from '../../app/parts/failed.tsx'
import { Notice } from '../../app/parts/notice.tsx'
import { Page } from '../../app/parts/page.tsx'
import { StateBadge } from '../../app/parts/state-badge.tsx'
import { When } from '../../app/parts/when.tsx'
import { type Column, DataTable, TableSkeleton } from '../../app/table/data-table.tsx'
import { rowLink } from '../../app/table/open-row.ts'
import { timeOf } from '../../app/values/dates.ts'
import { ReferenceInput } from '../../records/form/reference-input.tsx'
import { type Emanifest, emanifestsQuery, useCreateEmanifest } from './queries.ts'
import { type EmanifestsSearch, emanifestsPath } from './routes.ts'
import { borderNames, borderWords, stateTones, stateWords } from './words.ts'

const choices = [
  { value: 'all', label: 'All' },
  { value: 'open', label: 'Open' },
  { value: 'accepted', label: 'Accepted' },
  { value: 'rejected', label: 'Rejected' },
  { value: 'cancelled', label: 'Cancelled' },
]
/** So that all five fit on a phone. */
const narrowPadding = 'clamp(0.15rem, 2.4vw - 0.2rem, 0.625rem)'
const borders = [
  { value: 'all', label: 'Both borders' },
  { value: 'ace', label: 'ACE' },
  { value: 'aci', label: 'ACI' },
]

export function ListPage() {
  const [open, setOpen] = useState(false)
  const search = useSearch({ strict: false }) as EmanifestsSearch
  const navigate = useNavigate()
  const { may } = useMe()
  const go = ({ show, border, page }: EmanifestsSearch) =>
    void navigate({
      to: emanifestsPath,
      search: { ...(show && { show }), ...(border && { border }), ...(page && { page }) },
    })
  const { show, border } = search
  const pick = (next: { show?: string; border?: string }) =>
    go(Object.fromEntries(Object.entries(next).filter(([, value]) => value && value !== 'all')) as EmanifestsSearch)
  const newButton = may('enter') && (
    <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setOpen(true)}>
      New e-manifest
    </Button>
  )
  return (
    <Page
      title="E-manifests"
      lead="What customs is told before a truck crosses into the United States or Canada."
      actions={newButton}
    >
      <Group gap="sm" mb="md">
        <SegmentedControl
          aria-label="Which e-manifests"
          maw="100%"
          styles={{ label: { paddingInline: narrowPadding } }}
          data={choices}
          value={show ?? 'all'}
          onChange={(next) => pick({ show: next, ...(border && { border }) })}
        />
        <SegmentedControl
          aria-label="Which border"
          maw="100%"
          data={borders}
          value={border ?? 'all'}
          onChange={(next) => pick({ border: next, ...(show && { show }) })}
        />
      </Group>
      <List search={search} go={go} newButton={newButton} />
      {open && <NewDialog close={() => setOpen(false)} />}
    </Page>
  )
}

function List({
  search,
  go,
  newButton,
}: {
  search: EmanifestsSearch
  go: (next: EmanifestsSearch) => void
  newButton: React.ReactNode
}) {
  const { data, error, refetch, isPlaceholderData } = useQuery(emanifestsQuery(search))
  if (error) return <Failed error={error} what="the e-manifests" retry={() => void refetch()} />
  if (!data) return <TableSkeleton />
  const { emanifests, offset, limit, total } = data
  const isFiltered = Boolean(search.show || search.border)
  if (emanifests.length === 0)
    return (
      <Notice
        icon={IconBarrierBlock}
        title={isFiltered ? 'No e-manifests found' : 'No e-manifests yet'}
        action={!isFiltered && newButton}
      >
        {isFiltered
          ? 'None is in this state at this border.'
          : 'Make one from a manifest: what the manifest, its orders and its stops say is filled in.'}
      </Notice>
    )
  const paging = { offset, limit, total, onPage: (page: number) => go({ ...search, page }) }
  return (
    <DataTable
      label="E-manifests"
      columns={columns}
      rows={emanifests as Emanifest[]}
      keyOf={({ id }) => id}
      paging={paging}
      waiting={isPlaceholderData}
      sticky
    />
  )
}

const columns: Column<Emanifest>[] = [
  {
    label: 'Trip',
    show: ({ id, trip_number }) => (
      <Anchor
        fw={600}
        size="sm"
        renderRoot={(props) => <Link to={`${emanifestsPath}/${id}`} {...rowLink} {...props} />}
      >
        {trip_number ?? 'No trip number'}
      </Anchor>
    ),
  },
  { label: 'State', show: ({ state }) => <StateBadge words={stateWords[state]} tone={stateTones[state]} /> },
  { label: 'Border', show: ({ border }) => borderNames[border] },
  { label: 'Manifest', show: ({ manifest_number }) => manifest_number ?? '–' },
  { label: 'Port', show: ({ port }) => port ?? '–' },
  { label: 'Crosses', show: ({ crossing_at }) => (crossing_at ? timeOf(crossing_at) : '–') },
  { label: 'Shipments', end: true, show: ({ shipments }) => shipments.length.toLocaleString() },
  { label: 'Created', show: ({ created_at }) => <When at={created_at} /> },
]

const ways = (['ace', 'aci'] as const).map((value) => ({ value, label: borderWords[value] }))

function NewDialog({ close }: { close: () => void }) {
  const [manifest, setManifest] = useState('')
  const [border, setBorder] = useState<'ace' | 'aci'>('ace')
  const create = useCreateEmanifest()
  const navigate = useNavigate()
  const start = () =>
    create.mutate(
      { manifest_id: manifest, border },
      { onSuccess: ({ id }) => void navigate({ to: `${emanifestsPath}/${id}` }) },
    )
  return (
    <Modal opened onClose={close} title="New e-manifest">
      {create.error ? <Failed error={create.error} /> : null}
      <Stack gap="sm">
        <ReferenceInput label="Manifest" required objectKey="manifest" value={manifest} onChange={setManifest} />
        <Select
          label="Border"
          choices={ways}
          value={border}
          onChange={(next) => next && setBorder(next as 'ace' | 'aci')}
        />
      </Stack>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
        <Button disabled={manifest === ''} loading={create.isPending} onClick={start}>
          Create
        </Button>
      </Group>
    </Modal>
  )
}
