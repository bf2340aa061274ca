import type { components, operations } from './schema.d.ts'

type Schemas = components['schemas']

/** What an operation takes as its body, by its id in the reference: `RequestOf<'updateBill'>`. */
export type RequestOf<Id extends keyof operations> = operations[Id] extends { requestBody?: { content: { 'application/json': infer Body } } } ? Body : never
/** What an operation answers when it succeeds. */
export type AnswerTo<Id extends keyof operations> = operations[Id] extends { responses: infer Answers }
  ? {
      [Status in keyof Answers]: Status extends 200 | 201 ? (Answers[Status] extends { content: { 'application/json': infer Answer } } ? Answer : never) : never
    }[keyof Answers]
  : never
/** The parameters that an operation takes in its query. */
export type QueryOf<Id extends keyof operations> = operations[Id] extends { parameters: { query?: infer Query } } ? NonNullable<Query> : never

/** Records. */
export type Bill = Schemas['Bill']
export type BillItem = Schemas['BillItem']
export type BillItemType = Schemas['BillItemType']
export type Board = Schemas['Board']
export type ConsolidatedBill = Schemas['ConsolidatedBill']
export type ContactObject = Schemas['ContactObject']
export type Currency = Schemas['Currency']
export type Customer = Schemas['Customer']
export type CustomerObject = Schemas['CustomerObject']
export type Definition = Schemas['Definition']
export type Document = Schemas['Document']
export type DocumentRule = Schemas['DocumentRule']
export type Equipment = Schemas['Equipment']
export type EquipmentObject = Schemas['EquipmentObject']
export type ExchangeRate = Schemas['ExchangeRate']
export type Event = Schemas['Event']
export type Leg = Schemas['Leg']
export type LegObject = Schemas['LegObject']
export type Manifest = Schemas['Manifest']
export type ManifestObject = Schemas['ManifestObject']
export type OAuthApplication = Schemas['OAuthApplication']
export type Order = Schemas['Order']
export type OrderObject = Schemas['OrderObject']
export type Organization = Schemas['Organization']
export type PartnerCarrier = Schemas['PartnerCarrier']
export type PartnerObject = Schemas['PartnerObject']
export type PayTerm = Schemas['PayTerm']
export type PlatformObject = Schemas['PlatformObject']
export type QuoteObject = Schemas['QuoteObject']
export type Service = Schemas['Service']
export type ServiceObject = Schemas['ServiceObject']
export type TaxRate = Schemas['TaxRate']
export type User = Schemas['User']
export type Webhook = Schemas['Webhook']
export type WebhookDelivery = Schemas['WebhookDelivery']

