import { Button, Checkbox, Group, Modal, Stack } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useMe } from '../../app/api/me.ts'
import { ConfirmDialog } from '../../app/editing/confirm-dialog.tsx'
import { type DocumentType, documentTypeChoices, documentTypeWords } from '../../app/files/types.ts'
import { FieldChanges } from '../../app/history/field-changes.tsx'
import { HistoryDialog } from '../../app/history/history-dialog.tsx'
import { IconFileCheck, IconHistory, IconPencil, IconPlus, IconTrash } from '../../app/icons/icons.ts'
import { Select } from '../../app/inputs/select.tsx'
import { Failed } from '../../app/parts/failed.tsx'
import { Notice } from '../../app/parts/notice.tsx'
import { Page } from '../../app/parts/page.tsx'
import { type Column, DataTable, TableSkeleton } from '../../app/table/data-table.tsx'
import { RowAction } from '../../app/table/row-action.tsx'
import { ObjectName } from '../../records/kinds/object-name.tsx'
import { PartySelect } from '../documents/shown/parties.tsx'
import {
  type Content,
  historyQuery,
  type Rule,
  rulesQuery,
  useCreateRule,
  useDeleteRule,
  useUpdateRule,
} from './queries.ts'
import { rulesPath } from './routes.ts'

type Open = 'new' | { edit: Rule } | { remove: Rule } | { history: Rule } | null

const labels = { before: 'Before', document_types: 'Documents', partner_carrier_id: 'Carrier' }
const stepWords = { approve: 'Approving', pay: 'Paying' } as const
const steps = Object.entries(stepWords).map(([value, label]) => ({ value, label }))
const wordsOf = (types: readonly DocumentType[]) => types.map((type) => documentTypeWords[type]).join(', ')
const nameOf = ({ before, document_types }: Rule) =>
  `${wordsOf(document_types)} before ${stepWords[before].toLowerCase()}`

export function ListPage() {
  const [open, setOpen] = useState<Open>(null)
  const { isAdmin } = useMe()
  const close = () => setOpen(null)
  return (
    <Page
      title="Required documents"
      lead="A bill is not approved or paid while it lacks one of these documents. They count on the bill and on the manifests that it pays."
      actions={
        isAdmin && (
          <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setOpen('new')}>
            New rule
          </Button>
        )
      }
    >
      <List open={setOpen} isAdmin={isAdmin} />
      {open === 'new' && <NewDialog close={close} />}
      {open && open !== 'new' && 'edit' in open && <EditDialog rule={open.edit} close={close} />}
      {open && open !== 'new' && 'remove' in open && <Remove rule={open.remove} close={close} />}
      {open && open !== 'new' && 'history' in open && <History rule={open.history} close={close} />}
    </Page>
  )
}

function List({ open, isAdmin }: { open: (next: Open) => void; isAdmin: boolean }) {
  const { page = 1 } = useSearch({ strict: false }) as { page?: number }
  const navigate = useNavigate()
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...rulesQuery(page),
    placeholderData: keepPreviousData,
  })
  if (error) return <Failed error={error} what="the rules" retry={() => void refetch()} />
  if (!data) return <TableSkeleton />
  const { document_rules, offset, limit, total } = data
  if (document_rules.length === 0) {
    return (
      <Notice icon={IconFileCheck} title="No documents are required">
        {isAdmin
          ? 'Add a rule, such as a proof of delivery before a bill is paid.'
          : 'An admin can require documents, such as a proof of delivery before a bill is paid.'}
      </Notice>
    )
  }
  const paging = {
    offset,
    limit,
    total,
    onPage: (next: number) => void navigate({ to: rulesPath, search: next > 1 ? { page: next } : {} }),
  }
  return (
    <DataTable
      label="Required documents"
      columns={columnsOf(open, isAdmin)}
      rows={document_rules}
      keyOf={({ id }) => id}
      paging={paging}
      waiting={isPlaceholderData}
    />
  )
}

