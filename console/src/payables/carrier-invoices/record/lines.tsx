import { Alert, List, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMoney } from '../../../app/api/currencies.ts'
import { IconAlertTriangle } from '../../../app/icons/icons.ts'
import { LoadingText } from '../../../app/parts/loading-text.tsx'
import { Panel } from '../../../app/parts/panel.tsx'
import { type Column, DataTable } from '../../../app/table/data-table.tsx'
import { choiceQuery } from '../../../settings/bill-item-types/queries.ts'
import type { CarrierInvoice, Finding, Line } from '../invoice.ts'
import { isShort } from '../states.ts'

type Placed = Line & { place: number }

/** The lines as the carrier wrote them, each with what was found about it. What is about the whole invoice comes first. */
export function LinesPanel({ invoice }: { invoice: CarrierInvoice }) {
  const money = useMoney()
  const { lines, findings, currency_id, total_amount, approved_amount } = invoice
  const ofWhole = findings.filter(({ line }) => line === null || line > lines.length)
  const columns: Column<Placed>[] = [
    {
      label: 'Line',
      show: (line) => (
        <>
          <LineName line={line} />
          <HowMany line={line} currency={currency_id} />
          {line.is_tax && (
            <Text size="xs" c="dimmed">
              Tax
            </Text>
          )}
          {findings
            .filter((finding) => finding.line === line.place)
            .map((finding) => (
              <FindingText key={finding.code} finding={finding} />
            ))}
        </>
      ),
    },
    { label: 'Amount', end: true, show: ({ amount }) => money(amount, currency_id) },
  ]
  return (
    <Panel title="Lines">
      {ofWhole.length > 0 && (
        <Alert variant="default" icon={<IconAlertTriangle aria-hidden />} title="About the invoice" mb="sm">
          <List size="sm">
            {ofWhole.map(({ code, message }) => (
              <List.Item key={`${code} ${message}`}>{message}</List.Item>
            ))}
          </List>
        </Alert>
      )}
      {lines.length > 0 ? (
        <DataTable
          label="Lines"
          columns={columns}
          rows={lines.map((line, index) => ({ ...line, place: index + 1 }))}
          keyOf={({ place }) => String(place)}
        />
      ) : (
        <Text size="sm" c="dimmed">
          It has no lines, only a total.
        </Text>
      )}
      <Text ta="right" mt="sm" size="sm">
        Total <b>{money(total_amount, currency_id)}</b>
      </Text>
      {approved_amount !== null && isShort(invoice) && (
        <Text ta="right" size="sm">
          To be paid <b>{money(approved_amount, currency_id)}</b>
        </Text>
      )}
    </Panel>
  )
}

const isId = /^[0-9a-f]{8}-[0-9a-f-]{27}$/i

/** Carriers and people name types, programs may send their ids. */
function LineName({ line: { type, description } }: { line: Line }) {
  const id = type && isId.test(type) ? type : null
  const { data, error } = useQuery({ ...choiceQuery(id ?? ''), enabled: id !== null })
  const name = id ? (data?.[0]?.label ?? (error ? 'a deleted type' : <LoadingText />)) : type
  if (!name) return description ?? '–'
  return (
    <>
      <b>{name}</b>
      {description && description !== name && (
        <Text size="sm" c="dimmed">
          {description}
        </Text>
      )}
    </>
  )
}

const unitWords = { each: '', mile: 'mi', km: 'km', hour: 'h', day: 'd', percent: '%' } as const

function HowMany({ line: { quantity, unit, unit_price }, currency }: { line: Line; currency: string }) {
  const money = useMoney()
  if (quantity == null || unit_price == null || (quantity === 1 && (unit ?? 'each') === 'each')) return null
  return (
    <Text size="xs" c="dimmed">
      {quantity.toLocaleString()} {unitWords[unit ?? 'each']} × {money(unit_price, currency)}
    </Text>
  )
}

function FindingText({ finding: { message } }: { finding: Finding }) {
  return (
    <Text size="sm" mt={4} style={{ display: 'flex', gap: '0.35rem' }}>
      <IconAlertTriangle size={16} aria-hidden style={{ flex: 'none', marginTop: 2 }} />
      <span>{message}</span>
    </Text>
  )
}