/** Bodies of requests, by the name of the operation. */
export type AddBillItem = RequestOf<'addBillItem'>
export type AddBillsToConsolidatedBill = RequestOf<'addBillsToConsolidatedBill'>
export type BillManifest = RequestOf<'billManifest'>
export type BulkBills = RequestOf<'bulkBills'>
export type BulkObjects = RequestOf<'bulkObjects'>
export type CreateBill = RequestOf<'createBill'>
export type CreateBillItemType = RequestOf<'createBillItemType'>
export type CreateBoard = RequestOf<'createBoard'>
export type CreateDocumentRule = RequestOf<'createDocumentRule'>
export type CreateConsolidatedBill = RequestOf<'createConsolidatedBill'>
export type CreateCustomer = RequestOf<'createCustomer'>
export type CreateDefinition = RequestOf<'createDefinition'>
export type CreateEquipment = RequestOf<'createEquipment'>
export type CreateExchangeRate = RequestOf<'createExchangeRate'>
export type CreateLeg = RequestOf<'createLeg'>
export type CreateManifest = RequestOf<'createManifest'>
export type CreateOAuthApplication = RequestOf<'createOAuthApplication'>
export type CreateOrder = RequestOf<'createOrder'>
export type CreatePartnerCarrier = RequestOf<'createPartnerCarrier'>
export type CreatePayTerm = RequestOf<'createPayTerm'>
export type CreateService = RequestOf<'createService'>
export type CreateTaxRate = RequestOf<'createTaxRate'>
export type CreateUser = RequestOf<'createUser'>
export type CreateWebhook = RequestOf<'createWebhook'>
export type PayBill = RequestOf<'payBill'>
export type PayConsolidatedBill = RequestOf<'payConsolidatedBill'>
export type ReopenBill = RequestOf<'reopenBill'>
export type ReopenConsolidatedBill = RequestOf<'reopenConsolidatedBill'>
export type ReorderBillItems = RequestOf<'reorderBillItems'>
export type ReplayWebhook = RequestOf<'replayWebhook'>
export type RotateOAuthApplicationSecret = RequestOf<'rotateOAuthApplicationSecret'>
export type RotateWebhookSecret = RequestOf<'rotateWebhookSecret'>
export type SaveBill = RequestOf<'saveBill'>
export type SaveConsolidatedBill = RequestOf<'saveConsolidatedBill'>
export type SearchObjects = RequestOf<'searchObjects'>
export type SendBill = RequestOf<'sendBill'>
export type SendConsolidatedBill = RequestOf<'sendConsolidatedBill'>
export type UpdateBill = RequestOf<'updateBill'>
export type UpdateBillItem = RequestOf<'updateBillItem'>
export type UpdateBillItemType = RequestOf<'updateBillItemType'>
export type UpdateBoard = RequestOf<'updateBoard'>
export type UpdateConsolidatedBill = RequestOf<'updateConsolidatedBill'>
export type UpdateCustomer = RequestOf<'updateCustomer'>
export type UpdateDefinition = RequestOf<'updateDefinition'>
export type UpdateEquipment = RequestOf<'updateEquipment'>
export type UpdateExchangeRate = RequestOf<'updateExchangeRate'>
export type UpdateLeg = RequestOf<'updateLeg'>
export type UpdateManifest = RequestOf<'updateManifest'>
export type UpdateOAuthApplication = RequestOf<'updateOAuthApplication'>
export type UpdateObject = RequestOf<'updateObject'>
export type UpdateOrder = RequestOf<'updateOrder'>
export type UpdateOrganization = RequestOf<'updateOrganization'>
export type UpdatePartnerCarrier = RequestOf<'updatePartnerCarrier'>
export type UpdatePayTerm = RequestOf<'updatePayTerm'>
export type UpdateService = RequestOf<'updateService'>
export type UpdateTaxRate = RequestOf<'updateTaxRate'>
export type UpdateUser = RequestOf<'updateUser'>
export type UpdateWebhook = RequestOf<'updateWebhook'>
export type UpsertObject = RequestOf<'upsertObject'>

/** The filters of searches. */
export type ListObjects = QueryOf<'listObjects'>
export type SearchBillItemTypes = QueryOf<'searchBillItemTypes'>
export type SearchBills = QueryOf<'searchBills'>
export type SearchConsolidatedBills = QueryOf<'searchConsolidatedBills'>
export type SearchCurrencies = QueryOf<'searchCurrencies'>
export type SearchCustomers = QueryOf<'searchCustomers'>
export type SearchEquipment = QueryOf<'searchEquipment'>
export type SearchExchangeRates = QueryOf<'searchExchangeRates'>
export type SearchLegs = QueryOf<'searchLegs'>
export type SearchManifests = QueryOf<'searchManifests'>
export type SearchOAuthApplications = QueryOf<'searchOAuthApplications'>
export type SearchOrders = QueryOf<'searchOrders'>
export type SearchPartnerCarriers = QueryOf<'searchPartnerCarriers'>
export type SearchPayTerms = QueryOf<'searchPayTerms'>
export type SearchServices = QueryOf<'searchServices'>
export type SearchTaxRates = QueryOf<'searchTaxRates'>
export type SearchUsers = QueryOf<'searchUsers'>
export type SearchWebhookDeliveries = QueryOf<'searchWebhookDeliveries'>
export type SearchWebhooks = QueryOf<'searchWebhooks'>
