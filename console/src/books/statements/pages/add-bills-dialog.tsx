import { Button, Group, Modal, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Refused } from '../../../app/editing/conflict.tsx'
import { Failed } from '../../../app/parts/failed.tsx'
import { DataTable, TableSkeleton } from '../../../app/table/data-table.tsx'
import { type Bill, nameOf } from '../../bills/bill.ts'
import type { Statement } from '../fields.ts'
import { candidatesQuery, statementQuery, useAddBills } from '../queries.ts'
import { billColumns } from './bill-columns.ts'

// The dialog is narrower than a page.
const columns = billColumns.filter(({ name }) => name !== 'due_date')

/** Bills of the same payee and currency that are to be paid and not on a statement yet. */
export function AddBillsDialog({ statement, close }: { statement: Statement; close: () => void }) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Bill>>(new Map())
  const [page, setPage] = useState(1)
  const queryClient = useQueryClient()
  const { data, error, refetch, isPlaceholderData } = useQuery(candidatesQuery(statement, page))
  const add = useAddBills(statement)
  const free = data?.bills.filter(({ consolidated_bill_id }) => consolidated_bill_id === null) ?? []
  return (
    <Modal opened onClose={close} title="Add bills" size="xl">
      {error && <Failed error={error} what="the bills" retry={() => void refetch()} />}
      {!data && !error && <TableSkeleton />}
      {data && free.length === 0 && (
        <Text size="sm">
          {data.total > data.limit ? 'On this page there are' : 'There are'} no bills of this payee that can be added.
        </Text>
      )}
      {data && (free.length > 0 || data.total > data.limit) && (
        <DataTable
          label="Bills to add"
          columns={columns}
          rows={free}
          keyOf={({ id }) => id}
          waiting={isPlaceholderData}
          choosing={{ chosen, onChoose: setChosen, nameOf }}
          paging={{ offset: data.offset, limit: data.limit, total: data.total, onPage: setPage }}
        />
      )}
      <Refused
        error={add.error}
        what="statement"
        load={async () => {
          await queryClient.fetchQuery({ ...statementQuery(statement.id), staleTime: 0 })
          add.reset()
        }}
      />
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
        <Button
          disabled={chosen.size === 0}
          loading={add.isPending}
          onClick={() => add.mutate([...chosen.keys()], { onSuccess: close })}
        >
          Add {chosen.size > 0 ? chosen.size : ''}
        </Button>
      </Group>
    </Modal>
  )
}
