import { ActionIcon, Anchor, Box, Button, FileButton, Group, Text, Tooltip } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useMe } from '../../app/api/me.ts'
import { wordsFor } from '../../app/api/problem.ts'
import { DropZone } from '../../app/files/drop-zone.tsx'
import { upload } from '../../app/files/upload.ts'
import { IconKeyboard, IconPlus, IconUpload } from '../../app/icons/icons.ts'
import { Failed } from '../../app/parts/failed.tsx'
import { Page } from '../../app/parts/page.tsx'
import { TableSkeleton } from '../../app/table/data-table.tsx'
import { SearchField } from '../../app/table/search-field.tsx'
import { useSelection } from '../../app/table/use-selection.ts'
import { StateTabs } from '../../books/documents/shown/state-tabs.tsx'
import type { Decision } from '../carrier-invoices/invoice.ts'
import { type InboxSearch, inboxPath, type Tab, tabs } from '../carrier-invoices/paths.ts'
import { DecisionDialog } from '../carrier-invoices/record/decision-dialog.tsx'
import { nameOf, type Row, useCounts, useRows } from '../carrier-invoices/rows.ts'
import { decisionsFor } from '../carrier-invoices/states.ts'
import { ApproveRowsDialog } from './approve-rows-dialog.tsx'
import styles from './inbox.module.css'
import { InboxList, Nothing } from './inbox-list.tsx'
import { KeysDialog } from './keys-dialog.tsx'
import { RecordPane } from './record-pane.tsx'
import { SelectedRows } from './selected-rows.tsx'
import { useKeys } from './use-keys.ts'

type Asking = { approve: readonly Row[]; isSelection?: true } | { decide: Decision; of: Row } | 'keys' | null

/** What came from carriers and what is to be done about it, until it is paid. */
export function InboxPage() {
  const search = useSearch({ strict: false }) as InboxSearch
  const { tab = 'received' } = search
  const { may } = useMe()
  const counts = useCounts()
  const { send, isSending } = useNewFromFile()
  return (
    <Page
      title="Payables inbox"
      lead="What carriers ask for: received, held against what was agreed, approved and paid."
      actions={
        may('enter') && (
          <>
            <FileButton accept="application/pdf,image/*" onChange={(file) => file && void send(file)}>
              {(props) => (
                <Button
                  {...props}
                  variant="default"
                  loading={isSending}
                  leftSection={<IconUpload size={16} aria-hidden />}
                >
                  Upload an invoice
                </Button>
              )}
            </FileButton>
            <Button
              leftSection={<IconPlus size={18} aria-hidden />}
              renderRoot={(props) => <Link to={`${inboxPath}/new`} {...props} />}
            >
              New carrier invoice
            </Button>
          </>
        )
      }
    >
      <StateTabs
        label="Inbox"
        toOf={() => inboxPath}
        tabs={(Object.keys(tabs) as Tab[]).map((key) => ({ key, label: tabs[key], total: counts[key] }))}
        current={tab}
        searchOf={(key) => (key === 'received' ? {} : { tab: key })}
      />
      <DropZone
        enabled={may('enter')}
        words="Drop an invoice to enter it next to its preview"
        onFiles={([file]) => file && void send(file)}
      >
        <Inbox key={tab} search={search} tab={tab} />
      </DropZone>
    </Page>
  )
}