function columnsOf(open: (next: Open) => void, isAdmin: boolean): Column<Rule>[] {
  return [
    { label: labels.document_types, show: ({ document_types }) => <b>{wordsOf(document_types)}</b> },
    { label: labels.before, show: ({ before }) => stepWords[before] },
    {
      label: labels.partner_carrier_id,
      show: ({ partner_carrier_id: id }) => (id ? <ObjectName objectKey="partner" id={id} /> : 'All carriers'),
    },
    {
      label: 'Actions',
      end: true,
      show: (rule) => (
        <Group gap={4} wrap="nowrap" justify="flex-end">
          {isAdmin && (
            <RowAction icon={IconPencil} label="Edit" of={nameOf(rule)} onClick={() => open({ edit: rule })} />
          )}
          <RowAction icon={IconHistory} label="History" of={nameOf(rule)} onClick={() => open({ history: rule })} />
          {isAdmin && (
            <RowAction icon={IconTrash} label="Delete" of={nameOf(rule)} onClick={() => open({ remove: rule })} />
          )}
        </Group>
      ),
    },
  ]
}

const blank: Content = { before: 'pay', document_types: ['pod'], partner_carrier_id: null }

function NewDialog({ close }: { close: () => void }) {
  return <RuleDialog title="New rule" label="Create rule" initial={blank} change={useCreateRule()} close={close} />
}

function EditDialog({ rule, close }: { rule: Rule; close: () => void }) {
  const { before, document_types, partner_carrier_id } = rule
  return (
    <RuleDialog
      title="Edit rule"
      label="Save changes"
      initial={{ before, document_types, partner_carrier_id }}
      change={useUpdateRule(rule)}
      close={close}
    />
  )
}

type Change = {
  mutate: (content: Content, options: { onSuccess: () => void }) => void
  isPending: boolean
  error: unknown
}
type RuleDialogProps = { title: string; label: string; initial: Content; change: Change; close: () => void }

function RuleDialog({ title, label, initial, change, close }: RuleDialogProps) {
  const [content, setContent] = useState(initial)
  const [missing, setMissing] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setMissing(content.document_types.length === 0)
    if (content.document_types.length > 0) change.mutate(content, { onSuccess: close })
  }
  return (
    <Modal opened onClose={close} title={title}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <Checkbox.Group
            label={labels.document_types}
            description="There must be one of each."
            value={content.document_types}
            onChange={(types) => setContent({ ...content, document_types: types as DocumentType[] })}
            error={missing && 'Choose at least one.'}
          >
            <Stack gap="xs" mt="xs">
              {documentTypeChoices.map(({ value, label }) => (
                <Checkbox key={value} value={value} label={label} />
              ))}
            </Stack>
          </Checkbox.Group>
          <Select
            label={labels.before}
            choices={steps}
            value={content.before}
            onChange={(before) => before && setContent({ ...content, before: before as Content['before'] })}
          />
          <PartySelect
            party="carrier"
            label={labels.partner_carrier_id}
            noneLabel="All carriers"
            clearable
            value={content.partner_carrier_id}
            onChange={(id: string | null) => setContent({ ...content, partner_carrier_id: id })}
          />
        </Stack>
        {change.error ? <Failed error={change.error} /> : null}
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={change.isPending}>
            {label}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}

function Remove({ rule, close }: { rule: Rule; close: () => void }) {
  return (
    <ConfirmDialog action="Delete" name="this rule" close={close} change={useDeleteRule(rule)}>
      Bills that lack {wordsOf(rule.document_types).toLowerCase()} can then be{' '}
      {rule.before === 'pay' ? 'paid' : 'approved'}.
    </ConfirmDialog>
  )
}

function History({ rule, close }: { rule: Rule; close: () => void }) {
  return (
    <HistoryDialog
      name={nameOf(rule)}
      close={close}
      query={(limit) => historyQuery(rule.id, limit)}
      changesOf={(event) => <FieldChanges event={event} labels={labels} />}
    />
  )
}
