import { Button, Group, Modal } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ifUnchanged, useChange } from '../../../app/api/changes.ts'
import { useCurrency } from '../../../app/api/currencies.ts'
import { answered } from '../../../app/api/problem.ts'
import { lading } from '../../../app/api/session.ts'
import { Refused } from '../../../app/editing/conflict.tsx'
import { IconArrowsSplit } from '../../../app/icons/icons.ts'
import { type DocumentKind, nameIn } from '../../documents/kind.ts'
import { parties } from '../../documents/party.ts'
import { documentQuery } from '../../documents/queries.ts'
import { canAllocateAll, readParts } from '../../payments/allocating/allocating.ts'
import { OpenDocuments, type TypedAmounts } from '../../payments/allocating/open-documents.tsx'
import { useOpenDocuments } from '../../payments/allocating/open-query.ts'
import { settles } from '../../payments/pages/new-page.tsx'
import type { Credit } from '../fields.ts'

type ApplyProps = { kind: DocumentKind<Credit>; credit: Credit }

/** Applies a credit to open documents of its carrier or customer. */
export function ApplyButton({ kind, credit }: ApplyProps) {
  const [open, setOpen] = useState(false)
  const canApply =
    credit.status_id !== 'draft' &&
    !credit.voided_at &&
    credit.amount_due > 0 &&
    credit.currency_id &&
    credit[parties[kind.party].field]
  if (!canApply) return null
  return (
    <>
      <Button leftSection={<IconArrowsSplit size={16} aria-hidden />} onClick={() => setOpen(true)}>
        Apply
      </Button>
      {open && <ApplyDialog kind={kind} credit={credit} close={() => setOpen(false)} />}
    </>
  )
}

function ApplyDialog({ kind, credit, close }: ApplyProps & { close: () => void }) {
  const [typed, setTyped] = useState<TypedAmounts>(new Map())
  const queryClient = useQueryClient()
  const currency = useCurrency(credit.currency_id)
  const apply = useApply(credit)
  const target = settles[credit.direction]
  const partyId = credit[parties[kind.party].field] ?? ''
  const open = useOpenDocuments({ kind: target.kind, partyId, currencyId: credit.currency_id })
  if (!currency) return null
  const read = readParts(typed, open.data?.rows ?? [], currency)
  const { parts, sum } = read
  const isGood = parts.size > 0 && canAllocateAll(read) && sum <= BigInt(credit.amount_due)
  const save = () =>
    apply.mutate(
      [...parts].map(([id, amount]) => ({ [target.idField]: id, amount })),
      {
        onSuccess: () => {
          close()
          notifications.show({ message: `${nameIn(kind, credit)} was applied.` })
        },
      },
    )
  const load = async () => {
    await queryClient.fetchQuery({ ...documentQuery(kind, credit.id), staleTime: 0 })
    apply.reset()
  }
  return (
    <Modal opened onClose={close} title={`Apply ${nameIn(kind, credit)}`} size="xl">
      <OpenDocuments
        kind={target.kind}
        open={open}
        currency={currency}
        amount={credit.amount_due}
        what="credit"
        typed={typed}
        change={setTyped}
      />
      <Refused error={apply.error} what="credit" load={() => void load()} />
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
        <Button onClick={save} disabled={!isGood} loading={apply.isPending}>
          Apply
        </Button>
      </Group>
    </Modal>
  )
}

function useApply({ id, revision }: Credit) {
  return useChange(
    (allocations: readonly object[]) =>
      answered(
        lading.POST('/api/v1/credits/{creditID}/apply', {
          params: { path: { creditID: id } },
          ...ifUnchanged(revision),
          body: { allocations } as never,
        }),
      ),
    { touches: ['credits', 'bills', 'invoices', 'payments'] },
  )
}