function Inbox({ search, tab }: { search: InboxSearch; tab: Tab }) {
  const navigate = useNavigate()
  const { may } = useMe()
  // Known before anything is drawn, so that the record does not appear late.
  const isWide = useMediaQuery('(min-width: 75em)', undefined, { getInitialValueInEffect: false }) ?? false
  const { data, error, retry, isWaiting } = useRows(search)
  const [asking, setAsking] = useState<Asking>(null)
  const [chosen, setChosen] = useSelection<Row>(`${inboxPath} ${tab}`)
  const rows = data?.rows ?? []
  const current = useCurrent(rows, search.open)
  const go = (next: InboxSearch, replace = false) =>
    void navigate({ to: inboxPath, search: next, replace, resetScroll: false })
  const show = (row: Row | undefined) => {
    if (!row) return
    go({ ...search, open: row.id }, true)
    document.querySelector<HTMLElement>(`[data-inbox-row="${row.id}"]`)?.focus()
  }
  const step = (by: number) => show(rows[current ? rows.indexOf(current) + by : 0])
  const approve = () => {
    const asked = current && may('approve') && approvalOf(current, tab)
    if (asked) setAsking(asked)
  }
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    a: approve,
    e: () => go({ tab: 'exceptions' }),
    '/': () => document.querySelector<HTMLInputElement>('input[type=search]')?.focus(),
    '?': () => setAsking('keys'),
  })
  const close = () => setAsking(null)
  const approvable = [...chosen.values()].map((row) => rows.find(({ id }) => id === row.id) ?? row)
  const paging = data && {
    ...data.paging,
    onPage: (page: number) =>
      go({ ...(tab !== 'received' && { tab }), ...(search.term && { term: search.term }), page }),
  }
  const canChoose = (tab === 'approve' && may('approve')) || (tab === 'pay' && may('pay'))
  return (
    <>
      <Group gap="xs" align="flex-start" wrap="nowrap">
        <Box flex="0 1 24rem">
          <SearchField
            label="Search by number, load or carrier"
            value={search.term ?? ''}
            change={(term) => go({ ...(tab !== 'received' && { tab }), ...(term && { term }) }, true)}
          />
        </Box>
        <Tooltip label="Keys">
          <ActionIcon variant="default" size="lg" visibleFrom="sm" aria-label="Keys" onClick={() => setAsking('keys')}>
            <IconKeyboard size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Group>
      {error && <Failed error={error} what="the inbox" retry={retry} />}
      {!data && !error && <TableSkeleton rows={8} />}
      {data && rows.length === 0 && <Nothing tab={tab} isSearch={Boolean(search.term)} />}
      {data && paging && rows.length > 0 && (
        <div className={styles.inbox}>
          <div className={styles.list}>
            <InboxList
              search={search}
              rows={rows}
              current={current?.id ?? null}
              isWide={isWide}
              paging={paging}
              waiting={isWaiting}
              choosing={canChoose ? { chosen, onChoose: setChosen, nameOf } : null}
            />
            {data.moreBills > 0 && <MoreBills more={data.moreBills} />}
            {chosen.size > 0 && (
              <SelectedRows
                tab={tab}
                rows={approvable}
                approve={() => setAsking({ approve: approvable, isSelection: true })}
                clear={() => setChosen(new Map())}
              />
            )}
          </div>
          {isWide && current && (
            <RecordPane key={current.id} row={current} decide={(decide) => setAsking({ decide, of: current })} />
          )}
        </div>
      )}
      {asking === 'keys' && <KeysDialog close={close} />}
      {asking && asking !== 'keys' && 'decide' in asking && asking.of.invoice && (
        <DecisionDialog invoice={freshOf(rows, asking.of)} decision={asking.decide} close={close} />
      )}
      {asking && asking !== 'keys' && 'approve' in asking && (
        <ApproveRowsDialog
          rows={asking.approve}
          close={(left) => {
            if (asking.isSelection) setChosen(new Map(left.map((row) => [row.id, row])))
            close()
          }}
        />
      )}
    </>
  )
}

/** After somebody else changed it, the dialog decides about the new version. */
function freshOf(rows: readonly Row[], { id, invoice }: Row) {
  return rows.find((row) => row.id === id)?.invoice ?? (invoice as NonNullable<typeof invoice>)
}

function approvalOf(row: Row, tab: Tab): Asking {
  if (row.bill) return tab === 'approve' ? { approve: [row] } : null
  const [first] = decisionsFor(row.invoice)
  return first === 'approve' || first === 'accept' ? { decide: first, of: row } : null
}

/** The record that is shown: the one that was opened. Where it has gone from the list, such as by approving it, the one that took its place. */
function useCurrent(rows: readonly Row[], open: string | undefined): Row | undefined {
  const place = useRef(0)
  const at = rows.findIndex(({ id }) => id === open)
  if (at >= 0) place.current = at
  return rows[at >= 0 ? at : Math.min(place.current, rows.length - 1)]
}

function MoreBills({ more }: { more: number }) {
  return (
    <Text size="sm" c="dimmed" mt="xs">
      {more.toLocaleString()} more bills wait for approval:{' '}
      <Anchor
        size="sm"
        underline="always"
        renderRoot={(props) => <Link to="/bills" search={{ state: 'to_approve' }} {...props} />}
      >
        see all
      </Anchor>
      .
    </Text>
  )
}

/** Keeps a file as a document that is attached to nothing yet, and opens the form next to it. */
function useNewFromFile() {
  const navigate = useNavigate()
  const [isSending, setSending] = useState(false)
  const send = async (file: File) => {
    setSending(true)
    try {
      const { id } = await upload({
        file,
        type: 'invoice',
        record: null,
        key: crypto.randomUUID(),
        onProgress: () => {},
      })
      await navigate({ to: `${inboxPath}/new`, search: { document: id } })
    } catch (error) {
      notifications.show({ title: `Could not upload ${file.name}`, message: wordsFor(error), color: 'red.9' })
    } finally {
      setSending(false)
    }
  }
  return { send, isSending }
}
