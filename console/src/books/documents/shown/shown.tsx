import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useMoney } from '../../../app/api/currencies.ts'
import { AddressText } from '../../../app/inputs/address.tsx'
import { StateBadge } from '../../../app/parts/state-badge.tsx'
import { Day, When } from '../../../app/parts/when.tsx'
import { rowLink } from '../../../app/table/open-row.ts'
import { type Address, linesOfAddress, payeeOf } from '../../../app/values/address:ts.ts'
import { timeOf } from '../../../app/values/dates.ts'
import { PayTermName } from '../../../settings/pay-terms/pay-term-name.tsx'
import { type PaymentStatus, paymentStatusWords, paymentTones } from '../../payments/states.ts'
import type { Document } from '../document.ts'
import { type NamedField, shownFields } from '../field.ts'
import type { DocumentKind } from '../kind.ts'
import { type Status, statusWords } from '../states.ts'
import { PartyLink, PartyName } from './parties.tsx'
import { Period } from './period.tsx'
import { StatementLink, StatementNumber } from './statement-number.tsx'
import { DueDate, StatusBadge } from './status.tsx'

/** A record as far as the fields need to know it, to show one of them. */
export type Row = { id?: string; voided_at?: string | null; currency_id?: string | null; status_id?: Status }

type ShownProps = {
  field: NamedField
  /** The record that the value is read from, or the part of it that is known. */
  record: Row
  /** In the text of a history, rather than in a place of its own. */
  inText?: boolean
  empty?: ReactNode
}

/** The value of a field, as people read it. */
export function Shown({ field: { name, kind, options }, record, inText = false, empty = '–' }: ShownProps) {
  const money = useMoney()
  const value = record[name as keyof Row] as unknown
  if (value === null || value === undefined || value === '') return empty
  const text = String(value)
  switch (kind) {
    case 'money':
      return money(value as number, record.currency_id ?? null)
    case 'count':
      return (value as number).toLocaleString()
    case 'boolean':
      return value ? 'Yes' : 'No'
    case 'choice':
      return options?.[text] ?? text
    case 'day':
      return <Day at={text} />
    case 'dueDay':
      return record.status_id && !inText ? (
        <DueDate status_id={record.status_id} due_date={text} voided_at={record.voided_at ?? null} />
      ) : (
        <Day at={text} />
      )
    case 'period':
      return inText ? <Day at={text} /> : <Period {...(record as Parameters<typeof Period>[0])} />
    case 'moment':
      return inText ? timeOf(text) : <When at={text} />
    case 'carrier':
    case 'customer':
      return inText ? <PartyName party={kind} id={text} /> : <PartyLink party={kind} id={text} />
    case 'payTerm':
      return <PayTermName id={text} />
    case 'currency':
      return text.toUpperCase()
    case 'address':
      return inText ? linesOfAddress(value as Address).join(', ') : <AddressText address={value as Address} />
    case 'state':
      return inText ? (
        (options?.[text] ?? statusWords[value as Status])
      ) : (
        <StatusBadge status={value as Status} words={options?.[text]} isVoided={Boolean(record.voided_at)} />
      )
    case 'paymentState':
      return inText ? (
        paymentStatusWords[value as PaymentStatus]
      ) : (
        <StateBadge words={paymentStatusWords[value as PaymentStatus]} tone={paymentTones[value as PaymentStatus]} />
      )
    case 'statement':
      return inText ? <StatementNumber id={text} /> : <StatementLink id={text} />
    case 'longText':
      return <span style={{ whiteSpace: 'pre-wrap' }}>{text}</span>
    default:
      return text
  }
}

/** The state of a document, in the words of its kind. */
export function StateOf({ kind, document }: { kind: DocumentKind; document: Document }) {
  const field = shownFields(kind.list.fields).find(({ name }) => name === 'status_id')
  return field && <Shown field={field} record={document} />
}

/** A number that leads to the page of its record; a draft has none yet. */
export function NumberLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Anchor
      fw={600}
      size="sm"
      style={{ whiteSpace: 'nowrap' }}
      renderRoot={(props) => <Link to={to} {...rowLink} {...props} />}
    >
      {children}
    </Anchor>
  )
}

export function Payee({ record }: { record: { remit_to: Address | null; partner_carrier_id: string | null } }) {
  return payeeOf(record) ?? <PartyName party="carrier" id={record.partner_carrier_id} />
}

type Parties = { remit_to: Address | null; partner_carrier_id: string | null; customer_id: string | null }

/** Who is paid by the document, or pays it. */
export function PartyOf({ kind: { party }, document }: { kind: DocumentKind; document: Document }) {
  const record = document as unknown as Parties
  return party === 'carrier' ? <Payee record={record} /> : <PartyName party="customer" id={record.customer_id} />
}
