import { Anchor, Button, Group, Modal, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useMoney } from '../../../app/api/currencies.ts'
import { wordsFor } from '../../../app/api/problem.ts'
import { StateBadge } from '../../../app/parts/state-badge.tsx'
import { type Column, DataTable } from '../../../app/table/data-table.tsx'
import { sumOf } from '../../../app/values/money.ts'
import { Refusals } from '../../documents/selection/refusals.tsx'
import { PartyName } from '../../documents/shown/parties.tsx'
import { useCreateStatement } from '../../statements/queries.ts'
import { type Bill, nameOf } from '../bill.ts'
import { bills } from '../kind.ts'
import { groupsOf, type StatementGroup } from './statement-groups.ts'

type Made = { id: string } | { problem: string }
type StatementsDialogProps = { bills: readonly Bill[]; close: (left: readonly Bill[]) => void }

/** One statement for each payee and currency of the selection: first which, then what came of each. */
export function StatementsDialog({ bills: selected, close }: StatementsDialogProps) {
  const [{ groups, left }] = useState(() => groupsOf(selected))
  const [made, setMade] = useState<ReadonlyMap<string, Made>>(new Map())
  const [busy, setBusy] = useState(false)
  const columns = useColumns(made)
  const create = useCreateStatement()
  const isDone = made.size === groups.length
  const start = async () => {
    setBusy(true)
    for (const group of groups) {
      const result = await create.mutateAsync({ bill_ids: group.bills.map(({ id }) => id) }).then(
        ({ consolidated_bill }): Made => ({ id: consolidated_bill.id }),
        (error): Made => ({ problem: withNames(wordsFor(error), group.bills) }),
      )
      setMade((before) => new Map(before).set(group.key, result))
    }
    setBusy(false)
  }
  const failed = groups.filter(({ key }) => 'problem' in (made.get(key) ?? {}))
  const finish = () =>
    close(
      made.size > 0 ? [...failed.flatMap((group) => group.bills), ...left.map(({ document }) => document)] : selected,
    )
  const count = `${groups.length} ${groups.length === 1 ? 'statement' : 'statements'}`
  const title = groups.length === 0 ? 'No statement can be created' : isDone ? 'Statements' : `Create ${count}`
  return (
    <Modal opened onClose={() => !busy && finish()} title={title} size="xl">
      <Text size="sm" mb="sm">
        A statement has the bills of one payee in one currency. Each is created as a draft and is not sent yet.
      </Text>
      {groups.length > 0 && (
        <DataTable label="Statements" columns={columns} rows={groups} keyOf={({ key }) => key} waiting={busy} />
      )}
      <Refusals kind={bills} title={`${left.length} cannot be on a statement`} refused={left} />
      <Group justify="flex-end" mt="md">
        {isDone ? (
          <Button onClick={finish}>Close</Button>
        ) : (
          <>
            <Button variant="default" onClick={finish} disabled={busy}>
              Cancel
            </Button>
            <Button onClick={() => void start()} loading={busy} data-autofocus>
              Create {count}
            </Button>
          </>
        )}
      </Group>
    </Modal>
  )
}

function useColumns(made: ReadonlyMap<string, Made>): Column<StatementGroup>[] {
  const money = useMoney()
  return [
    {
      label: 'Payee',
      show: ({ carrier, payee }) => (
        <b>{carrier ? <PartyName party="carrier" id={carrier} /> : (payee ?? 'No payee')}</b>
      ),
    },
    { label: 'Currency', show: ({ currency }) => currency.toUpperCase() },
    { label: 'Bills', show: ({ bills }) => bills.map(nameOf).join(', ') },
    {
      label: 'Total',
      end: true,
      show: ({ bills, currency }) => money(sumOf(bills.map(({ total_amount }) => total_amount)), currency),
    },
    ...(made.size > 0 ? [{ label: 'Result', show: ({ key }: StatementGroup) => <Result made={made.get(key)} /> }] : []),
  ]
}

function Result({ made }: { made: Made | undefined }) {
  if (!made) return 'Waits'
  if ('problem' in made) {
    return (
      <>
        <StateBadge words="Not created" tone="stopped" />
        <Text size="sm">{made.problem}</Text>
      </>
    )
  }
  return (
    <Group gap={6}>
      <StateBadge words="Created" tone="done" />
      <Anchor size="sm" renderRoot={(props) => <Link to={`/statements/${made.id}`} {...props} />}>
        Open
      </Anchor>
    </Group>
  )
}

/** The server names bills by their ids; people know their numbers. */
function withNames(words: string, bills: readonly Bill[]): string {
  return bills.reduce((text, bill) => text.replaceAll(`"${bill.id}"`, nameOf(bill)), words)
}
