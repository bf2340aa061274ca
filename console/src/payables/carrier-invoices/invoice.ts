import type { Paths, Schemas } from '@lading/sdk'

export type CarrierInvoice = Schemas['CarrierInvoice']
export type Line = CarrierInvoice['lines'][number]
export type Finding = CarrierInvoice['findings'][number]
/** What is kept of people: their decisions, and that they voided the bill. */
export type KeptDecision = CarrierInvoice['decisions'][number]['decision']
export type Decision = Exclude<KeptDecision, 'void'>
export type NewInvoice = Paths['/api/v1/carrier_invoices']['post']['requestBody']['content']['application/json']
