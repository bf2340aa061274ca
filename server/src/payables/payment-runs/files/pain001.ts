import { decimalText } from '../../../platform/core/tables/decimals.ts'
import type { BankDetails } from '../../bank-details/model.ts'
import { type IssuedRun, type Payout, paymentsIn, requireAccount } from './model.ts'

/** The wires of a run, and its ACH payments where the bank takes them so, as ISO 20022 pain.001.001.09. */
export function pain001File(run: IssuedRun): string {
  const account = requireAccount(run)
  const payments = paymentsIn(run, 'pain001')
  const byMethod = [...Map.groupBy(payments, ({ method }) => method)]
  const amountOf = (some: readonly Payout[]) =>
    decimalText(
      some.reduce((total, { amount }) => total + amount, 0),
      run.decimals,
    )
  const message = `${run.number}-${run.id.replaceAll('-', '').slice(0, 12)}`
  const blocks = byMethod.map(([method, some]) =>
    tag(
      'PmtInf',
      value('PmtInfId', `${message}-${method}`),
      value('PmtMtd', 'TRF'),
      value('NbOfTxs', String(some.length)),
      value('CtrlSum', amountOf(some)),
      tag('ReqdExctnDt', value('Dt', run.pay_on)),
      tag('Dbtr', value('Nm', account.name, 140)),
      tag('DbtrAcct', accountOf(account.details), value('Ccy', run.currency_id.toUpperCase())),
      tag('DbtrAgt', bankOf(account.details)),
      ...some.map((payment) => transferOf(payment, run)),
    ),
  )
  const header = tag(
    'GrpHdr',
    value('MsgId', message),
    value('CreDtTm', run.issued_at),
    value('NbOfTxs', String(payments.length)),
    value('CtrlSum', amountOf(payments)),
    tag('InitgPty', value('Nm', account.name, 140)),
  )
  const body = tag('CstmrCdtTrfInitn', header, ...blocks)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09">${body}</Document>\n`
}

function transferOf(
  { number, payment_id, amount, payee_name, details, references }: Payout,
  { currency_id, decimals }: IssuedRun,
): string {
  const own = details as BankDetails
  return tag(
    'CdtTrfTxInf',
    tag('PmtId', value('InstrId', payment_id.replaceAll('-', '')), value('EndToEndId', number)),
    tag('Amt', `<InstdAmt Ccy="${currency_id.toUpperCase()}">${decimalText(amount, decimals)}</InstdAmt>`),
    ...(own.bic || own.routing_number ? [tag('CdtrAgt', bankOf(own))] : []),
    tag('Cdtr', value('Nm', payee_name, 140)),
    tag('CdtrAcct', accountOf(own)),
    tag('RmtInf', value('Ustrd', [number, ...references].join(' '), 140)),
  )
}

function accountOf({ iban, account_number }: BankDetails): string {
  return tag('Id', iban ? value('IBAN', iban) : tag('Othr', value('Id', account_number as string, 34)))
}

function bankOf({ bic, routing_number, bank_name }: BankDetails): string {
  const known = [
    ...(bic ? [value('BICFI', bic)] : []),
    ...(routing_number
      ? [tag('ClrSysMmbId', tag('ClrSysId', value('Cd', 'USABA')), value('MmbId', routing_number))]
      : []),
    ...(bank_name ? [value('Nm', bank_name, 140)] : []),
  ]
  // A bank that is known by nothing must still be named; this is what the standard has for it.
  return tag('FinInstnId', ...(known.length > 0 ? known : [tag('Othr', value('Id', 'NOTPROVIDED'))]))
}

function tag(name: string, ...inner: readonly string[]): string {
  return `<${name}>${inner.join('')}</${name}>`
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function value(name: string, text: string, most = 35): string {
  const kept = [...text.replace(/\s+/g, ' ').trim()].slice(0, most).join('')
  // Characters that XML cannot carry at all.
  return tag(
    name,
    kept
      .replace(/[^\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '?')
      .replace(/[&<>"]/g, (character) => entities[character] as string),
  )
}
