import { Alert } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import type { Currency } from '../../../app/api/currencies.ts'
import { IconAlertTriangle } from '../../../app/icons/icons.ts'
import { sumOf, typedAmountOf } from '../../../app/values/money.ts'
import { type DocumentKind, nameIn } from '../../documents/kind.ts'
import type { TypedAmounts } from '../allocating/open-documents.tsx'
import type { OpenDocumentsQuery, OpenList } from '../allocating/open-query.ts'
import type { NewSearch } from './routes.ts'

type Now = { direction: 'out' | 'in'; party: string | null; currency: string | null }

/** The documents that a link names, as long as the payment is of the party and currency that it names too. */
export function useChosen(asked: NewSearch, { direction, party, currency }: Now): readonly string[] {
  const documents = useLocation({ select: ({ hash }) => hash })
  const isAsked = direction === (asked.direction ?? 'out') && party === asked.party && currency === asked.currency
  return useMemo(() => (documents && isAsked ? [...new Set(documents.split(','))] : []), [documents, isAsked])
}

/** The chosen documents are to be paid whole. True until they are read: a payment that is recorded earlier would be without them. */
export function usePreset(
  chosen: readonly string[],
  { data, isLoading }: OpenDocumentsQuery,
  currency: Currency | undefined,
  fill: (typed: TypedAmounts, total: string) => void,
): boolean {
  const [isDone, setDone] = useState(false)
  const isWanted = !isDone && chosen.length > 0
  useEffect(() => {
    if (!isWanted || !data || !currency) return
    setDone(true)
    const payable = data.rows.filter(({ id }) => chosen.includes(id))
    const typed = (amount: number | bigint) => typedAmountOf(amount, currency.minor_units)
    fill(
      new Map(payable.map(({ id, amount_due }) => [id, typed(amount_due)])),
      typed(sumOf(payable.map(({ amount_due }) => amount_due))),
    )
  })
  return isLoading || isWanted
}

/** Says which of the chosen documents are not part of the payment. */
export function LeftOut({
  kind,
  chosen,
  open,
}: {
  kind: DocumentKind
  chosen: readonly string[]
  open: OpenList | undefined
}) {
  if (!open) return null
  const known = new Set([...open.rows, ...open.closed].map(({ id }) => id))
  const missing = chosen.filter((id) => !known.has(id)).length
  const left = open.closed.length + missing
  if (left === 0) return null
  const names = [
    ...open.closed.map((document) => nameIn(kind, document)),
    ...(missing > 0 ? [`${missing} that cannot be found`] : []),
  ]
  return (
    <Alert
      variant="default"
      icon={<IconAlertTriangle aria-hidden />}
      mb="sm"
      role="alert"
      title={`${left} of the ${chosen.length} selected are left out`}
    >
      Nothing is left to pay on: {names.join(', ')}. The amount is without {left === 1 ? 'it' : 'them'}.
    </Alert>
  )
}
