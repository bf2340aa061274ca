const byPeople = 'it takes a decision of a person, and often of two: do it in the console, with records of your own'
const ofMoney = 'it would change what is paid to whom, or from where, and that is never done for a trial'
const ofAccess = 'it would change who may sign in, and that is never done for a trial'
const ofSettings = 'it would change how all other records of the organization are treated'
const ofOthers =
  'it takes an answer of somebody else: a carrier, customs, a bank, an accounting system or a mail server'
const ofFiles = 'it takes a file, which is sent with POST'
const ofTime = 'it happens by itself when its time has come'

/** Why there is no recipe for a type of event, by the type or by its noun. Every type that is known has a recipe or is in here. */
const reasons: Record<string, string> = {
  'bill.approval_reminder': ofTime,
  bill: byPeople,
  'invoice.written_off': byPeople,
  invoice: 'it takes an exchange rate that came later than the document: add one, and reprice it',
  'bill.repriced': 'it takes an exchange rate that came later than the document: add one, and reprice it',
  credit: 'it takes an exchange rate that came later than the document: add one, and reprice it',
  consolidated_bill: 'it follows from what happens to one of its bills: take a statement, and do that',
  payment: ofMoney,
  carrier_invoice: byPeople,
  edi_interchange: ofFiles,
  audit_policy: ofSettings,
  audit_run: 'it audits all carrier invoices of the organization anew',
  payee: ofMoney,
  paying_account: ofMoney,
  payment_run: ofMoney,
  connector_org: ofOthers,
  connector_sync: ofOthers,
  emanifest: ofOthers,
  tender: ofOthers,
  portal_link: ofAccess,
  bill_question: ofOthers,
  accounting_period: ofSettings,
  document: ofFiles,
  document_rule: ofSettings,
  exchange_rate: ofSettings,
  'order.invoiced': 'it takes an order with charges: POST /api/v1/orders/{id}/invoice',
  'manifest.billed': 'it takes a manifest with a carrier and what it is paid: POST /api/v1/manifests/{id}/bill',
  'manifest.delayed': ofTime,
  approval_rule: ofSettings,
  approval_delegation: ofAccess,
  board: 'it is an arrangement of the console: make one there',
  definition: ofSettings,
  transfer: ofFiles,
  user: ofAccess,
  oauth_application: ofAccess,
  organization: ofSettings,
  mail: ofOthers,
  'webhook.test': 'it is of one webhook: POST /api/v1/webhooks/{id}/test',
  webhook: 'it would change where events are sent: make a webhook of your own, and change that',
}

/** Undefined for what is no type of event of ours. */
export function whyNotTriggered(type: string): string | undefined {
  return reasons[type] ?? reasons[type.slice(0, type.indexOf('.'))]
}
