import type { Paths, Schemas } from '@lading/sdk'

export type CarrierInvoice = Schemas['CarrierInvoice']
export type Line = CarrierInvoice['lines'][number]
export type Finding = CarrierInvoice['findings'][number]
export type Decision = CarrierInvoice['decisions'][number]['decision']
export type NewInvoice = Paths['/api/v1/carrier_invoices']['post']['requestBody']['content']['application/json']
