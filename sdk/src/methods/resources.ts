/** Generated from server/openapi.json by npm run generate. */
import type { FollowedEvent, FollowOptions } from '../follow.ts'
import type {
  AccountingPeriod,
  AccountingPeriodAnswer,
  AccountingPeriodPage,
  AccrualsReportAnswer,
  AcknowledgeEmanifestsAnswer,
  AddBillsToConsolidatedBill,
  Allocate,
  AmendEmanifest,
  AnswerTender,
  AnyObject,
  ApprovalDelegation,
  ApprovalDelegationAnswer,
  ApprovalDelegationPage,
  ApprovalRule,
  ApprovalRuleAnswer,
  ApprovalRulePage,
  ApproveBill,
  ApproveBills,
  ApproveBillsAnswer,
  ApproveCarrierInvoice,
  Approver,
  ApproverPage,
  AuditPolicy,
  AuditPolicyAnswer,
  AuditPolicyPage,
  AuditReplayAnswer,
  AuditRunAnswer,
  AuthorizeConnectorOrgAnswer,
  Bill,
  BillAnswer,
  BillApprovalsAnswer,
  BillItem,
  BillItemAnswer,
  BillItemChange,
  BillItemPage,
  BillItemType,
  BillItemTypeAnswer,
  BillItemTypePage,
  BillItemsChange,
  BillPage,
  BillQuestion,
  BillQuestionAnswer,
  BillQuestionPage,
  Board,
  BoardPage,
  BounceMail,
  BulkBills,
  BulkCredits,
  BulkInvoices,
  BulkObjects,
  BulkObjectsAnswer,
  BulkReport,
  CarrierInvoice,
  CarrierInvoiceAnswer,
  CarrierInvoicePage,
  CheckConnectorOrgAnswer,
  ConnectConnectorOrg,
  ConnectorList,
  ConnectorMapping,
  ConnectorMappingList,
  ConnectorMappingPage,
  ConnectorOrg,
  ConnectorOrgAnswer,
  ConnectorOrgPage,
  ConnectorSync,
  ConnectorSyncAnswer,
  ConnectorSyncPage,
  ConnectorSyncResult,
  ConnectorSyncResultPage,
  ConsolidatedBill,
  ConsolidatedBillAnswer,
  ConsolidatedBillPage,
  ConvertAmount,
  ConvertAmountAnswer,
  CounterPortalTender,
  CreateAccountingPeriod,
  CreateApprovalDelegation,
  CreateApprovalRule,
  CreateAuditPolicy,
  CreateBill,
  CreateBillItemType,
  CreateBoard,
  CreateCarrierInvoice,
  CreateCarrierInvoicesByEdiAnswer,
  CreateConnectorOrg,
  CreateConsolidatedBill,
  CreateCredit,
  CreateCustomer,
  CreateDefinition,
  CreateDocument,
  CreateDocumentRule,
  CreateEmanifest,
  CreateEquipment,
  CreateExchangeRate,
  CreateInvoice,
  CreateOAuthApplication,
  CreateOrder,
  CreatePartnerCarrier,
  CreatePayTerm,
  CreatePayee,
  CreatePayment,
  CreatePaymentRun,
  CreatePortalInvitation,
  CreatePortalInvitationAnswer,
  CreatePortalInvoice,
  CreatePortalLink,
  CreatePortalLinkAnswer,
  CreateService,
  CreateTaxRate,
  CreateTender,
  CreateUser,
  CreateWebhook,
  Credit,
  CreditAnswer,
  CreditItem,
  CreditItemAnswer,
  CreditItemChange,
  CreditItemPage,
  CreditItemsChange,
  CreditPage,
  Currency,
  CurrencyAnswer,
  CurrencyPage,
  Customer,
  CustomerAnswer,
  CustomerPage,
  CustomerStatementAnswer,
  DecideCarrierInvoice,
  DecidePayeeChange,
  DecideTender,
  Definition,
  DefinitionPage,
  DefinitionSchema,
  DispatchManifest,
  DispatchManifestPage,
  Document,
  DocumentAnswer,
  DocumentForm,
  DocumentPage,
  DocumentPayment,
  DocumentPaymentPage,
  DocumentRule,
  DocumentRuleAnswer,
  DocumentRulePage,
  DocumentTotals,
  DuplicateList,
  EdiInterchange,
  EdiInterchangeAnswer,
  EdiInterchangePage,
  Emanifest,
  EmanifestAnswer,
  EmanifestPage,
  Equipment,
  EquipmentAnswer,
  EquipmentPage,
  Event,
  EventAnswer,
  EventPage,
  ExchangeRate,
  ExchangeRateAnswer,
  ExchangeRatePage,
  ExportBills,
  ExportCredits,
  ExportInvoices,
  ExportObjects,
  GetAccountingPeriodHistory,
  GetApprovalDelegationHistory,
  GetApprovalRuleHistory,
  GetAuditPolicyHistory,
  GetBillHistory,
  GetBillItemTypeHistory,
  GetBillQuestionHistory,
  GetBillsTotals,
  GetBoardHistory,
  GetCarrierInvoiceHistory,
  GetConnectorOrgHistory,
  GetConsolidatedBillHistory,
  GetCreditHistory,
  GetCreditsTotals,
  GetCustomerHistory,
  GetCustomerStatement,
  GetCustomerStatementPdf,
  GetDefinitionHistory,
  GetDocumentContent,
  GetDocumentHistory,
  GetDocumentRuleHistory,
  GetEmanifestHistory,
  GetEquipmentHistory,
  GetExchangeRateHistory,
  GetInvoiceHistory,
  GetInvoicesTotals,
  GetLegHistory,
  GetMailHistory,
  GetManifestHistory,
  GetManifestTrack,
  GetMarginReport,
  GetOAuthApplicationHistory,
  GetObject,
  GetObjectByExternalId,
  GetObjectHistory,
  GetOrderHistory,
  GetOrganizationHistory,
  GetPartnerCarrierHistory,
  GetPartnerCarrierStatement,
  GetPartnerCarrierStatementPdf,
  GetPayTermHistory,
  GetPayablesAgingReport,
  GetPayeeHistory,
  GetPaymentHistory,
  GetPaymentRunHistory,
  GetPortalDocumentContent,
  GetPortalLinkHistory,
  GetReceivablesAgingReport,
  GetServiceHistory,
  GetSpendReport,
  GetTaxRateHistory,
  GetTenderHistory,
  GetTimeZoneOfPlace,
  GetUserHistory,
  GetWebhookHistory,
  HistoryEvent,
  HistoryPage,
  HistoryPageV2,
  ImportCarrierInvoicesAnswer,
  ImportExchangeRatesAnswer,
  ImportObjectsAnswer,
  ImportReport,
  InvitedUser,
  Invoice,
  InvoiceAnswer,
  InvoiceItem,
  InvoiceItemAnswer,
  InvoiceItemChange,
  InvoiceItemPage,
  InvoiceItemsChange,
  InvoicePage,
  Leg,
  LegAnswer,
  LegFields,
  LegPage,
  ListBillItems,
  ListBillPayments,
  ListBoardObjects,
  ListBoards,
  ListConnectorRemoteAnswer,
  ListCreditItems,
  ListCreditPayments,
  ListDefinitions,
  ListEvents,
  ListInvoiceItems,
  ListInvoicePayments,
  ListObjects,
  ListPayeeChanges,
  ListPaymentRunPayments,
  ListRemittanceAdvicesAnswer,
  Mail,
  MailAnswer,
  MailPage,
  Manifest,
  ManifestAnswer,
  ManifestFields,
  ManifestMove,
  ManifestPage,
  MarginReportAnswer,
  MatchCarrierInvoice,
  MatchProposalList,
  MeAnswer,
  MoveManifest,
  NewBillItem,
  NewCreditItem,
  NewInvoiceItem,
  OAuthApplication,
  OAuthApplicationAnswer,
  OAuthApplicationPage,
  OAuthApplicationWithSecretAnswer,
  OpenPortalLink,
  OpenPortalLinkAnswer,
  Order,
  OrderAnswer,
  OrderPage,
  OrderToPlan,
  OrderToPlanPage,
  OrdersToPut,
  OrganizationAnswer,
  OrganizationUsageAnswer,
  PartnerCarrier,
  PartnerCarrierAnswer,
  PartnerCarrierPage,
  PartnerCarrierStatementAnswer,
  PayConsolidatedBill,
  PayDocument,
  PayTerm,
  PayTermAnswer,
  PayTermPage,
  PayablesAgingReportAnswer,
  Payee,
  PayeeAnswer,
  PayeeChange,
  PayeeChangePage,
  PayeePage,
  PayingAccountAnswer,
  PayingAccountList,
  Payment,
  PaymentAnswer,
  PaymentPage,
  PaymentRun,
  PaymentRunAnswer,
  PaymentRunPage,
  PaymentRunPayment,
  PaymentRunPaymentPage,
  PlanManifest,
  PlanningFindingList,
  PlatformModelVersionAnswer,
  PlatformObject,
  PlatformObjectPage,
  PortalBill,
  PortalBillAnswer,
  PortalBillPage,
  PortalDocument,
  PortalDocumentAnswer,
  PortalDocumentPage,
  PortalInvitation,
  PortalInvitationPage,
  PortalInvoice,
  PortalInvoiceAnswer,
  PortalInvoicePage,
  PortalLink,
  PortalLinkAnswer,
  PortalLinkPage,
  PortalManifest,
  PortalManifestAnswer,
  PortalManifestPage,
  PortalMeAnswer,
  PortalQuestionsAnswer,
  PortalTender,
  PortalTenderAnswer,
  PortalTenderPage,
  ReceivablesAgingReportAnswer,
  RecordManifestPositions,
  RecordManifestPositionsAnswer,
  RecordPositions,
  RecordPositionsAnswer,
  RefundPayment,
  RejectBill,
  ReopenAccountingPeriod,
  ReopenBill,
  ReopenConsolidatedBill,
  ReopenCredit,
  ReopenInvoice,
  ReorderBillItems,
  ReorderCreditItems,
  ReorderInvoiceItems,
  ReplayAuditPolicy,
  ReplayWebhook,
  ReportPortalStop,
  ReportStop,
  RequestLogEntry,
  RequestLogEntryPage,
  RequestLogEntryWithAnswerAnswer,
  ReturnPayment,
  RevealPayeeAnswer,
  RotateOAuthApplicationSecret,
  RotateWebhookSecret,
  ScopesAnswer,
  SearchAccountingPeriods,
  SearchApprovalDelegations,
  SearchApprovalRules,
  SearchApprovers,
  SearchAuditPolicies,
  SearchBillItemTypes,
  SearchBillQuestions,
  SearchBills,
  SearchCarrierInvoices,
  SearchConnectorMappings,
  SearchConnectorOrgs,
  SearchConnectorSyncResults,
  SearchConnectorSyncs,
  SearchConsolidatedBills,
  SearchCredits,
  SearchCurrencies,
  SearchCustomers,
  SearchDeliveriesOfWebhook,
  SearchDispatchManifests,
  SearchDocumentRules,
  SearchDocuments,
  SearchEdiInterchanges,
  SearchEmanifests,
  SearchEquipment,
  SearchExchangeRates,
  SearchInvoices,
  SearchLegs,
  SearchMails,
  SearchManifests,
  SearchOAuthApplications,
  SearchObjects,
  SearchOrders,
  SearchOrdersToPlan,
  SearchPartnerCarriers,
  SearchPayTerms,
  SearchPayees,
  SearchPaymentRuns,
  SearchPayments,
  SearchPlatformModelTransfers,
  SearchPortalBills,
  SearchPortalDocuments,
  SearchPortalInvitations,
  SearchPortalInvoices,
  SearchPortalLinks,
  SearchPortalManifests,
  SearchPortalTenders,
  SearchRequestLog,
  SearchSecurityEvents,
  SearchServices,
  SearchTaxRates,
  SearchTenders,
  SearchTransfers,
  SearchUsers,
  SearchWebhookDeliveries,
  SearchWebhooks,
  SecurityEvent,
  SecurityEventPage,
  SendBillAnswer,
  SendConsolidatedBillAnswer,
  SendCreditAnswer,
  SendDocument,
  SendInvoiceAnswer,
  SendMail,
  SendMessage,
  SendRemittanceAdvicesAnswer,
  SentMail,
  SequenceStops,
  Service,
  ServiceAnswer,
  ServicePage,
  SetConnectorMappings,
  SetPayingAccount,
  ShortPayCarrierInvoice,
  SpendReportAnswer,
  StartBillsExport,
  StartCarrierInvoiceAudit,
  StartCreditsExport,
  StartInvoicesExport,
  StartObjectsExport,
  SummaryAnswer,
  SyncScope,
  TaxRate,
  TaxRateAnswer,
  TaxRatePage,
  Tender,
  TenderAnswer,
  TenderPage,
  TimeZoneOfPlaceAnswer,
  TrackAnswer,
  Transfer,
  TransferAnswer,
  TransferPage,
  TransferV2,
  TransferV2Answer,
  TransferV2Page,
  UndoPortalStopReport,
  UpdateApprovalRule,
  UpdateAuditPolicy,
  UpdateBill,
  UpdateBillAnswer,
  UpdateBillItem,
  UpdateBillItemType,
  UpdateBoard,
  UpdateCarrierInvoice,
  UpdateConnectorOrg,
  UpdateConsolidatedBill,
  UpdateCredit,
  UpdateCreditAnswer,
  UpdateCreditItem,
  UpdateCustomer,
  UpdateDefinition,
  UpdateDocument,
  UpdateDocumentRule,
  UpdateEmanifest,
  UpdateEquipment,
  UpdateExchangeRate,
  UpdateInvoice,
  UpdateInvoiceAnswer,
  UpdateInvoiceItem,
  UpdateOAuthApplication,
  UpdateObject,
  UpdateOrder,
  UpdateOrganization,
  UpdatePartnerCarrier,
  UpdatePayTerm,
  UpdatePayee,
  UpdatePayment,
  UpdateService,
  UpdateTaxRate,
  UpdateUser,
  UpdateWebhook,
  UpsertObject,
  User,
  UserAnswer,
  UserPage,
  ValidateEmanifestAnswer,
  VersionAnswer,
  VoidConsolidatedBill,
  VoidDocument,
  VoidPayment,
  VoidWriteOff,
  Webhook,
  WebhookAnswer,
  WebhookDelivery,
  WebhookDeliveryAnswer,
  WebhookDeliveryDetailAnswer,
  WebhookDeliveryPage,
  WebhookPage,
  WebhookReplayAnswer,
  WebhookWithSecretAnswer,
  WriteOffInvoice,
} from '../names.ts'
import type { List } from './list.ts'
import type {
  AsCsv,
  AsOfOptions,
  CallOptions,
  ChangeOptions,
  Content,
  Form,
  KeyOptions,
  Revision,
  WriteOptions,
} from './options.ts'

export interface Methods {
  readonly versions: VersionsMethods
  readonly bills: BillsMethods
  readonly invoices: InvoicesMethods
  readonly credits: CreditsMethods
  readonly billItemTypes: BillItemTypesMethods
  readonly payTerms: PayTermsMethods
  readonly accountingPeriods: AccountingPeriodsMethods
  readonly currencies: CurrenciesMethods
  readonly exchangeRates: ExchangeRatesMethods
  readonly taxRates: TaxRatesMethods
  readonly approvalRules: ApprovalRulesMethods
  readonly approvalDelegations: ApprovalDelegationsMethods
  readonly approvers: ApproversMethods
  readonly consolidatedBills: ConsolidatedBillsMethods
  readonly payments: PaymentsMethods
  readonly payees: PayeesMethods
  readonly payingAccounts: PayingAccountsMethods
  readonly paymentRuns: PaymentRunsMethods
  readonly connectors: ConnectorsMethods
  readonly connections: ConnectionsMethods
  readonly customers: CustomersMethods
  readonly orders: OrdersMethods
  readonly legs: LegsMethods
  readonly manifests: ManifestsMethods
  readonly equipment: EquipmentMethods
  readonly services: ServicesMethods
  readonly partnerCarriers: PartnerCarriersMethods
  readonly timeZones: TimeZonesMethods
  readonly positions: PositionsMethods
  readonly emanifests: EmanifestsMethods
  readonly dispatch: DispatchMethods
  readonly documents: DocumentsMethods
  readonly documentRules: DocumentRulesMethods
  readonly carrierInvoices: CarrierInvoicesMethods
  readonly auditRuns: AuditRunsMethods
  readonly ediInterchanges: EdiInterchangesMethods
  readonly auditPolicies: AuditPoliciesMethods
  readonly partnerPortal: PartnerPortalMethods
  readonly portal: PortalMethods
  readonly transfers: TransfersMethods
  readonly reports: ReportsMethods
  readonly events: EventsMethods
  readonly webhookDeliveries: WebhookDeliveriesMethods
  readonly webhooks: WebhooksMethods
  readonly mails: MailsMethods
  readonly organization: OrganizationMethods
  readonly oauthApplications: OauthApplicationsMethods
  readonly users: UsersMethods
  readonly securityEvents: SecurityEventsMethods
  readonly requestLog: RequestLogMethods
  readonly me: MeMethods
  readonly scopes: ScopesMethods
  readonly objects: ObjectsMethods
  readonly definitions: DefinitionsMethods
  readonly boards: BoardsMethods
}

export interface VersionsMethods {
  /** The version of /api/v1: `GET /api/v1`. Answers the version of this interface. It needs no token. */
  v1(options?: CallOptions): Promise<VersionAnswer>
  /** The version of /api/v2/platformModel: `GET /api/v2/platformModel`. Answers the version of this interface. It needs no token. */
  v2(options?: CallOptions): Promise<PlatformModelVersionAnswer>
}

export interface BillsMethods {
  /** Search bills: `GET /api/v1/bills`. Finds the bills of the organization that match every filter given, newest first, with the exact total. */
  list(query?: SearchBills, options?: CallOptions): List<BillPage, Bill>
  /** Create a bill: `POST /api/v1/bills`. Makes a draft, with its lines if it comes with some. `external_id` can be set here and never again. What a draft cannot have yet (`status_id`, `sent_at`, `paid_at`) is ignored and named in X-Ignored-Fields. */
  create(body: CreateBill, options?: WriteOptions): Promise<BillAnswer>
  /** Get a bill: `GET /api/v1/bills/{billID}`. Answers the bill with its lines, pay term and currency; with `as_of` as it stood at a moment. */
  retrieve(billID: string, options?: AsOfOptions): Promise<BillAnswer>
  /** Update a bill: `PUT /api/v1/bills/{billID}`. Only the fields that are sent apply; null clears. A whole bill as it was read can be sent back with one field changed. Lines in `bill_items` change, by their `id`, or are added, without one; lines that are not named stay. What is not the client’s to set is ignored and named in the header X-Ignored-Fields. A change of content after sending makes the bill `edited`; a paid bill has to be reopened first. The body’s `revision` locks nothing: use `If-Match`. */
  update(billID: string, body: UpdateBill, options?: ChangeOptions): Promise<UpdateBillAnswer>
  /** Delete a draft: `DELETE /api/v1/bills/{billID}`. Only a draft that was never saved can be deleted; any other bill is a 409. What has a number is voided instead. */
  delete(billID: string, options?: ChangeOptions): Promise<void>
  /** The totals of bills: `GET /api/v1/bills/totals`. Counts the bills that match every filter given, and says what they come to, in each state and currency: what a carrier is owed, for example. It reads the bills that match, so it takes longer the more there are. */
  totals(query?: GetBillsTotals, options?: CallOptions): Promise<DocumentTotals>
  /** Save a bill: `POST /api/v1/bills/{billID}/save`. Moves a draft to `saved`. It needs a currency, and gets its number, and a due date from its pay term where none was set. */
  save(billID: string, options?: ChangeOptions): Promise<BillAnswer>
  /** Send a bill: `POST /api/v1/bills/{billID}/send`. Moves what is saved or edited to `sent`, stamps `sent_at`, and mails it as a PDF to the addresses in `to`, or else to those in its `send_to_email`. Without either nothing is mailed, and `not_mailed_because` says so, unless the organization requires an address: then it is refused. What is sent already is mailed again. */
  send(billID: string, body?: SendDocument, options?: ChangeOptions): Promise<SendBillAnswer>
  /** Pay a bill: `POST /api/v1/bills/{billID}/pay`. Moves what is saved, sent or edited to `paid`, and stamps `paid_at`: a payment of what is due is recorded. With an `amount` that much of it is paid, and it becomes `paid` when nothing is due any more. Of what is paid, only the request that has paid it is taken again, and changes nothing; any other is a 409 `already_paid`. */
  pay(billID: string, body?: PayDocument, options?: ChangeOptions): Promise<BillAnswer>
  /** Reopen a bill: `POST /api/v1/bills/{billID}/reopen`. Moves what is paid to `edited`, and clears `paid_at`. It needs a reason. Payments of the method `recorded` are voided with it; any other is a 409 that names it. */
  reopen(billID: string, body: ReopenBill, options?: ChangeOptions): Promise<BillAnswer>
  /** Reprice a bill: `POST /api/v1/bills/{billID}/reprice`. Gives the bill the exchange rate that is known for its date now, and what it comes to in the home currency. Without one it is a 409. What was paid at a rate keeps it. Where it was paid before it had one, its payments get what they gained or lost over it, with the event `payment.repriced`. */
  reprice(billID: string, options?: ChangeOptions): Promise<BillAnswer>
  /** Void a bill: `POST /api/v1/bills/{billID}/void`. Takes the bill out of the books for good. It keeps its number and its content, and has `voided_at` and `void_reason`; searches, totals and exports leave it out unless `include_voided=true`. It is a 409 while payments stand, while it is on a statement, and for a draft, which is deleted instead. Nothing of a voided bill can change any more. The carrier invoice that it was made from can be decided about again, and is audited anew. */
  void(billID: string, body: VoidDocument, options?: ChangeOptions): Promise<BillAnswer>
  /** Correct a bill: `POST /api/v1/bills/{billID}/correct`. Voids the bill and makes a draft with the same content and lines in its place, in one step. The answer is the draft; the event of its creation names the voided one as `corrects_id`. The `external_id` and what an accounting system has noted stay with the voided one. It is refused where voiding would be. The carrier invoice that it was made from names the draft as its bill. To list the voided bills, search with `include_voided=true`. */
  correct(billID: string, body: VoidDocument, options?: ChangeOptions): Promise<BillAnswer>
  /** The history of a bill: `GET /api/v1/bills/{billID}/history`. Lists every change, newest first: what it was, when, by whom, and what was before. Of one that was deleted too, by its id. */
  history(billID: string, query?: GetBillHistory, options?: CallOptions): List<HistoryPage, HistoryEvent>
  /** Create or update many bills: `POST /api/v1/bills/bulk`. Takes up to 500 rows in one transaction. A row whose `external_id` a bill has updates that bill, as PUT does; any other creates one, as POST does. A row may say where the bill stands (`status_id`, with `sent_at` and `paid_at`): it is moved there by the moves that lead there. A row that fails is named in the results and leaves nothing; with `all_or_nothing` it keeps the others out as well. The answer is 200 in either case. */
  bulk(body: BulkBills, options?: WriteOptions): Promise<BulkReport>
  /** Export bills: `GET /api/v1/bills/export`. Answers every bill that matches, in order, streamed from one snapshot, up to as many as the server sends while the caller waits (10,000 unless it is set otherwise; more are refused with 413, and go to `POST /bills/exports`). CSV has one record for each bill, with its addresses in columns of their own and its lines as JSON in `bill_items`; it can be imported again as it is. NDJSON has one bill with all its lines on each line. An export that fails midway breaks the connection: one that ends is whole. */
  export(query?: ExportBills, options?: CallOptions): Promise<Response>
  /** Import bills: `POST /api/v1/bills/import`. Takes a CSV file with the columns of the export, in any order; those it does not have are left alone, an empty cell clears. Rows are created, or updated by their `external_id`, as in a bulk request, in lots of some hundred; a row that fails leaves the others alone. With `dry_run=true` nothing is kept, and the report says what would be. With an `Idempotency-Key` or `Prefer: dry-run` a file has at most 1,000 rows, and otherwise as many as the server does while the caller waits (5,000 unless it is set otherwise; more are refused with 413). Larger files go to `POST /bills/imports`. */
  import(content: Content, options?: WriteOptions): Promise<ImportReport>
  /** Import bills in the background: `POST /api/v1/bills/imports`. Takes a CSV file as the import does, of any number of rows, and answers as soon as it has arrived. Its rows are worked off in lots, in the order of the file: `GET /transfers/{transferID}` says how far it is. A row that fails leaves the others alone; `/result` and `/failures` of the transfer say what came of each. After a crash of the server it goes on with the first row that was not written. */
  startImport(content: Content, options?: WriteOptions): Promise<TransferAnswer>
  /** Export bills in the background: `POST /api/v1/bills/exports`. Makes a file of every bill that matches, in order, with the parameters of the export, however many there are. `GET /transfers/{transferID}` says how far it is, and `/result` of the transfer is the file. It is read in lots, so it is no single moment: a bill that changes meanwhile is as it was when its lot was read. */
  startExport(query?: StartBillsExport, options?: WriteOptions): Promise<TransferAnswer>
  /** The probable duplicates of a bill: `GET /api/v1/bills/{billID}/duplicates`. Lists the bills that probably ask for the same money, the likeliest first, each with a score and the reasons: the same number apart from case, spaces, punctuation, leading zeros and letters that look like digits; a number off by a typo; the same manifest; the same carrier with the same amount. Voided bills are none. */
  duplicates(billID: string, options?: CallOptions): Promise<DuplicateList>
  /** The approvals of a bill: `GET /api/v1/bills/{billID}/approvals`. Answers what the bill needs to be approved, what was decided about it, and whether the caller may decide. */
  approvals(billID: string, options?: CallOptions): Promise<BillApprovalsAnswer>
  /** Approve a bill: `POST /api/v1/bills/{billID}/approve`. Approves the bill as it is now. It becomes `approved` once every rule about it has the approvals that it needs; until then it stays `pending`. A change of its content asks again. */
  approve(billID: string, body?: ApproveBill, options?: ChangeOptions): Promise<BillAnswer>
  /** Reject a bill: `POST /api/v1/bills/{billID}/reject`. Rejects the bill as it is now, with a reason. It cannot be paid until its content changes or somebody approves it after all. */
  reject(billID: string, body: RejectBill, options?: ChangeOptions): Promise<BillAnswer>
  /** Approve many bills: `POST /api/v1/bills/approve`. Approves those of the bills that the caller may approve, each on its own, and says what came of each. */
  approveMany(body: ApproveBills, options?: WriteOptions): Promise<ApproveBillsAnswer>
  /** The payments of a bill: `GET /api/v1/bills/{billID}/payments`. Lists what settles the bill, payments and credits, newest first, and what did before it was taken back. */
  payments(billID: string, query?: ListBillPayments, options?: CallOptions): List<DocumentPaymentPage, DocumentPayment>
  /** A bill as a PDF: `GET /api/v1/bills/{billID}/pdf`. Answers a bill as a PDF file with the name, the address and the logo of the organization. The same file is answered without `/pdf` to who sends `Accept: application/pdf`. */
  pdf(billID: string, options?: CallOptions): Promise<Response>
  readonly items: BillsItemsMethods
}

export interface BillsItemsMethods {
  /** List the lines of a bill: `GET /api/v1/bills/{billID}/items`. Lists the lines of the bill, in their order. */
  list(billID: string, query?: ListBillItems, options?: CallOptions): List<BillItemPage, BillItem>
  /** Add a line: `POST /api/v1/bills/{billID}/items`. Adds a line behind the others. The bill’s sums follow in the same transaction; `If-Match` takes the bill’s ETag. */
  add(billID: string, body: NewBillItem, options?: ChangeOptions): Promise<BillItemChange>
  /** Reorder the lines: `PUT /api/v1/bills/{billID}/items/order`. Takes all lines of the bill in their new order. The bill’s sums follow in the same transaction; `If-Match` takes the bill’s ETag. */
  reorder(billID: string, body: ReorderBillItems, options?: ChangeOptions): Promise<BillItemsChange>
  /** Get a line: `GET /api/v1/bills/{billID}/items/{itemID}`. Answers one line of the bill. */
  retrieve(billID: string, itemID: string, options?: CallOptions): Promise<BillItemAnswer>
  /** Change a line: `PUT /api/v1/bills/{billID}/items/{itemID}`. Only the fields that are sent apply. The bill’s sums follow in the same transaction; `If-Match` takes the bill’s ETag. */
  update(billID: string, itemID: string, body: UpdateBillItem, options?: ChangeOptions): Promise<BillItemChange>
  /** Remove a line: `DELETE /api/v1/bills/{billID}/items/{itemID}`. Removes the line for good. The bill’s sums follow in the same transaction; `If-Match` takes the bill’s ETag. */
  remove(billID: string, itemID: string, options?: ChangeOptions): Promise<BillItemsChange>
}

export interface InvoicesMethods {
  /** Search invoices: `GET /api/v1/invoices`. Finds the invoices of the organization that match every filter given, newest first, with the exact total. */
  list(query?: SearchInvoices, options?: CallOptions): List<InvoicePage, Invoice>
  /** Create an invoice: `POST /api/v1/invoices`. Makes a draft, with its lines if it comes with some. `external_id` can be set here and never again. What a draft cannot have yet (`status_id`, `sent_at`, `paid_at`) is ignored and named in X-Ignored-Fields. */
  create(body: CreateInvoice, options?: WriteOptions): Promise<InvoiceAnswer>
  /** Get an invoice: `GET /api/v1/invoices/{invoiceID}`. Answers the invoice with its lines, pay term and currency; with `as_of` as it stood at a moment. */
  retrieve(invoiceID: string, options?: AsOfOptions): Promise<InvoiceAnswer>
  /** Update an invoice: `PUT /api/v1/invoices/{invoiceID}`. Only the fields that are sent apply; null clears. A whole invoice as it was read can be sent back with one field changed. Lines in `invoice_items` change, by their `id`, or are added, without one; lines that are not named stay. What is not the client’s to set is ignored and named in the header X-Ignored-Fields. A change of content after sending makes the invoice `edited`; a paid invoice has to be reopened first. The body’s `revision` locks nothing: use `If-Match`. */
  update(invoiceID: string, body: UpdateInvoice, options?: ChangeOptions): Promise<UpdateInvoiceAnswer>
  /** Delete a draft: `DELETE /api/v1/invoices/{invoiceID}`. Only a draft that was never saved can be deleted; any other invoice is a 409. What has a number is voided instead. */
  delete(invoiceID: string, options?: ChangeOptions): Promise<void>
  /** The totals of invoices: `GET /api/v1/invoices/totals`. Counts the invoices that match every filter given, and says what they come to, in each state and currency: what a carrier is owed, for example. It reads the invoices that match, so it takes longer the more there are. */
  totals(query?: GetInvoicesTotals, options?: CallOptions): Promise<DocumentTotals>
  /** Save an invoice: `POST /api/v1/invoices/{invoiceID}/save`. Moves a draft to `saved`. It needs a currency, and gets its number, and a due date from its pay term where none was set. */
  save(invoiceID: string, options?: ChangeOptions): Promise<InvoiceAnswer>
  /** Send an invoice: `POST /api/v1/invoices/{invoiceID}/send`. Moves what is saved or edited to `sent`, stamps `sent_at`, and mails it as a PDF to the addresses in `to`, or else to those in its `send_to_email`. Without either nothing is mailed, and `not_mailed_because` says so, unless the organization requires an address: then it is refused. What is sent already is mailed again. */
  send(invoiceID: string, body?: SendDocument, options?: ChangeOptions): Promise<SendInvoiceAnswer>
  /** Pay an invoice: `POST /api/v1/invoices/{invoiceID}/pay`. Moves what is saved, sent or edited to `paid`, and stamps `paid_at`: a payment of what is due is recorded. With an `amount` that much of it is paid, and it becomes `paid` when nothing is due any more. Of what is paid, only the request that has paid it is taken again, and changes nothing; any other is a 409 `already_paid`. */
  pay(invoiceID: string, body?: PayDocument, options?: ChangeOptions): Promise<InvoiceAnswer>
  /** Reopen an invoice: `POST /api/v1/invoices/{invoiceID}/reopen`. Moves what is paid to `edited`, and clears `paid_at`. It needs a reason. Payments of the method `recorded` are voided with it; any other is a 409 that names it. */
  reopen(invoiceID: string, body: ReopenInvoice, options?: ChangeOptions): Promise<InvoiceAnswer>
  /** Reprice an invoice: `POST /api/v1/invoices/{invoiceID}/reprice`. Gives the invoice the exchange rate that is known for its date now, and what it comes to in the home currency. Without one it is a 409. What was paid at a rate keeps it. Where it was paid before it had one, its payments get what they gained or lost over it, with the event `payment.repriced`. */
  reprice(invoiceID: string, options?: ChangeOptions): Promise<InvoiceAnswer>
  /** Void an invoice: `POST /api/v1/invoices/{invoiceID}/void`. Takes the invoice out of the books for good. It keeps its number and its content, and has `voided_at` and `void_reason`; searches, totals and exports leave it out unless `include_voided=true`. It is a 409 while payments stand, while it is on a statement, and for a draft, which is deleted instead. Nothing of a voided invoice can change any more. */
  void(invoiceID: string, body: VoidDocument, options?: ChangeOptions): Promise<InvoiceAnswer>
  /** Correct an invoice: `POST /api/v1/invoices/{invoiceID}/correct`. Voids the invoice and makes a draft with the same content and lines in its place, in one step. The answer is the draft; the event of its creation names the voided one as `corrects_id`. The `external_id` and what an accounting system has noted stay with the voided one. It is refused where voiding would be. To list the voided invoices, search with `include_voided=true`. */
  correct(invoiceID: string, body: VoidDocument, options?: ChangeOptions): Promise<InvoiceAnswer>
  /** The history of an invoice: `GET /api/v1/invoices/{invoiceID}/history`. Lists every change, newest first: what it was, when, by whom, and what was before. Of one that was deleted too, by its id. */
  history(invoiceID: string, query?: GetInvoiceHistory, options?: CallOptions): List<HistoryPage, HistoryEvent>
  /** Create or update many invoices: `POST /api/v1/invoices/bulk`. Takes up to 500 rows in one transaction. A row whose `external_id` an invoice has updates that invoice, as PUT does; any other creates one, as POST does. A row may say where the invoice stands (`status_id`, with `sent_at` and `paid_at`): it is moved there by the moves that lead there. A row that fails is named in the results and leaves nothing; with `all_or_nothing` it keeps the others out as well. The answer is 200 in either case. */
  bulk(body: BulkInvoices, options?: WriteOptions): Promise<BulkReport>
  /** Export invoices: `GET /api/v1/invoices/export`. Answers every invoice that matches, in order, streamed from one snapshot, up to as many as the server sends while the caller waits (10,000 unless it is set otherwise; more are refused with 413, and go to `POST /invoices/exports`). CSV has one record for each invoice, with its addresses in columns of their own and its lines as JSON in `invoice_items`; it can be imported again as it is. NDJSON has one invoice with all its lines on each line. An export that fails midway breaks the connection: one that ends is whole. */
  export(query?: ExportInvoices, options?: CallOptions): Promise<Response>
  /** Import invoices: `POST /api/v1/invoices/import`. Takes a CSV file with the columns of the export, in any order; those it does not have are left alone, an empty cell clears. Rows are created, or updated by their `external_id`, as in a bulk request, in lots of some hundred; a row that fails leaves the others alone. With `dry_run=true` nothing is kept, and the report says what would be. With an `Idempotency-Key` or `Prefer: dry-run` a file has at most 1,000 rows, and otherwise as many as the server does while the caller waits (5,000 unless it is set otherwise; more are refused with 413). Larger files go to `POST /invoices/imports`. */
  import(content: Content, options?: WriteOptions): Promise<ImportReport>
  /** Import invoices in the background: `POST /api/v1/invoices/imports`. Takes a CSV file as the import does, of any number of rows, and answers as soon as it has arrived. Its rows are worked off in lots, in the order of the file: `GET /transfers/{transferID}` says how far it is. A row that fails leaves the others alone; `/result` and `/failures` of the transfer say what came of each. After a crash of the server it goes on with the first row that was not written. */
  startImport(content: Content, options?: WriteOptions): Promise<TransferAnswer>
  /** Export invoices in the background: `POST /api/v1/invoices/exports`. Makes a file of every invoice that matches, in order, with the parameters of the export, however many there are. `GET /transfers/{transferID}` says how far it is, and `/result` of the transfer is the file. It is read in lots, so it is no single moment: an invoice that changes meanwhile is as it was when its lot was read. */
  startExport(query?: StartInvoicesExport, options?: WriteOptions): Promise<TransferAnswer>
  /** The payments of an invoice: `GET /api/v1/invoices/{invoiceID}/payments`. Lists what settles the invoice, payments and credits, newest first, and what did before it was taken back. */
  payments(invoiceID: string, query?: ListInvoicePayments, options?: CallOptions): List<DocumentPaymentPage, DocumentPayment>
  /** Write off an invoice: `POST /api/v1/invoices/{invoiceID}/write_off`. Gives up what is due of the invoice, or a part of it: a credit of the customer is made and applied to the invoice, in one step. The lines of the credit have the bill item type “Write-off”, which is made where there is none, and name the orders of the invoice in proportion to what it charges for each. Never more than `amount_due` is written off. The invoice is `paid` where nothing is due any more. It needs the rights `enter` and `pay`, and an open accounting period today. */
  writeOff(invoiceID: string, body: WriteOffInvoice, options?: ChangeOptions): Promise<InvoiceAnswer>
  /** An invoice as a PDF: `GET /api/v1/invoices/{invoiceID}/pdf`. Answers an invoice as a PDF file with the name, the address and the logo of the organization. The same file is answered without `/pdf` to who sends `Accept: application/pdf`. */
  pdf(invoiceID: string, options?: CallOptions): Promise<Response>
  readonly items: InvoicesItemsMethods
  readonly writeOffs: InvoicesWriteOffsMethods
}

export interface InvoicesItemsMethods {
  /** List the lines of an invoice: `GET /api/v1/invoices/{invoiceID}/items`. Lists the lines of the invoice, in their order. */
  list(invoiceID: string, query?: ListInvoiceItems, options?: CallOptions): List<InvoiceItemPage, InvoiceItem>
  /** Add a line: `POST /api/v1/invoices/{invoiceID}/items`. Adds a line behind the others. The invoice’s sums follow in the same transaction; `If-Match` takes the invoice’s ETag. */
  add(invoiceID: string, body: NewInvoiceItem, options?: ChangeOptions): Promise<InvoiceItemChange>
  /** Reorder the lines: `PUT /api/v1/invoices/{invoiceID}/items/order`. Takes all lines of the invoice in their new order. The invoice’s sums follow in the same transaction; `If-Match` takes the invoice’s ETag. */
  reorder(invoiceID: string, body: ReorderInvoiceItems, options?: ChangeOptions): Promise<InvoiceItemsChange>
  /** Get a line: `GET /api/v1/invoices/{invoiceID}/items/{itemID}`. Answers one line of the invoice. */
  retrieve(invoiceID: string, itemID: string, options?: CallOptions): Promise<InvoiceItemAnswer>
  /** Change a line: `PUT /api/v1/invoices/{invoiceID}/items/{itemID}`. Only the fields that are sent apply. The invoice’s sums follow in the same transaction; `If-Match` takes the invoice’s ETag. */
  update(invoiceID: string, itemID: string, body: UpdateInvoiceItem, options?: ChangeOptions): Promise<InvoiceItemChange>
  /** Remove a line: `DELETE /api/v1/invoices/{invoiceID}/items/{itemID}`. Removes the line for good. The invoice’s sums follow in the same transaction; `If-Match` takes the invoice’s ETag. */
  remove(invoiceID: string, itemID: string, options?: ChangeOptions): Promise<InvoiceItemsChange>
}

export interface InvoicesWriteOffsMethods {
  /** Take back a write-off: `POST /api/v1/invoices/{invoiceID}/write_offs/{creditID}/void`. Voids the credit by which the invoice was written off, and answers the invoice, which owes that much again. `GET /invoices/{invoiceID}/payments` names the credit. It needs the rights `enter` and `pay`, and a reason. */
  void(invoiceID: string, creditID: string, body: VoidWriteOff, options?: ChangeOptions): Promise<InvoiceAnswer>
}

export interface CreditsMethods {
  /** Search credits: `GET /api/v1/credits`. Finds the credits of the organization that match every filter given, newest first, with the exact total. */
  list(query?: SearchCredits, options?: CallOptions): List<CreditPage, Credit>
  /** Create a credit: `POST /api/v1/credits`. Makes a draft, with its lines if it comes with some. `external_id` can be set here and never again. What a draft cannot have yet (`status_id`, `sent_at`, `paid_at`) is ignored and named in X-Ignored-Fields. */
  create(body: CreateCredit, options?: WriteOptions): Promise<CreditAnswer>
  /** Get a credit: `GET /api/v1/credits/{creditID}`. Answers the credit with its lines, pay term and currency; with `as_of` as it stood at a moment. */
  retrieve(creditID: string, options?: AsOfOptions): Promise<CreditAnswer>
  /** Update a credit: `PUT /api/v1/credits/{creditID}`. Only the fields that are sent apply; null clears. A whole credit as it was read can be sent back with one field changed. Lines in `credit_items` change, by their `id`, or are added, without one; lines that are not named stay. What is not the client’s to set is ignored and named in the header X-Ignored-Fields. A change of content after sending makes the credit `edited`; a paid credit has to be reopened first. The body’s `revision` locks nothing: use `If-Match`. */
  update(creditID: string, body: UpdateCredit, options?: ChangeOptions): Promise<UpdateCreditAnswer>
  /** Delete a draft: `DELETE /api/v1/credits/{creditID}`. Only a draft that was never saved can be deleted; any other credit is a 409. What has a number is voided instead. */
  delete(creditID: string, options?: ChangeOptions): Promise<void>
  /** The totals of credits: `GET /api/v1/credits/totals`. Counts the credits that match every filter given, and says what they come to, in each state and currency: what a carrier is owed, for example. It reads the credits that match, so it takes longer the more there are. */
  totals(query?: GetCreditsTotals, options?: CallOptions): Promise<DocumentTotals>
  /** Save a credit: `POST /api/v1/credits/{creditID}/save`. Moves a draft to `saved`. It needs a currency, and gets its number, and a due date from its pay term where none was set. */
  save(creditID: string, options?: ChangeOptions): Promise<CreditAnswer>
  /** Send a credit: `POST /api/v1/credits/{creditID}/send`. Moves what is saved or edited to `sent`, stamps `sent_at`, and mails it as a PDF to the addresses in `to`, or else to those in its `send_to_email`. Without either nothing is mailed, and `not_mailed_because` says so, unless the organization requires an address: then it is refused. What is sent already is mailed again. */
  send(creditID: string, body?: SendDocument, options?: ChangeOptions): Promise<SendCreditAnswer>
  /** Pay a credit: `POST /api/v1/credits/{creditID}/pay`. Moves what is saved, sent or edited to `paid`, and stamps `paid_at`: a payment of what is due is recorded. With an `amount` that much of it is paid, and it becomes `paid` when nothing is due any more. Of what is paid, only the request that has paid it is taken again, and changes nothing; any other is a 409 `already_paid`. */
  pay(creditID: string, body?: PayDocument, options?: ChangeOptions): Promise<CreditAnswer>
  /** Reopen a credit: `POST /api/v1/credits/{creditID}/reopen`. Moves what is paid to `edited`, and clears `paid_at`. It needs a reason. Payments of the method `recorded` are voided with it; any other is a 409 that names it. */
  reopen(creditID: string, body: ReopenCredit, options?: ChangeOptions): Promise<CreditAnswer>
  /** Reprice a credit: `POST /api/v1/credits/{creditID}/reprice`. Gives the credit the exchange rate that is known for its date now, and what it comes to in the home currency. Without one it is a 409. What was paid at a rate keeps it. Where it was paid before it had one, its payments get what they gained or lost over it, with the event `payment.repriced`. */
  reprice(creditID: string, options?: ChangeOptions): Promise<CreditAnswer>
  /** Void a credit: `POST /api/v1/credits/{creditID}/void`. Takes the credit out of the books for good. It keeps its number and its content, and has `voided_at` and `void_reason`; searches, totals and exports leave it out unless `include_voided=true`. It is a 409 while payments stand, while it is on a statement, and for a draft, which is deleted instead. Nothing of a voided credit can change any more. */
  void(creditID: string, body: VoidDocument, options?: ChangeOptions): Promise<CreditAnswer>
  /** Correct a credit: `POST /api/v1/credits/{creditID}/correct`. Voids the credit and makes a draft with the same content and lines in its place, in one step. The answer is the draft; the event of its creation names the voided one as `corrects_id`. The `external_id` and what an accounting system has noted stay with the voided one. It is refused where voiding would be. To list the voided credits, search with `include_voided=true`. */
  correct(creditID: string, body: VoidDocument, options?: ChangeOptions): Promise<CreditAnswer>
  /** The history of a credit: `GET /api/v1/credits/{creditID}/history`. Lists every change, newest first: what it was, when, by whom, and what was before. Of one that was deleted too, by its id. */
  history(creditID: string, query?: GetCreditHistory, options?: CallOptions): List<HistoryPage, HistoryEvent>
  /** Create or update many credits: `POST /api/v1/credits/bulk`. Takes up to 500 rows in one transaction. A row whose `external_id` a credit has updates that credit, as PUT does; any other creates one, as POST does. A row may say where the credit stands (`status_id`, with `sent_at` and `paid_at`): it is moved there by the moves that lead there. A row that fails is named in the results and leaves nothing; with `all_or_nothing` it keeps the others out as well. The answer is 200 in either case. */
  bulk(body: BulkCredits, options?: WriteOptions): Promise<BulkReport>
  /** Export credits: `GET /api/v1/credits/export`. Answers every credit that matches, in order, streamed from one snapshot, up to as many as the server sends while the caller waits (10,000 unless it is set otherwise; more are refused with 413, and go to `POST /credits/exports`). CSV has one record for each credit, with its addresses in columns of their own and its lines as JSON in `credit_items`; it can be imported again as it is. NDJSON has one credit with all its lines on each line. An export that fails midway breaks the connection: one that ends is whole. */
  export(query?: ExportCredits, options?: CallOptions): Promise<Response>
  /** Import credits: `POST /api/v1/credits/import`. Takes a CSV file with the columns of the export, in any order; those it does not have are left alone, an empty cell clears. Rows are created, or updated by their `external_id`, as in a bulk request, in lots of some hundred; a row that fails leaves the others alone. With `dry_run=true` nothing is kept, and the report says what would be. With an `Idempotency-Key` or `Prefer: dry-run` a file has at most 1,000 rows, and otherwise as many as the server does while the caller waits (5,000 unless it is set otherwise; more are refused with 413). Larger files go to `POST /credits/imports`. */
  import(content: Content, options?: WriteOptions): Promise<ImportReport>
  /** Import credits in the background: `POST /api/v1/credits/imports`. Takes a CSV file as the import does, of any number of rows, and answers as soon as it has arrived. Its rows are worked off in lots, in the order of the file: `GET /transfers/{transferID}` says how far it is. A row that fails leaves the others alone; `/result` and `/failures` of the transfer say what came of each. After a crash of the server it goes on with the first row that was not written. */
  startImport(content: Content, options?: WriteOptions): Promise<TransferAnswer>
  /** Export credits in the background: `POST /api/v1/credits/exports`. Makes a file of every credit that matches, in order, with the parameters of the export, however many there are. `GET /transfers/{transferID}` says how far it is, and `/result` of the transfer is the file. It is read in lots, so it is no single moment: a credit that changes meanwhile is as it was when its lot was read. */
  startExport(query?: StartCreditsExport, options?: WriteOptions): Promise<TransferAnswer>
  /** The payments of a credit: `GET /api/v1/credits/{creditID}/payments`. Lists what settles the credit, payments and credits, newest first, and what did before it was taken back. */
  payments(creditID: string, query?: ListCreditPayments, options?: CallOptions): List<DocumentPaymentPage, DocumentPayment>
  /** Apply a credit: `POST /api/v1/credits/{creditID}/apply`. Settles bills of the carrier, or invoices of the customer, with what is left of the credit: those in `allocations`, or with `oldest_first` those that are due longest. */
  apply(creditID: string, body: Allocate, options?: ChangeOptions): Promise<CreditAnswer>
  /** A credit as a PDF: `GET /api/v1/credits/{creditID}/pdf`. Answers a credit as a PDF file with the name, the address and the logo of the organization. The same file is answered without `/pdf` to who sends `Accept: application/pdf`. */
  pdf(creditID: string, options?: CallOptions): Promise<Response>
  readonly items: CreditsItemsMethods
  readonly allocations: CreditsAllocationsMethods
}

export interface CreditsItemsMethods {
  /** List the lines of a credit: `GET /api/v1/credits/{creditID}/items`. Lists the lines of the credit, in their order. */
  list(creditID: string, query?: ListCreditItems, options?: CallOptions): List<CreditItemPage, CreditItem>
  /** Add a line: `POST /api/v1/credits/{creditID}/items`. Adds a line behind the others. The credit’s sums follow in the same transaction; `If-Match` takes the credit’s ETag. */
  add(creditID: string, body: NewCreditItem, options?: ChangeOptions): Promise<CreditItemChange>
  /** Reorder the lines: `PUT /api/v1/credits/{creditID}/items/order`. Takes all lines of the credit in their new order. The credit’s sums follow in the same transaction; `If-Match` takes the credit’s ETag. */
  reorder(creditID: string, body: ReorderCreditItems, options?: ChangeOptions): Promise<CreditItemsChange>
  /** Get a line: `GET /api/v1/credits/{creditID}/items/{itemID}`. Answers one line of the credit. */
  retrieve(creditID: string, itemID: string, options?: CallOptions): Promise<CreditItemAnswer>
  /** Change a line: `PUT /api/v1/credits/{creditID}/items/{itemID}`. Only the fields that are sent apply. The credit’s sums follow in the same transaction; `If-Match` takes the credit’s ETag. */
  update(creditID: string, itemID: string, body: UpdateCreditItem, options?: ChangeOptions): Promise<CreditItemChange>
  /** Remove a line: `DELETE /api/v1/credits/{creditID}/items/{itemID}`. Removes the line for good. The credit’s sums follow in the same transaction; `If-Match` takes the credit’s ETag. */
  remove(creditID: string, itemID: string, options?: ChangeOptions): Promise<CreditItemsChange>
}

export interface CreditsAllocationsMethods {
  /** Take back what a credit was applied to: `DELETE /api/v1/credits/{creditID}/allocations/{allocationID}`. Takes back what the credit settled of one document, and answers the credit, which has that much more left. Of a credit that writes off an invoice it is a 409 `is_write_off`: the write-off is taken back instead. */
  remove(creditID: string, allocationID: string, options?: ChangeOptions): Promise<CreditAnswer>
}

export interface BillItemTypesMethods {
  /** Search bill item types: `GET /api/v1/bill_item_types`. Finds the bill item types of the organization that match every filter given, newest first, with the exact total. */
  list(query?: SearchBillItemTypes, options?: CallOptions): List<BillItemTypePage, BillItemType>
  /** Create a bill item type: `POST /api/v1/bill_item_types`. Makes a bill item type. An `external_id` is unique in the organization: a second one with it is a 409. */
  create(body: CreateBillItemType, options?: WriteOptions): Promise<BillItemTypeAnswer>
  /** Get a bill item type: `GET /api/v1/bill_item_types/{billItemTypeID}`. Answers a bill item type by its id or external id. With the ETag at hand in `If-None-Match` the answer is 304. */
  retrieve(billItemTypeID: string, options?: CallOptions): Promise<BillItemTypeAnswer>
  /** Update a bill item type: `PUT /api/v1/bill_item_types/{billItemTypeID}`. Only the fields that are sent apply; null clears. A change that changes nothing leaves `revision` and `updated_at` alone. `If-Match` guards against overwriting another’s change. */
  update(billItemTypeID: string, body: UpdateBillItemType, options?: ChangeOptions): Promise<BillItemTypeAnswer>
  /** Delete a bill item type: `DELETE /api/v1/bill_item_types/{billItemTypeID}`. Deletes the bill item type. It is refused with 409 while lines of bills use it. */
  delete(billItemTypeID: string, options?: ChangeOptions): Promise<void>
  /** The history of a bill item type: `GET /api/v1/bill_item_types/{billItemTypeID}/history`. Lists every change, newest first: what it was, when, by whom, and what was before. Of one that was deleted too, by its id. */
  history(billItemTypeID: string, query?: GetBillItemTypeHistory, options?: CallOptions): List<HistoryPage, HistoryEvent>
}

export interface PayTermsMethods {
  /** Search pay terms: `GET /api/v1/pay_terms`. Lists the pay terms of the organization, newest first, with the exact total. */
  list(query?: SearchPayTerms, options?: CallOptions): List<PayTermPage, PayTerm>
  /** Create a pay term: `POST /api/v1/pay_terms`. Makes a pay term. The key of each connector mapping must equal its `connector_id`. */
  create(body: CreatePayTerm, options?: WriteOptions): Promise<PayTermAnswer>
  /** Get a pay term: `GET /api/v1/pay_terms/{payTermID}`. Answers the pay term with its connector mappings. */
  retrieve(payTermID: string, options?: CallOptions): Promise<PayTermAnswer>
  /** Update a pay term: `PUT /api/v1/pay_terms/{payTermID}`. Only the fields that are sent apply; `connector_mappings` are replaced as a whole. Bills keep the due dates they have. */
  update(payTermID: string, body: UpdatePayTerm, options?: ChangeOptions): Promise<PayTermAnswer>
  /** Delete a pay term: `DELETE /api/v1/pay_terms/{payTermID}`. Deletes the pay term. It is refused with 409 while bills use it. */
  delete(payTermID: string, options?: ChangeOptions): Promise<void>
  /** The history of a pay term: `GET /api/v1/pay_terms/{payTermID}/history`. Lists every change, newest first: what it was, when, by whom, and what was before. Of one that was deleted too, by its id. */
  history(payTermID: string, query?: GetPayTermHistory, options?: CallOptions): List<HistoryPage, HistoryEvent>
}

export interface AccountingPeriodsMethods {
  /** Search accounting periods: `GET /api/v1/accounting_periods`. Lists the accounting periods that match every filter given, the latest first, with the exact total. Any good token will do. */
  list(query?: SearchAccountingPeriods, options?: CallOptions): List<AccountingPeriodPage, AccountingPeriod>
  /** Create an accounting period: `POST /api/v1/accounting_periods`. Makes an open period of the days from `starts_on` to `ends_on`. Periods never overlap: that is a 409. It needs the role admin. */
  create(body: CreateAccountingPeriod, options?: WriteOptions): Promise<AccountingPeriodAnswer>
  /** Get an accounting period: `GET /api/v1/accounting_periods/{accountingPeriodID}`. Answers the accounting period. Any good token will do. */
  retrieve(accountingPeriodID: string, options?: CallOptions): Promise<AccountingPeriodAnswer>
  /** Delete an accounting period: `DELETE /api/v1/accounting_periods/{accountingPeriodID}`. Deletes an open period; a closed one is a 409. It needs the role admin. */
  delete(accountingPeriodID: string, options?: ChangeOptions): Promise<void>
  /** Close an accounting period: `POST /api/v1/accounting_periods/{accountingPeriodID}/close`. Fixes everything that is dated in the period: bills, invoices, credits and payments of those days can neither be created nor changed, voided or deleted, nor moved there; each try is a 409 `period_closed`. A payment that is dated in an open period may still settle a document of a closed one. What was being written at that moment is there as a whole before this is answered, or refused. It needs the role admin. */
  close(accountingPeriodID: string, options?: ChangeOptions): Promise<AccountingPeriodAnswer>
  /** Reopen an accounting period: `POST /api/v1/accounting_periods/{accountingPeriodID}/reopen`. Opens a closed period again. It needs a reason, which its event keeps, and the role admin. */
  reopen(accountingPeriodID: string, body: ReopenAccountingPeriod, options?: ChangeOptions): Promise<AccountingPeriodAnswer>
  /** The history of an accounting period: `GET /api/v1/accounting_periods/{accountingPeriodID}/history`. Lists every change, newest first: what it was, when, by whom, and what was before. Of one that was deleted too, by its id. */
  history(accountingPeriodID: string, query?: GetAccountingPeriodHistory, options?: CallOptions): List<HistoryPage, HistoryEvent>
}

export interface CurrenciesMethods {
  /** Search currencies: `GET /api/v1/currencies`. Lists all active currencies of ISO 4217, by code. */
  list(query?: SearchCurrencies, options?: CallOptions): List<CurrencyPage, Currency>
  /** Get a currency: `GET /api/v1/currencies/{currencyID}`. Answers a currency by its code, in upper or lower case. */
  retrieve(currencyID: string, options?: CallOptions): Promise<CurrencyAnswer>
}

export interface ExchangeRatesMethods {
  /** Search exchange rates: `GET /api/v1/exchange_rates`. Lists the exchange rates that match every filter given, newest first, with the exact total. */
  list(query?: SearchExchangeRates, options?: CallOptions): List<ExchangeRatePage, ExchangeRate>
  /** Create an exchange rate: `POST /api/v1/exchange_rates`. Makes a rate for the days from `starts_on` to `ends_on`, or with no end. A rate without an end closes the one before it that had none; any other overlap is refused with 409. Documents keep the rates that they were saved with. */
  create(body: CreateExchangeRate, options?: WriteOptions): Promise<ExchangeRateAnswer>
  /** Convert an amount: `GET /api/v1/exchange_rates/convert`. Converts an amount by the rate of a day. Where only a rate in the other direction is known, its inverse is used; never a chain of rates. Without a rate it is a 404. */
  convert(query: ConvertAmount, options?: CallOptions): Promise<ConvertAmountAnswer>
  /** Get an exchange rate: `GET /api/v1/exchange_rates/{exchangeRateID}`. Answers one exchange rate. */
  retrieve(exchangeRateID: string, options?: CallOptions): Promise<ExchangeRateAnswer>
  /** Update an exchange rate: `PUT /api/v1/exchange_rates/{exchangeRateID}`. Only the fields that are sent apply; its currencies stay. Documents keep the rates that they were saved with. */
  update(exchangeRateID: string, body: UpdateExchangeRate, options?: ChangeOptions): Promise<ExchangeRateAnswer>
  /** Delete an exchange rate: `DELETE /api/v1/exchange_rates/{exchangeRateID}`. Deletes the exchange rate. Documents keep the rates that they were saved with. */
  delete(exchangeRateID: string, options?: ChangeOptions): Promise<void>
  /** The history of an exchange rate: `GET /api/v1/exchange_rates/{exchangeRateID}/history`. Lists every change, newest first: what it was, when, by whom, and what was before. Of one that was deleted too, by its id. */
  history(exchangeRateID: string, query?: GetExchangeRateHistory, options?: CallOptions): List<HistoryPage, HistoryEvent>
  /** Import exchange rates: `POST /api/v1/exchange_rates/import`. Takes a CSV with the columns `from_currency_id`, `to_currency_id`, `rate`, `starts_on`, and where wanted `ends_on` and `source`; or the files of reference rates of the European Central Bank, as CSV (`Date, USD, JPY, …`, one day or many) or as XML. A rate whose pair has one that starts on the same day updates it. A rate without an end holds until the next one of its pair begins, and takes over from the one that held before it. A rate that fails leaves the others alone. With `dry_run=true` nothing is kept. */
  import(content: Content, options?: WriteOptions & { contentType?: 'text/csv' | 'application/xml' }): Promise<ImportExchangeRatesAnswer>
}

export interface TaxRatesMethods {
  /** Search tax rates: `GET /api/v1/tax_rates`. Lists the tax rates of the organization, newest first, with the exact total. */
  list(query?: SearchTaxRates, options?: CallOptions): List<TaxRatePage, TaxRate>
  /** Create a tax rate: `POST /api/v1/tax_rates`. Makes a tax rate. Where it has components, their percents come to its own, which can then be left out. */
  create(body: CreateTaxRate, options?: WriteOptions): Promise<TaxRateAnswer>
  /** Get a tax rate: `GET /api/v1/tax_rates/{taxRateID}`. Answers one tax rate. */
  retrieve(taxRateID: string, options?: CallOptions): Promise<TaxRateAnswer>
  /** Update a tax rate: `PUT /api/v1/tax_rates/{taxRateID}`. Only the fields that are sent apply; `components` are replaced as a whole. Once a line carries the rate, its percent and components are fixed, which is a 409: make another rate, and set `active` of this one to false. */
  update(taxRateID: string, body: UpdateTaxRate, options?: ChangeOptions): Promise<TaxRateAnswer>
  /** Delete a tax rate: `DELETE /api/v1/tax_rates/{taxRateID}`. Deletes the tax rate. It is refused with 409 while lines carry it. */
  delete(taxRateID: string, options?: ChangeOptions): Promise<void>
  /** The history of a tax rate: `GET /api/v1/tax_rates/{taxRateID}/history`. Lists every change, newest first: what it was, when, by whom, and what was before. Of one that was deleted too, by its id. */
  history(taxRateID: string, query?: GetTaxRateHistory, options?: CallOptions): List<HistoryPage, HistoryEvent>
}

export interface ApprovalRulesMethods {
  /** List approval rules: `GET /api/v1/approval_rules`. Lists the rules that say who has to approve which bills, newest first. */
  list(query?: SearchApprovalRules, options?: CallOptions): List<ApprovalRulePage, ApprovalRule>
  /** Create an approval rule: `POST /api/v1/approval_rules`. Makes a rule. It counts while `approvals` of the organization is `on`, also for the open bills that are there. It needs the role admin. */
  create(body: CreateApprovalRule, options?: WriteOptions): Promise<ApprovalRuleAnswer>
  /** Get an approval rule: `GET /api/v1/approval_rules/{approvalRuleID}`. Answers one approval rule. */
  retrieve(approvalRuleID: string, options?: CallOptions): Promise<ApprovalRuleAnswer>
  /** Update an approval rule: `PUT /api/v1/approval_rules/{approvalRuleID}`. Only the fields that are sent apply; null clears. Open bills are looked at again. It needs the role admin. */
  update(approvalRuleID: string, body: UpdateApprovalRule, options?: ChangeOptions): Promise<ApprovalRuleAnswer>
  /** Delete an approval rule: `DELETE /api/v1/approval_rules/{approvalRuleID}`. Deletes the rule. Open bills are looked at again. It needs the role admin. */
  delete(approvalRuleID: string, options?: ChangeOptions): Promise<void>
  /** The history of an approval rule: `GET /api/v1/approval_rules/{approvalRuleID}/history`. Lists every change, newest first: what it was, when, by whom, and what was before. Of one that was deleted too, by its id. */
  history(approvalRuleID: string, query?: GetApprovalRuleHistory, options?: CallOptions): List<HistoryPage, HistoryEvent>
}

export interface ApprovalDelegationsMethods {
  /** List delegations of approvals: `GET /api/v1/approval_delegations`. Lists who approves in whose place, and when, newest first. */
  list(query?: SearchApprovalDelegations, options?: CallOptions): List<ApprovalDelegationPage, ApprovalDelegation>
  /** Delegate approvals: `POST /api/v1/approval_delegations`. Lets somebody approve in the place of the caller for a while. An admin can do so for somebody else. */
  create(body: CreateApprovalDelegation, options?: WriteOptions): Promise<ApprovalDelegationAnswer>
  /** Get a delegation: `GET /api/v1/approval_delegations/{approvalDelegationID}`. Answers one delegation of approvals. */
  retrieve(approvalDelegationID: string, options?: CallOptions): Promise<ApprovalDelegationAnswer>
  /** End a delegation: `DELETE /api/v1/approval_delegations/{approvalDelegationID}`. Ends the delegation. What was approved under it stays approved. */
  delete(approvalDelegationID: string, options?: ChangeOptions): Promise<void>
  /** The history of a delegation: `GET /api/v1/approval_delegations/{approvalDelegationID}/history`. Lists every change, newest first: what it was, when, by whom, and what was before. Of one that was deleted too, by its id. */
  history(approvalDelegationID: string, query?: GetApprovalDelegationHistory, options?: CallOptions): List<HistoryPage, HistoryEvent>
}

export interface ApproversMethods {
  /** List who may approve: `GET /api/v1/approvers`. Lists the enabled users whose role allows to approve bills, newest first: those to whom approvals can be delegated. */
  list(query?: SearchApprovers, options?: CallOptions): List<ApproverPage, Approver>
}

export interface ConsolidatedBillsMethods {
  /** Search consolidated bills: `GET /api/v1/consolidated_bills`. Finds the statements that match every filter given, newest first, with the exact total. */
  list(query?: SearchConsolidatedBills, options?: CallOptions): List<ConsolidatedBillPage, ConsolidatedBill>
  /** Create a consolidated bill: `POST /api/v1/consolidated_bills`. Makes a statement from a list of bills, or from a payee and a period: then it gathers every saved, sent or edited bill of the payee dated in the period that is on no statement yet. All bills share one payee and one currency. */
  create(body: CreateConsolidatedBill, options?: WriteOptions): Promise<ConsolidatedBillAnswer>
  /** Get a consolidated bill: `GET /api/v1/consolidated_bills/{consolidatedBillID}`. Answers the statement with its bills and their lines. */
  retrieve(consolidatedBillID: string, options?: CallOptions): Promise<ConsolidatedBillAnswer>
  /** Update a consolidated bill: `PUT /api/v1/consolidated_bills/{consolidatedBillID}`. Only the fields that are sent apply; null clears. What is not the client’s to set is ignored and named in X-Ignored-Fields. A `status_id` moves its bills too: one that sends, pays or reopens them needs the scope `bills` as well. */
  update(consolidatedBillID: string, body: UpdateConsolidatedBill, options?: ChangeOptions): Promise<ConsolidatedBillAnswer>
  /** Delete a draft statement: `DELETE /api/v1/consolidated_bills/{consolidatedBillID}`. Only a draft that was never saved can be deleted; any other statement is a 409. What has a number is voided instead. Its bills stay, free for another statement. */
  delete(consolidatedBillID: string, options?: ChangeOptions): Promise<void>
  /** The history of a consolidated bill: `GET /api/v1/consolidated_bills/{consolidatedBillID}/history`. Lists every change, newest first: what it was, when, by whom, and what was before. Of one that was deleted too, by its id. */
  history(consolidatedBillID: string, query?: GetConsolidatedBillHistory, options?: CallOptions): List<HistoryPage, HistoryEvent>
  /** Void a statement: `POST /api/v1/consolidated_bills/{consolidatedBillID}/void`. Takes the statement out of the books for good. It keeps its number and its content, with `bill_ids` and the sums as they are, and has `voided_at` and `void_reason`; searches leave it out unless `include_voided=true`. Its bills stay, free for another statement. It is a 409 while the statement is paid, and for a draft that was never saved, which is deleted instead. Nothing of a voided statement can change any more. */
  void(consolidatedBillID: string, body: VoidConsolidatedBill, options?: ChangeOptions): Promise<ConsolidatedBillAnswer>
  /** Save a statement: `POST /api/v1/consolidated_bills/{consolidatedBillID}/save`. Moves a draft to `saved`. It needs a bill, and gets its number. */
  save(consolidatedBillID: string, options?: ChangeOptions): Promise<ConsolidatedBillAnswer>
  /** Send a statement: `POST /api/v1/consolidated_bills/{consolidatedBillID}/send`. Moves what is saved or edited to `sent`, and its bills with it, and mails it as a PDF to the addresses in `to`, or else to those in its `send_to_email`. Without either nothing is mailed, and `not_mailed_because` says so. It changes its bills, so it needs the scope `bills` as well. */
  send(consolidatedBillID: string, body?: SendDocument, options?: ChangeOptions): Promise<SendConsolidatedBillAnswer>
  /** Pay a statement: `POST /api/v1/consolidated_bills/{consolidatedBillID}/pay`. Moves what is saved, sent or edited to `paid`, and all its bills with it, so it needs the scope `bills` as well. It is paid whole: an `amount` that is not what is due is a 400. Of a paid one, only the request that has paid it is taken again, and changes nothing; any other is a 409 `already_paid`. */
  pay(consolidatedBillID: string, body?: PayConsolidatedBill, options?: ChangeOptions): Promise<ConsolidatedBillAnswer>
  /** Reopen a statement: `POST /api/v1/consolidated_bills/{consolidatedBillID}/reopen`. Moves what is paid to `edited`, and its bills with it. It needs a reason, and the scope `bills` as well. */
  reopen(consolidatedBillID: string, body: ReopenConsolidatedBill, options?: ChangeOptions): Promise<ConsolidatedBillAnswer>
  /** A consolidated bill as a PDF: `GET /api/v1/consolidated_bills/{consolidatedBillID}/pdf`. Answers a consolidated bill as a PDF file with the name, the address and the logo of the organization. The same file is answered without `/pdf` to who sends `Accept: application/pdf`. */
  pdf(consolidatedBillID: string, options?: CallOptions): Promise<Response>
  readonly bills: ConsolidatedBillsBillsMethods
}

export interface ConsolidatedBillsBillsMethods {
  /** Add bills to a statement: `POST /api/v1/consolidated_bills/{consolidatedBillID}/bills`. Adds bills of the same payee and currency that are on no other statement. */
  add(consolidatedBillID: string, body: AddBillsToConsolidatedBill, options?: ChangeOptions): Promise<ConsolidatedBillAnswer>
  /** Take a bill off a statement: `DELETE /api/v1/consolidated_bills/{consolidatedBillID}/bills/{billID}`. Takes the bill off the statement; the bill itself stays. */
  remove(consolidatedBillID: string, billID: string, options?: ChangeOptions): Promise<ConsolidatedBillAnswer>
}

export interface PaymentsMethods {
  /** Search payments: `GET /api/v1/payments`. Finds the payments that match every filter given, newest first, with the exact total. A token with one of the two scopes sees the payments of that direction alone. */
  list(query?: SearchPayments, options?: CallOptions): List<PaymentPage, Payment>
  /** Create a payment: `POST /api/v1/payments`. Makes a payment, which is issued at once unless its `status` is `draft`, and settles the documents in `allocations`, or with `oldest_first` those that are due longest. What is left over stays with the payment and can be allocated later. */
  create(body: CreatePayment, options?: WriteOptions): Promise<PaymentAnswer>
  /** Get a payment: `GET /api/v1/payments/{paymentID}`. Answers the payment with the documents that it settles; with `as_of` as it stood at a moment. */
  retrieve(paymentID: string, options?: AsOfOptions): Promise<PaymentAnswer>
  /** Update a payment: `PUT /api/v1/payments/{paymentID}`. Only the fields that are sent apply; null clears. A draft changes wholly, `allocations` as a whole; of a payment that is issued the method, the reference number and the notes change, and anything else is a 409. */
  update(paymentID: string, body: UpdatePayment, options?: ChangeOptions): Promise<PaymentAnswer>
  /** Delete a draft payment: `DELETE /api/v1/payments/{paymentID}`. Only a draft can be deleted; any other payment is a 409, and can be voided. */
  delete(paymentID: string, options?: ChangeOptions): Promise<void>
  /** Issue a draft payment: `POST /api/v1/payments/{paymentID}/issue`. Gives a draft its number, and settles the documents that it is meant for. Nothing of it happens where one of them owes less by now. */
  issue(paymentID: string, options?: ChangeOptions): Promise<PaymentAnswer>
  /** Mark a payment as cleared: `POST /api/v1/payments/{paymentID}/clear`. Says that the bank has confirmed an issued payment. */
  clear(paymentID: string, options?: ChangeOptions): Promise<PaymentAnswer>
  /** Void a payment: `POST /api/v1/payments/{paymentID}/void`. Takes back all that the payment settled: its documents stand where they stood before. Number and content stay. It needs a reason. A payment that was paid back is a 409 `refunded` while its refund stands; where a refund is voided, the payment that it paid back has that much more left. */
  void(paymentID: string, body: VoidPayment, options?: ChangeOptions): Promise<PaymentAnswer>
  /** Pay back what is left of a payment: `POST /api/v1/payments/{paymentID}/refund`. Pays back what of the payment settles nothing, or a part of it: makes a payment of the same party and currency in the other direction, issued at once, whose `refund_of_id` names the first. Never more than `unallocated_amount` is paid back. The token needs the scopes of both directions, `bills` and `invoices`. Voiding the refund gives the money back. */
  refund(paymentID: string, body?: RefundPayment, options?: ChangeOptions): Promise<PaymentAnswer>
  /** Reprice a payment: `POST /api/v1/payments/{paymentID}/reprice`. Gives the payment the exchange rate that is known for the day of `paid_at` now, and what it gained or lost over the rates of its documents. Without a rate it is a 409, as it is for a draft, a voided payment and one that is dated in a closed period. */
  reprice(paymentID: string, options?: ChangeOptions): Promise<PaymentAnswer>
  /** The history of a payment: `GET /api/v1/payments/{paymentID}/history`. Lists every change, newest first: what it was, when, by whom, and what was before. Of one that was deleted too, by its id. */
  history(paymentID: string, query?: GetPaymentHistory, options?: CallOptions): List<HistoryPage, HistoryEvent>
  /** Return a payment: `POST /api/v1/payments/{paymentID}/return`. Says that the bank sent a payment back: it is voided with the reason, its bills stand where they stood before and can be paid again, and what was set off with it, or given for early payment, is taken back. A payment that came back already is answered as it is: the code and the reason that were given first stay. */
  return(paymentID: string, body: ReturnPayment, options?: ChangeOptions): Promise<PaymentAnswer>
  /** The remittance advice of a payment as a PDF: `GET /api/v1/payments/{paymentID}/pdf`. Answers the remittance advice of a payment as a PDF file with the name, the address and the logo of the organization. The same file is answered without `/pdf` to who sends `Accept: application/pdf`. */
  pdf(paymentID: string, options?: CallOptions): Promise<Response>
  /** Mail the remittance advice of a payment: `POST /api/v1/payments/{paymentID}/send`. Mails what a payment pays for to the addresses in `to`, or else to the `remittance_email` of the carrier’s payee, or else to the address of the carrier or customer. Answers the mail, which is sent in the background. */
  send(paymentID: string, body?: SendMail, options?: ChangeOptions): Promise<SentMail>
  readonly allocations: PaymentsAllocationsMethods
}

export interface PaymentsAllocationsMethods {
  /** Allocate what is left of a payment: `POST /api/v1/payments/{paymentID}/allocations`. Settles more documents of the same party and currency: those in `allocations`, or with `oldest_first` those that are due longest. */
  add(paymentID: string, body: Allocate, options?: ChangeOptions): Promise<PaymentAnswer>
  /** Take a document out of a payment: `DELETE /api/v1/payments/{paymentID}/allocations/{allocationID}`. Takes back what the payment settled of one document, and answers the payment, which has that much more left. */
  remove(paymentID: string, allocationID: string, options?: ChangeOptions): Promise<PaymentAnswer>
}

export interface PayeesMethods {
  /** Search payees: `GET /api/v1/payees`. Lists the payees that match every filter given, newest first, with the exact total. Bank details are masked. */
  list(query?: SearchPayees, options?: CallOptions): List<PayeePage, Payee>
  /** Create a payee: `POST /api/v1/payees`. Makes the payee of a carrier, of which each has one, or without `partner_carrier_id` that of a factoring company. It waits for a second person: until somebody else has approved it, payments to it are a 409 `payee_change_waiting`. */
  create(body: CreatePayee, options?: WriteOptions): Promise<PayeeAnswer>
  /** Get a payee: `GET /api/v1/payees/{payeeID}`. Answers the payee, its bank details masked. */
  retrieve(payeeID: string, options?: CallOptions): Promise<PayeeAnswer>
  /** Update a payee: `PUT /api/v1/payees/{payeeID}`. Only the fields that are sent apply; null clears. What says where money goes (`name`, `method`, `bank_details`, `address`, `factor_payee_id` and its notice) becomes a change that waits for a second person, shown in `waiting_change`, and payments to the payee wait with it; the rest applies at once. A change of a payee that was never approved has all that becomes active with it. One change waits at a time: another is a 409. */
  update(payeeID: string, body: UpdatePayee, options?: ChangeOptions): Promise<PayeeAnswer>
  /** Delete a payee: `DELETE /api/v1/payees/{payeeID}`. Deletes the payee. It is refused with 409 while a change of it waits, where a payment run has paid it, or where carriers have assigned what they are owed to it. */
  delete(payeeID: string, options?: ChangeOptions): Promise<void>
  /** Show the bank details of a payee: `POST /api/v1/payees/{payeeID}/reveal`. Answers the bank details whole, those in use and those of a change that waits. Who has asked is kept in the security log and in the history of the payee. It needs the right `see_bank_details`. */
  reveal(payeeID: string, options?: KeyOptions & { ifMatch?: Revision }): Promise<RevealPayeeAnswer>
  /** The history of a payee: `GET /api/v1/payees/{payeeID}/history`. Lists every change, newest first: what it was, when, by whom, and what was before. Of one that was deleted too, by its id. */
  history(payeeID: string, query?: GetPayeeHistory, options?: CallOptions): List<HistoryPage, HistoryEvent>
  readonly changes: PayeesChangesMethods
}

export interface PayeesChangesMethods {
  /** The changes of a payee: `GET /api/v1/payees/{payeeID}/changes`. Lists the changes of where the money of the payee goes, newest first: who asked for each, who decided, and when. */
  list(payeeID: string, query?: ListPayeeChanges, options?: CallOptions): List<PayeeChangePage, PayeeChange>
  /** Approve a change of a payee: `POST /api/v1/payees/{payeeID}/changes/{changeID}/approve`. Lets a change that waits apply. It needs another person than the one who asked for it; only where the organization has a single user, that one may approve, and the change says so. What applies is in `fields` of the change, and nothing else. */
  approve(payeeID: string, changeID: string, body?: DecidePayeeChange, options?: ChangeOptions): Promise<PayeeAnswer>
  /** Reject a change of a payee: `POST /api/v1/payees/{payeeID}/changes/{changeID}/reject`. Ends a change that waits: the payee stays as it was, and one that is new stays unapproved, so that its next change has all of it again. Who asked for it may take it back in the same way. */
  reject(payeeID: string, changeID: string, body?: DecidePayeeChange, options?: ChangeOptions): Promise<PayeeAnswer>
}

export interface PayingAccountsMethods {
  /** List paying accounts: `GET /api/v1/paying_accounts`. Lists the accounts from which the organization pays, one for each currency, their bank details masked. */
  list(options?: CallOptions): Promise<PayingAccountList>
  /** Get a paying account: `GET /api/v1/paying_accounts/{currencyID}`. Answers the account from which the organization pays in a currency. */
  retrieve(currencyID: string, options?: CallOptions): Promise<PayingAccountAnswer>
  /** Set a paying account: `PUT /api/v1/paying_accounts/{currencyID}`. Makes the account from which the organization pays in this currency, or changes it: only the fields that are sent apply. Files of payment runs name it. It needs the role admin. */
  set(currencyID: string, body: SetPayingAccount, options?: ChangeOptions): Promise<PayingAccountAnswer>
  /** Delete a paying account: `DELETE /api/v1/paying_accounts/{currencyID}`. Deletes the account. Runs that were paid from it keep what their files need. It needs the role admin. */
  delete(currencyID: string, options?: ChangeOptions): Promise<void>
}

export interface PaymentRunsMethods {
  /** Search payment runs: `GET /api/v1/payment_runs`. Lists the payment runs that match every filter given, newest first, with the exact total. */
  list(query?: SearchPaymentRuns, options?: CallOptions): List<PaymentRunPage, PaymentRun>
  /** Create a payment run: `POST /api/v1/payment_runs`. Chooses the bills that are due until a day, those without a due date by their own date, and, where bills are approved, approved; and makes a draft of a payment for each carrier, to its payee. A bill is in one run at a time. What the carrier owes us, open credits and payments that settle nothing yet, is set off against its bills unless `set_off_credits` is false. Carriers without a payee, those whose payee has a change that waits, those whose credits come to as much as they are owed, and those with bills that are not approved are named in `left_out`. Where nothing can be paid it is a 409 `nothing_due`, whose message says why the open bills were not chosen, and whose `details` name each carrier that was left out. */
  create(body: CreatePaymentRun, options?: WriteOptions): Promise<PaymentRunAnswer>
  /** Get a payment run: `GET /api/v1/payment_runs/{paymentRunID}`. Answers the payment run and what it comes to. */
  retrieve(paymentRunID: string, options?: CallOptions): Promise<PaymentRunAnswer>
  /** Delete a payment run: `DELETE /api/v1/payment_runs/{paymentRunID}`. Deletes a run that is not issued with its drafts; its bills can be chosen again. One that is issued is a 409. */
  delete(paymentRunID: string, options?: ChangeOptions): Promise<void>
  /** The payments of a payment run: `GET /api/v1/payment_runs/{paymentRunID}/payments`. Lists the payments of the run, where each goes, its bank details masked, and the bills that it pays. */
  payments(paymentRunID: string, query?: ListPaymentRunPayments, options?: CallOptions): List<PaymentRunPaymentPage, PaymentRunPayment>
  /** Approve a payment run: `POST /api/v1/payment_runs/{paymentRunID}/approve`. Lets the run be issued. It needs another person than the one who made it; only where the organization has a single user, that one may approve, and the run says so. */
  approve(paymentRunID: string, options?: ChangeOptions): Promise<PaymentRunAnswer>
  /** Issue a payment run: `POST /api/v1/payment_runs/{paymentRunID}/issue`. Issues all payments of an approved run and settles its bills, all or nothing. Where a bill, or what is set off, has changed since it was chosen it is a 409 `run_out_of_date`, where one is not approved any more a 409 `not_approved`, and where a change of a payee waits a 409 `payee_change_waiting`. A run that is issued already is answered as it is: nothing is paid twice. */
  issue(paymentRunID: string, options?: ChangeOptions): Promise<PaymentRunAnswer>
  /** Download a file of a payment run: `GET /api/v1/payment_runs/{paymentRunID}/files/{format}`. Answers a file for the bank, made from what was issued: `nacha` with the ACH payments in US dollars, `pain001` (ISO 20022 pain.001.001.09) with the wires, `csv` with all payments. No payment is in two bank files or moves from one to the other, and the same run gives the same bytes and ids each time. Who has asked is kept in the security log. It needs the right `see_bank_details`. */
  file(paymentRunID: string, format: 'nacha' | 'pain001' | 'csv', options?: CallOptions): Promise<Response>
  /** The remittance advices of a payment run: `GET /api/v1/payment_runs/{paymentRunID}/remittance_advices`. Answers for each payee of an issued run what it was paid: the payments, and of each bill its total, what was taken off, and what was paid. */
  remittanceAdvices(paymentRunID: string, options?: CallOptions): Promise<ListRemittanceAdvicesAnswer>
  /** Mail the remittance advices of a payment run: `POST /api/v1/payment_runs/{paymentRunID}/send`. Mails each payee of an issued run that has a `remittance_email` the advice of every payment to it, as a PDF file; `not_mailed_because` names those that have none. What became of each mail is under `/mails`. */
  send(paymentRunID: string, options?: ChangeOptions): Promise<SendRemittanceAdvicesAnswer>
  /** The history of a payment run: `GET /api/v1/payment_runs/{paymentRunID}/history`. Lists every change, newest first: what it was, when, by whom, and what was before. Of one that was deleted too, by its id. */
  history(paymentRunID: string, query?: GetPaymentRunHistory, options?: CallOptions): List<HistoryPage, HistoryEvent>
  readonly bills: PaymentRunsBillsMethods
  readonly setOffs: PaymentRunsSetOffsMethods
}

export interface PaymentRunsBillsMethods {
  /** Take a bill out of a payment run: `DELETE /api/v1/payment_runs/{paymentRunID}/bills/{billID}`. Takes the bill out of a run that is not issued, and answers the run. One that was approved is a draft again, since it is another run now. */
  remove(paymentRunID: string, billID: string, options?: ChangeOptions): Promise<PaymentRunAnswer>
}

export interface PaymentRunsSetOffsMethods {
  /** Take a set-off out of a payment run: `DELETE /api/v1/payment_runs/{paymentRunID}/set_offs/{setOffID}`. Takes a credit, or what is left of an earlier payment, out of a run that is not issued, and answers the run: the carrier is paid so much more. A run that was approved is a draft again. */
  remove(paymentRunID: string, setOffID: string, options?: ChangeOptions): Promise<PaymentRunAnswer>
}

export interface ConnectorsMethods {
  /** List connectors: `GET /api/v1/connectors`. Lists the accounting systems that an organization can be connected with, and what each can do. */
  list(options?: CallOptions): Promise<ConnectorList>
}

export interface ConnectionsMethods {
  /** Search connections: `GET /api/v1/connectors_orgs`. Lists the connections of the organization with accounting systems, newest first, with the exact total. */
  list(query?: SearchConnectorOrgs, options?: CallOptions): List<ConnectorOrgPage, ConnectorOrg>
  /** Create a connection: `POST /api/v1/connectors_orgs`. Makes the connection with an accounting system, of which an organization has one for each connector. An online one waits for a sign-in: `POST …/authorize` answers where. It needs the role admin. */
  create(body: CreateConnectorOrg, options?: WriteOptions): Promise<ConnectorOrgAnswer>
  /** Get a connection: `GET /api/v1/connectors_orgs/{connectionID}`. Answers the connection. Its secrets are never answered, only which of them it has. */
  retrieve(connectionID: string, options?: CallOptions): Promise<ConnectorOrgAnswer>
  /** Update a connection: `PUT /api/v1/connectors_orgs/{connectionID}`. Only the fields, and of `settings` and `secrets` only the keys, that are sent apply; null takes one away. It needs the role admin. */
  update(connectionID: string, body: UpdateConnectorOrg, options?: ChangeOptions): Promise<ConnectorOrgAnswer>
  /** Delete a connection: `DELETE /api/v1/connectors_orgs/{connectionID}`. Deletes a connection through which nothing was synced yet, with its mappings. Others can be disconnected. It needs the role admin. */
  delete(connectionID: string, options?: ChangeOptions): Promise<void>
  /** Begin to sign in to an accounting system: `POST /api/v1/connectors_orgs/{connectionID}/authorize`. Answers the address at which an admin signs in to the accounting system and allows the connection. It comes back to `redirect_uri` with a code, for `POST …/connect`, by the same user and within 15 minutes. Register `redirect_uri` with your application there. It needs the role admin. */
  authorize(connectionID: string, options?: KeyOptions & { ifMatch?: Revision }): Promise<AuthorizeConnectorOrgAnswer>
  /** End the sign-in to an accounting system: `POST /api/v1/connectors_orgs/{connectionID}/connect`. Takes the code that the accounting system came back with, and connects. A connection stays with the company that it was first connected to. It takes no dry run, which would use the code up. It needs the role admin. */
  connect(connectionID: string, body: ConnectConnectorOrg, options?: KeyOptions & { ifMatch?: Revision }): Promise<ConnectorOrgAnswer>
  /** Disconnect: `POST /api/v1/connectors_orgs/{connectionID}/disconnect`. Forgets the tokens of the connection. Its mappings, and what records are there, stay for the next sign-in. It needs the role admin. */
  disconnect(connectionID: string, options?: ChangeOptions): Promise<ConnectorOrgAnswer>
  /** The history of a connection: `GET /api/v1/connectors_orgs/{connectionID}/history`. Lists every change, newest first: what it was, when, by whom, and what was before. Of one that was deleted too, by its id. */
  history(connectionID: string, query?: GetConnectorOrgHistory, options?: CallOptions): List<HistoryPage, HistoryEvent>
  /** Check what is not mapped: `POST /api/v1/connectors_orgs/{connectionID}/check`. Lists what a sync now would miss: records that are not mapped, settings that are not set. Nothing is sent, and nothing is asked there. */
  check(connectionID: string, body?: SyncScope, options?: ChangeOptions): Promise<CheckConnectorOrgAnswer>
  /** List what the accounting system has: `GET /api/v1/connectors_orgs/{connectionID}/remote/{list}`. Lists the vendors, customers, accounts, bank accounts, items, terms or tax codes of the accounting system, to choose mappings from. It asks there each time. */
  remote(connectionID: string, list: 'vendors' | 'customers' | 'accounts' | 'bank_accounts' | 'items' | 'terms' | 'tax_codes', options?: CallOptions): Promise<ListConnectorRemoteAnswer>
  readonly mappings: ConnectionsMappingsMethods
  readonly syncs: ConnectionsSyncsMethods
}

export interface ConnectionsMappingsMethods {
  /** Search mappings: `GET /api/v1/connectors_orgs/{connectionID}/mappings`. Lists the records of a kind by their names, with what each is in the accounting system. */
  list(connectionID: string, query: SearchConnectorMappings, options?: CallOptions): List<ConnectorMappingPage, ConnectorMapping>
  /** Set mappings: `POST /api/v1/connectors_orgs/{connectionID}/mappings`. Says what records are in the accounting system, up to 500 at once, all of them or none. Those of pay terms are written to their `connector_mappings`. It needs the role admin. */
  set(connectionID: string, body: SetConnectorMappings, options?: ChangeOptions): Promise<ConnectorMappingList>
}

export interface ConnectionsSyncsMethods {
  /** Search syncs: `GET /api/v1/connectors_orgs/{connectionID}/syncs`. Lists the syncs of a connection, newest first, with the exact total. */
  list(connectionID: string, query?: SearchConnectorSyncs, options?: CallOptions): List<ConnectorSyncPage, ConnectorSync>
  /** Start a sync: `POST /api/v1/connectors_orgs/{connectionID}/syncs`. Takes what has changed to the accounting system, payments included, and brings payments that were made there back. It answers at once and is worked off in the background, with a result for each record; a sync of the same connection waits for the one before it. After a crash of the server it goes on where it was, and nothing is made twice. */
  start(connectionID: string, body?: SyncScope, options?: ChangeOptions): Promise<ConnectorSyncAnswer>
  /** Get a sync: `GET /api/v1/connectors_orgs/{connectionID}/syncs/{syncID}`. Answers how far a sync is, and what came of its records. */
  retrieve(connectionID: string, syncID: string, options?: CallOptions): Promise<ConnectorSyncAnswer>
  /** Search the results of a sync: `GET /api/v1/connectors_orgs/{connectionID}/syncs/{syncID}/results`. Lists what came of each record of a sync, in the order of the work. */
  results(connectionID: string, syncID: string, query?: SearchConnectorSyncResults, options?: CallOptions): List<ConnectorSyncResultPage, ConnectorSyncResult>
  /** Try again what failed: `POST /api/v1/connectors_orgs/{connectionID}/syncs/{syncID}/retry`. Starts another sync with the records of this one that failed, those that waited for a document, and those that it did not come to. */
  retry(connectionID: string, syncID: string, options?: ChangeOptions): Promise<ConnectorSyncAnswer>
  /** Cancel a sync: `POST /api/v1/connectors_orgs/{connectionID}/syncs/{syncID}/cancel`. Ends a sync that is running. What it has taken across stays there. */
  cancel(connectionID: string, syncID: string, options?: ChangeOptions): Promise<ConnectorSyncAnswer>
}

export interface CustomersMethods {
  /** Search customers: `GET /api/v1/customers`. Finds the customers of the organization that match every filter given, newest first by default, with the exact total. What was written before is found at once. */
  list(query?: SearchCustomers, options?: CallOptions): List<CustomerPage, Customer>
  /** Create a customer: `POST /api/v1/customers`. Makes the same object that v2 knows as the kind `customer`. An `external_id` is unique among customers: a second one with it is a 409. */
  create(body: CreateCustomer, options?: WriteOptions): Promise<CustomerAnswer>
  /** Get a customer: `GET /api/v1/customers/{customerID}`. Answers a customer by its id or external id. With the ETag at hand in `If-None-Match` the answer is 304. */
  retrieve(customerID: string, options?: CallOptions): Promise<CustomerAnswer>
  /** Update a customer: `PUT /api/v1/customers/{customerID}`. Only the fields that are sent apply; null clears; an address or a list is replaced whole. What was read can be sent back whole: what changes nothing leaves `revision` and `updated_at` alone. What is not the client’s to set is ignored and named in X-Ignored-Fields. `If-Match` guards against overwriting another’s change. */
  update(customerID: string, body: UpdateCustomer, options?: ChangeOptions): Promise<CustomerAnswer>
  /** Delete a customer: `DELETE /api/v1/customers/{customerID}`. Deletes the customer. It is refused with 409 while other objects refer to it, saying which. It can be restored in v2. */
  delete(customerID: string, options?: ChangeOptions): Promise<void>
  /** The history of a customer: `GET /api/v1/customers/{customerID}/history`. Lists every change, newest first: what it was, when, by whom, and what was before. Of one that was deleted too, by its id. `data` and `previous` have the names of v2, as in the change feed. */
  history(customerID: string, query?: GetCustomerHistory, options?: CallOptions): List<HistoryPage, HistoryEvent>
  readonly statement: CustomersStatementMethods
}

export interface CustomersStatementMethods {
  /** The statement of a customer: `GET /api/v1/customers/{customerID}/statement`. Says what a customer owes: every open invoice with what is paid and due and how long it is overdue, the credits that are not used up, the payments that have something left, and the sums in each currency. As JSON, or as CSV with `Accept: text/csv`. The token needs the scope `invoices` too. */
  retrieve(customerID: string, query?: GetCustomerStatement, options?: AsOfOptions): Promise<CustomerStatementAnswer>
  /** The statement of a customer: `GET /api/v1/customers/{customerID}/statement`. Says what a customer owes: every open invoice with what is paid and due and how long it is overdue, the credits that are not used up, the payments that have something left, and the sums in each currency. As JSON, or as CSV with `Accept: text/csv`. The token needs the scope `invoices` too. */
  retrieve(customerID: string, query: undefined | GetCustomerStatement, options: AsOfOptions & AsCsv): Promise<Response>
  /** The statement of a customer as a PDF: `GET /api/v1/customers/{customerID}/statement/pdf`. Answers the statement of a customer as a PDF file with the name, the address and the logo of the organization. The same file is answered without `/pdf` to who sends `Accept: application/pdf`. */
  pdf(customerID: string, query?: GetCustomerStatementPdf, options?: AsOfOptions): Promise<Response>
  /** Mail the statement of a customer: `POST /api/v1/customers/{customerID}/statement/send`. Mails what the customer owes to the addresses in `to`, or else to that of the customer. Answers the mail, which is sent in the background. The token needs the scope `invoices` too. */
  send(customerID: string, body?: SendMail, options?: ChangeOptions & AsOfOptions & { currency_id?: string }): Promise<SentMail>
}

export interface OrdersMethods {
  /** Search orders: `GET /api/v1/orders`. Finds the orders of the organization that match every filter given, newest first by default, with the exact total. What was written before is found at once. */
  list(query?: SearchOrders, options?: CallOptions): List<OrderPage, Order>
  /** Create an order: `POST /api/v1/orders`. Makes the same object that v2 knows as the kind `order`. An `external_id` is unique among orders: a second one with it is a 409. */
  create(body: CreateOrder, options?: WriteOptions): Promise<OrderAnswer>
  /** Get an order: `GET /api/v1/orders/{orderID}`. Answers the order by its id or external id. What the order shows of its bill is no part of its revision, so it is always answered whole. */
  retrieve(orderID: string, options?: CallOptions): Promise<OrderAnswer>
  /** Update an order: `PUT /api/v1/orders/{orderID}`. Only the fields that are sent apply; null clears; an address or a list is replaced whole. What was read can be sent back whole: what changes nothing leaves `revision` and `updated_at` alone. What is not the client’s to set is ignored and named in X-Ignored-Fields. `If-Match` guards against overwriting another’s change. */
  update(orderID: string, body: UpdateOrder, options?: ChangeOptions): Promise<OrderAnswer>
  /** Delete an order: `DELETE /api/v1/orders/{orderID}`. Deletes the order. It is refused with 409 while other objects refer to it, saying which. It can be restored in v2. */
  delete(orderID: string, options?: ChangeOptions): Promise<void>
  /** The history of an order: `GET /api/v1/orders/{orderID}/history`. Lists every change, newest first: what it was, when, by whom, and what was before. Of one that was deleted too, by its id. `data` and `previous` have the names of v2, as in the change feed. */
  history(orderID: string, query?: GetOrderHistory, options?: CallOptions): List<HistoryPage, HistoryEvent>
  /** Invoice an order: `POST /api/v1/orders/{orderID}/invoice`. Makes the customer’s invoice, a draft, from the rate and the charges: a line for each. Once: asked again it is refused with 409, naming the invoice there is, until that is deleted or voided. Refused with 409 too where there is nothing to invoice, no currency, or a charge of an unknown type. The token needs the scope `invoices` too. */
  invoice(orderID: string, options?: ChangeOptions): Promise<InvoiceAnswer>
  /** The bill of lading of an order as a PDF: `GET /api/v1/orders/{orderID}/pdf`. Answers the bill of lading of an order as a PDF file with the name, the address and the logo of the organization. The same file is answered without `/pdf` to who sends `Accept: application/pdf`. */
  pdf(orderID: string, options?: CallOptions): Promise<Response>
}

export interface LegsMethods {
  /** Search legs: `GET /api/v1/legs`. Finds the legs of the organization that match every filter given, newest first by default, with the exact total. What was written before is found at once. */
  list(query?: SearchLegs, options?: CallOptions): List<LegPage, Leg>
  /** Create a leg: `POST /api/v1/legs`. Makes the same object that v2 knows as the kind `leg`. An `external_id` is unique among legs: a second one with it is a 409. */
  create(body: LegFields, options?: WriteOptions): Promise<LegAnswer>
  /** Get a leg: `GET /api/v1/legs/{legID}`. Answers a leg by its id or external id. With the ETag at hand in `If-None-Match` the answer is 304. */
  retrieve(legID: string, options?: CallOptions): Promise<LegAnswer>
  /** Update a leg: `PUT /api/v1/legs/{legID}`. Only the fields that are sent apply; null clears; an address or a list is replaced whole. What was read can be sent back whole: what changes nothing leaves `revision` and `updated_at` alone. What is not the client’s to set is ignored and named in X-Ignored-Fields. `If-Match` guards against overwriting another’s change. */
  update(legID: string, body: LegFields, options?: ChangeOptions): Promise<LegAnswer>
  /** Delete a leg: `DELETE /api/v1/legs/{legID}`. Deletes the leg. It is refused with 409 while other objects refer to it, saying which. It can be restored in v2. */
  delete(legID: string, options?: ChangeOptions): Promise<void>
  /** The history of a leg: `GET /api/v1/legs/{legID}/history`. Lists every change, newest first: what it was, when, by whom, and what was before. Of one that was deleted too, by its id. `data` and `previous` have the names of v2, as in the change feed. */
  history(legID: string, query?: GetLegHistory, options?: CallOptions): List<HistoryPage, HistoryEvent>
}

export interface ManifestsMethods {
  /** Search manifests: `GET /api/v1/manifests`. Finds the manifests of the organization that match every filter given, newest first by default, with the exact total. What was written before is found at once. */
  list(query?: SearchManifests, options?: CallOptions): List<ManifestPage, Manifest>
  /** Create a manifest: `POST /api/v1/manifests`. Makes the same object that v2 knows as the kind `manifest`. An `external_id` is unique among manifests: a second one with it is a 409. */
  create(body: ManifestFields, options?: WriteOptions): Promise<ManifestAnswer>
  /** Get a manifest: `GET /api/v1/manifests/{manifestID}`. Answers the manifest by its id or external id. What the manifest shows of its bill is no part of its revision, so it is always answered whole. */
  retrieve(manifestID: string, options?: CallOptions): Promise<ManifestAnswer>
  /** Update a manifest: `PUT /api/v1/manifests/{manifestID}`. Only the fields that are sent apply; null clears; an address or a list is replaced whole. What was read can be sent back whole: what changes nothing leaves `revision` and `updated_at` alone. What is not the client’s to set is ignored and named in X-Ignored-Fields. `If-Match` guards against overwriting another’s change. */
  update(manifestID: string, body: ManifestFields, options?: ChangeOptions): Promise<ManifestAnswer>
  /** Delete a manifest: `DELETE /api/v1/manifests/{manifestID}`. Deletes the manifest. It is refused with 409 while other objects refer to it, saying which. It can be restored in v2. */
  delete(manifestID: string, options?: ChangeOptions): Promise<void>
  /** The history of a manifest: `GET /api/v1/manifests/{manifestID}/history`. Lists every change, newest first: what it was, when, by whom, and what was before. Of one that was deleted too, by its id. `data` and `previous` have the names of v2, as in the change feed. */
  history(manifestID: string, query?: GetManifestHistory, options?: CallOptions): List<HistoryPage, HistoryEvent>
  /** Bill a manifest: `POST /api/v1/manifests/{manifestID}/bill`. Makes the carrier’s bill, a draft, from the payment items: a line for each. Once: asked again it answers 200 with the bill there is, until that is deleted or voided. Refused with 409 where there is nothing to bill, nobody to pay, no currency, or a payment item of an unknown type. The token needs the scope `bills` too. */
  bill(manifestID: string, options?: ChangeOptions): Promise<BillAnswer>
  /** Dispatch a manifest: `POST /api/v1/manifests/{manifestID}/dispatch`. Sends a manifest on its way. One without stops gets those of its orders: an order without stops brings its pickup and its delivery. The states of the manifest, its legs and its orders follow by the table in the guide on movement, never backwards, in the same transaction. */
  dispatch(manifestID: string, options?: ChangeOptions): Promise<ManifestMove>
  /** What cannot work in the plan of a manifest: `GET /api/v1/manifests/{manifestID}/planning_findings`. Compares the stops of a manifest with each other, with the distances between them at the average speed of the organization and the rests of one driver, and its orders with its equipment. The same is in the answers of what plans a manifest, and on the board. Nothing of it is refused. The token needs the scope `orders` too. */
  planningFindings(manifestID: string, options?: CallOptions): Promise<PlanningFindingList>
  /** Record positions of a manifest: `POST /api/v1/manifests/{manifestID}/positions`. Records where the vehicle of a manifest was, or a check call: one, or up to 1000 under `positions`. They may come late and in any order. One of the same time and source as one that is there is kept once. Positions write no events; the last one, the arrival times and the delay follow from them. */
  recordPositions(manifestID: string, body: RecordManifestPositions, options?: ChangeOptions): Promise<RecordManifestPositionsAnswer>
  /** The track of a manifest: `GET /api/v1/manifests/{manifestID}/track`. Answers the positions of a manifest, the newest first, with its stops, when it is expected at those that are left, how far it is, and how late it will be. `simplify_to` answers so many positions spread over the whole way instead of a page. */
  track(manifestID: string, query?: GetManifestTrack, options?: CallOptions): Promise<TrackAnswer>
  /** The rate confirmation of a manifest as a PDF: `GET /api/v1/manifests/{manifestID}/pdf`. Answers the rate confirmation of a manifest as a PDF file with the name, the address and the logo of the organization. The same file is answered without `/pdf` to who sends `Accept: application/pdf`. */
  pdf(manifestID: string, options?: CallOptions): Promise<Response>
  readonly orders: ManifestsOrdersMethods
  readonly stops: ManifestsStopsMethods
}

export interface ManifestsOrdersMethods {
  /** Put orders on a manifest: `POST /api/v1/manifests/{manifestID}/orders`. Adds orders to a manifest with their stops: pickups behind the pickups that are there, the rest at the end. An order without stops brings its pickup and its delivery. Orders that are on it already stay as they are. The token needs the scope `orders` too. */
  add(manifestID: string, body: OrdersToPut, options?: ChangeOptions): Promise<ManifestMove>
  /** Take an order off a manifest: `DELETE /api/v1/manifests/{manifestID}/orders/{orderID}`. Removes an order from a manifest, with its stops. It is refused with 409 once one of them was reported. The token needs the scope `orders` too. */
  remove(manifestID: string, orderID: string, options?: ChangeOptions): Promise<ManifestMove>
}

export interface ManifestsStopsMethods {
  /** Report the arrival at a stop: `POST /api/v1/manifests/{manifestID}/stops/{stopID}/arrive`. Says when the vehicle arrived. Reported before, it changes nothing, unless `at` gives another time. The states of the manifest, its legs and its orders follow by the table in the guide on movement, never backwards, in the same transaction. */
  arrive(manifestID: string, stopID: string, body?: ReportStop, options?: ChangeOptions): Promise<ManifestMove>
  /** Report the departure from a stop: `POST /api/v1/manifests/{manifestID}/stops/{stopID}/depart`. Says when the vehicle departed; its arrival need not have been reported. Reported before, it changes nothing, unless `at` gives another time. The states of the manifest, its legs and its orders follow by the table in the guide on movement, never backwards, in the same transaction. */
  depart(manifestID: string, stopID: string, body?: ReportStop, options?: ChangeOptions): Promise<ManifestMove>
  /** Undo the last report of a stop: `POST /api/v1/manifests/{manifestID}/stops/{stopID}/undo`. Takes back the departure, or else the arrival. While a later stop is departed from it is a 409 `later_stop_reported`, whose `details` name the stops to undo first. States that the report gave go back to what the other reports give, and without any to what they were before the first; what somebody has changed since stays. */
  undo(manifestID: string, stopID: string, options?: ChangeOptions): Promise<ManifestMove>
}

export interface EquipmentMethods {
  /** Search equipment: `GET /api/v1/equipment`. Finds the equipment of the organization that match every filter given, newest first by default, with the exact total. What was written before is found at once. */
  list(query?: SearchEquipment, options?: CallOptions): List<EquipmentPage, Equipment>
  /** Create equipment: `POST /api/v1/equipment`. Makes the same object that v2 knows as the kind `equipment`. An `external_id` is unique among equipment: a second one with it is a 409. */
  create(body: CreateEquipment, options?: WriteOptions): Promise<EquipmentAnswer>
  /** Get equipment: `GET /api/v1/equipment/{equipmentID}`. Answers equipment by its id or external id. With the ETag at hand in `If-None-Match` the answer is 304. */
  retrieve(equipmentID: string, options?: CallOptions): Promise<EquipmentAnswer>
  /** Update equipment: `PUT /api/v1/equipment/{equipmentID}`. Only the fields that are sent apply; null clears; an address or a list is replaced whole. What was read can be sent back whole: what changes nothing leaves `revision` and `updated_at` alone. What is not the client’s to set is ignored and named in X-Ignored-Fields. `If-Match` guards against overwriting another’s change. */
  update(equipmentID: string, body: UpdateEquipment, options?: ChangeOptions): Promise<EquipmentAnswer>
  /** Delete equipment: `DELETE /api/v1/equipment/{equipmentID}`. Deletes the equipment. It is refused with 409 while other objects refer to it, saying which. It can be restored in v2. */
  delete(equipmentID: string, options?: ChangeOptions): Promise<void>
  /** The history of equipment: `GET /api/v1/equipment/{equipmentID}/history`. Lists every change, newest first: what it was, when, by whom, and what was before. Of one that was deleted too, by its id. `data` and `previous` have the names of v2, as in the change feed. */
  history(equipmentID: string, query?: GetEquipmentHistory, options?: CallOptions): List<HistoryPage, HistoryEvent>
}

export interface ServicesMethods {
  /** Search services: `GET /api/v1/services`. Finds the services of the organization that match every filter given, newest first by default, with the exact total. What was written before is found at once. */
  list(query?: SearchServices, options?: CallOptions): List<ServicePage, Service>
  /** Create a service: `POST /api/v1/services`. Makes the same object that v2 knows as the kind `service`. An `external_id` is unique among services: a second one with it is a 409. */
  create(body: CreateService, options?: WriteOptions): Promise<ServiceAnswer>
  /** Get a service: `GET /api/v1/services/{serviceID}`. Answers a service by its id or external id. With the ETag at hand in `If-None-Match` the answer is 304. */
  retrieve(serviceID: string, options?: CallOptions): Promise<ServiceAnswer>
  /** Update a service: `PUT /api/v1/services/{serviceID}`. Only the fields that are sent apply; null clears; an address or a list is replaced whole. What was read can be sent back whole: what changes nothing leaves `revision` and `updated_at` alone. What is not the client’s to set is ignored and named in X-Ignored-Fields. `If-Match` guards against overwriting another’s change. */
  update(serviceID: string, body: UpdateService, options?: ChangeOptions): Promise<ServiceAnswer>
  /** Delete a service: `DELETE /api/v1/services/{serviceID}`. Deletes the service. It is refused with 409 while other objects refer to it, saying which. It can be restored in v2. */
  delete(serviceID: string, options?: ChangeOptions): Promise<void>
  /** The history of a service: `GET /api/v1/services/{serviceID}/history`. Lists every change, newest first: what it was, when, by whom, and what was before. Of one that was deleted too, by its id. `data` and `previous` have the names of v2, as in the change feed. */
  history(serviceID: string, query?: GetServiceHistory, options?: CallOptions): List<HistoryPage, HistoryEvent>
}

export interface PartnerCarriersMethods {
  /** Search partner carriers: `GET /api/v1/partner_carriers`. Finds the partner carriers of the organization that match every filter given, newest first by default, with the exact total. What was written before is found at once. */
  list(query?: SearchPartnerCarriers, options?: CallOptions): List<PartnerCarrierPage, PartnerCarrier>
  /** Create a partner carrier: `POST /api/v1/partner_carriers`. Makes the same object that v2 knows as the kind `partner`. An `external_id` is unique among partner carriers: a second one with it is a 409. */
  create(body: CreatePartnerCarrier, options?: WriteOptions): Promise<PartnerCarrierAnswer>
  /** Get a partner carrier: `GET /api/v1/partner_carriers/{partnerCarrierID}`. Answers a partner carrier by its id or external id. With the ETag at hand in `If-None-Match` the answer is 304. */
  retrieve(partnerCarrierID: string, options?: CallOptions): Promise<PartnerCarrierAnswer>
  /** Update a partner carrier: `PUT /api/v1/partner_carriers/{partnerCarrierID}`. Only the fields that are sent apply; null clears; an address or a list is replaced whole. What was read can be sent back whole: what changes nothing leaves `revision` and `updated_at` alone. What is not the client’s to set is ignored and named in X-Ignored-Fields. `If-Match` guards against overwriting another’s change. */
  update(partnerCarrierID: string, body: UpdatePartnerCarrier, options?: ChangeOptions): Promise<PartnerCarrierAnswer>
  /** Delete a partner carrier: `DELETE /api/v1/partner_carriers/{partnerCarrierID}`. Deletes the partner carrier. It is refused with 409 while other objects refer to it, saying which. It can be restored in v2. */
  delete(partnerCarrierID: string, options?: ChangeOptions): Promise<void>
  /** The history of a partner carrier: `GET /api/v1/partner_carriers/{partnerCarrierID}/history`. Lists every change, newest first: what it was, when, by whom, and what was before. Of one that was deleted too, by its id. `data` and `previous` have the names of v2, as in the change feed. */
  history(partnerCarrierID: string, query?: GetPartnerCarrierHistory, options?: CallOptions): List<HistoryPage, HistoryEvent>
  readonly statement: PartnerCarriersStatementMethods
}

export interface PartnerCarriersStatementMethods {
  /** The statement of a partner carrier: `GET /api/v1/partner_carriers/{partnerCarrierID}/statement`. Says what a carrier is owed: every open bill with what is paid and due and how long it is overdue, the credits that are not used up, the payments that have something left, and the sums in each currency. As JSON, or as CSV with `Accept: text/csv`. The token needs the scope `bills` too. */
  retrieve(partnerCarrierID: string, query?: GetPartnerCarrierStatement, options?: AsOfOptions): Promise<PartnerCarrierStatementAnswer>
  /** The statement of a partner carrier: `GET /api/v1/partner_carriers/{partnerCarrierID}/statement`. Says what a carrier is owed: every open bill with what is paid and due and how long it is overdue, the credits that are not used up, the payments that have something left, and the sums in each currency. As JSON, or as CSV with `Accept: text/csv`. The token needs the scope `bills` too. */
  retrieve(partnerCarrierID: string, query: undefined | GetPartnerCarrierStatement, options: AsOfOptions & AsCsv): Promise<Response>
  /** The statement of a partner carrier as a PDF: `GET /api/v1/partner_carriers/{partnerCarrierID}/statement/pdf`. Answers the statement of a partner carrier as a PDF file with the name, the address and the logo of the organization. The same file is answered without `/pdf` to who sends `Accept: application/pdf`. */
  pdf(partnerCarrierID: string, query?: GetPartnerCarrierStatementPdf, options?: AsOfOptions): Promise<Response>
}

export interface TimeZonesMethods {
  /** The time zone of a place: `GET /api/v1/time_zones/of_place`. Says which time zone a stop at a place gets where none is sent, and where that comes from. */
  ofPlace(query?: GetTimeZoneOfPlace, options?: CallOptions): Promise<TimeZoneOfPlaceAnswer>
}

export interface PositionsMethods {
  /** Record positions of many manifests: `POST /api/v1/positions`. Records up to 1000 positions and check calls of any manifests. A row that is wrong is named in the results and fails alone; the answer is 200 in either case. */
  record(body: RecordPositions, options?: WriteOptions): Promise<RecordPositionsAnswer>
}

export interface EmanifestsMethods {
  /** Search e-manifests: `GET /api/v1/emanifests`. Lists the e-manifests of the organization, newest first, with the exact total. */
  list(query?: SearchEmanifests, options?: CallOptions): List<EmanifestPage, Emanifest>
  /** Create an e-manifest from a manifest: `POST /api/v1/emanifests`. Makes an e-manifest and fills it with what the manifest, its orders, its border stop, its carrier and its equipment say. What they do not say is entered with PUT; `validate` names it. */
  create(body: CreateEmanifest, options?: WriteOptions): Promise<EmanifestAnswer>
  /** Get an e-manifest: `GET /api/v1/emanifests/{emanifestID}`. Answers the e-manifest with everything that was filed and what came back. */
  retrieve(emanifestID: string, options?: CallOptions): Promise<EmanifestAnswer>
  /** Update an e-manifest: `PUT /api/v1/emanifests/{emanifestID}`. Only the fields that are sent apply, and null clears; `driver`, `tractor`, `trailers` and `shipments` are replaced as a whole. It can be changed as a draft, validated or rejected, and is a draft then; an accepted one is amended. */
  update(emanifestID: string, body: UpdateEmanifest, options?: ChangeOptions): Promise<EmanifestAnswer>
  /** Validate an e-manifest: `POST /api/v1/emanifests/{emanifestID}/validate`. Names everything that customs asks for and that is missing or wrong, each at its place. Where nothing is, a draft or rejected e-manifest is validated; where something is, a validated one is a draft again. */
  validate(emanifestID: string, options?: ChangeOptions): Promise<ValidateEmanifestAnswer>
  /** Submit an e-manifest: `POST /api/v1/emanifests/{emanifestID}/submit`. Files a validated e-manifest: writes its X12 interchanges (309, and 358 where the border or the change asks for one) and hands them over in the background. Submitted once more, it files nothing again, and has tried again what could not be handed over. */
  submit(emanifestID: string, options?: ChangeOptions): Promise<EmanifestAnswer>
  /** Amend an e-manifest: `POST /api/v1/emanifests/{emanifestID}/amend`. Begins a change of an accepted e-manifest, with the fields that are sent: it is a draft again, to be validated and submitted. What customs has accepted counts until then. */
  amend(emanifestID: string, body?: AmendEmanifest, options?: ChangeOptions): Promise<EmanifestAnswer>
  /** Cancel an e-manifest: `POST /api/v1/emanifests/{emanifestID}/cancel`. Cancels an e-manifest. Of one that was filed a cancellation is filed, and it is cancelled when customs accepts that; any other is cancelled at once. */
  cancel(emanifestID: string, options?: ChangeOptions): Promise<EmanifestAnswer>
  /** The history of an e-manifest: `GET /api/v1/emanifests/{emanifestID}/history`. Lists every change, newest first: what it was, when, by whom, and what was before. Of one that was deleted too, by its id. */
  history(emanifestID: string, query?: GetEmanifestHistory, options?: CallOptions): List<HistoryPage, HistoryEvent>
  /** Apply acknowledgements of customs: `POST /api/v1/emanifests/acknowledgements`. Takes X12 acknowledgements: TA1 and 997 (whether the syntax was accepted), 355 (accepted or rejected, with what is wrong), 350 (the status of shipments). All of the file is applied or nothing. What it answers is found by the control number, or by the number of the trip; where there is none it is a 404. The same acknowledgement a second time changes nothing. */
  acknowledge(content: Content, options?: WriteOptions): Promise<AcknowledgeEmanifestsAnswer>
  readonly filings: EmanifestsFilingsMethods
}

export interface EmanifestsFilingsMethods {
  /** Download an interchange of an e-manifest: `GET /api/v1/emanifests/{emanifestID}/filings/{filingID}/content`. Answers the X12 interchange that was handed over, byte for byte. */
  content(emanifestID: string, filingID: string, options?: CallOptions): Promise<Response>
}

export interface DispatchMethods {
  /** Search orders to plan: `GET /api/v1/dispatch/orders`. Finds orders that are active or planned and on no manifest, but for manifests that are cancelled or inactive; those that are picked up first come first. `from` and `to` keep orders whose pickup time is not known. */
  orders(query?: SearchOrdersToPlan, options?: CallOptions): List<OrderToPlanPage, OrderToPlan>
  readonly manifests: DispatchManifestsMethods
}

export interface DispatchManifestsMethods {
  /** Search manifests for the dispatch board: `GET /api/v1/dispatch/manifests`. Finds manifests that match every filter given, those that begin first first: each with its carrier, driver, equipment, orders and stops, where it was last, when it is expected where, how late, and the states to which it can be moved. Those that are over are found where `status_ids` asks for them. `from` and `to` keep manifests whose times are not known. The token needs the scope `orders` too. */
  list(query?: SearchDispatchManifests, options?: CallOptions): List<DispatchManifestPage, DispatchManifest>
  /** Plan a manifest: `POST /api/v1/dispatch/manifests`. Makes a manifest in the state planned and puts up to 200 orders on it with their stops, all or nothing. It is refused with 409 where one of the orders is on another manifest or closed, and where the organization refuses double bookings and the driver or the equipment is taken. The token needs the scope `orders` too. */
  plan(body: PlanManifest, options?: WriteOptions): Promise<ManifestMove>
  /** Plan orders on a manifest: `POST /api/v1/dispatch/manifests/{manifestID}/orders`. Puts orders on a manifest as `POST /manifests/{manifestID}/orders` does, but refuses with 409 those that are closed or on another manifest that is neither cancelled nor inactive, naming that one. An order that two manifests carry one after the other is put on the second by that other operation. The token needs the scope `orders` too. */
  planOrders(manifestID: string, body: OrdersToPut, options?: ChangeOptions): Promise<ManifestMove>
  /** Move a manifest to another state: `POST /api/v1/dispatch/manifests/{manifestID}/move`. Moves a manifest by the table in the guide on dispatch: to `dispatched` dispatches it, to `in_transit` reports the departure from its first pickup, to `completed` that from its last stop; its legs and orders follow. What the table does not allow is refused with 409, naming what it does. Moved to the state that it has, nothing changes. The token needs the scope `orders` too. */
  move(manifestID: string, body: MoveManifest, options?: ChangeOptions): Promise<ManifestMove>
  /** Put the stops of a manifest in order: `PUT /api/v1/dispatch/manifests/{manifestID}/sequence`. Gives the stops of a manifest another order. All of them are named, once. Stops that were reported, and those before them, keep their places; an order is picked up before it is delivered. Arrival times are estimated anew. The token needs the scope `orders` too. */
  sequence(manifestID: string, body: SequenceStops, options?: ChangeOptions): Promise<ManifestMove>
}

export interface DocumentsMethods {
  /** Search documents: `GET /api/v1/documents`. Finds the documents that match every filter given, newest first, with the exact total. A token sees those alone whose records its scopes allow. */
  list(query?: SearchDocuments, options?: CallOptions): List<DocumentPage, Document>
  /** Upload a document: `POST /api/v1/documents`. Keeps a file of at most 25 MiB: as the body itself, with its type in `Content-Type` and its name in `Content-Disposition: attachment; filename="…"`, or in a form. The content is held against the type and the name; where they differ, or the type is none of those that are kept, the answer is 415. The scopes of all records that it is attached to are needed. A document that nobody attaches to anything is deleted after a day. */
  create(form: Form<CreateDocument>, options?: WriteOptions): Promise<DocumentAnswer>
  /** Get a document: `GET /api/v1/documents/{documentID}`. Answers what is known of a document. `/content` is the file. */
  retrieve(documentID: string, options?: CallOptions): Promise<DocumentAnswer>
  /** Update a document: `PUT /api/v1/documents/{documentID}`. Only the fields that are sent apply; `attached_to` is replaced as a whole, with the scopes of what it was and of what it is to be attached to. The content never changes. */
  update(documentID: string, body: UpdateDocument, options?: ChangeOptions): Promise<DocumentAnswer>
  /** Delete a document: `DELETE /api/v1/documents/{documentID}`. Deletes the document, whatever it is attached to. Its content is removed within minutes, unless another document has the same. */
  delete(documentID: string, options?: ChangeOptions): Promise<void>
  /** Download the content of a document: `GET /api/v1/documents/{documentID}/content`. Answers the bytes of the file, as they were sent. `Range` asks for a part of them, `If-None-Match` with the ETag whether they are the same. Browsers are told to save the file and to run nothing in it; with `inline=true` they may show a PDF or a picture. */
  content(documentID: string, query?: GetDocumentContent, options?: CallOptions): Promise<Response>
  /** The history of a document: `GET /api/v1/documents/{documentID}/history`. Lists every change, newest first: what it was, when, by whom, and what was before. Of one that was deleted too, by its id. Of one that is gone, the scope `bills` is needed. */
  history(documentID: string, query?: GetDocumentHistory, options?: CallOptions): List<HistoryPage, HistoryEvent>
}

export interface DocumentRulesMethods {
  /** Search document rules: `GET /api/v1/document_rules`. Lists the rules that say which documents must be there before bills are approved or paid, newest first, with the exact total. */
  list(query?: SearchDocumentRules, options?: CallOptions): List<DocumentRulePage, DocumentRule>
  /** Create a document rule: `POST /api/v1/document_rules`. Makes a rule: from now on bills that lack one of the documents are refused the step with 409 `documents_missing`, however it is asked for. It needs the role admin. */
  create(body: CreateDocumentRule, options?: WriteOptions): Promise<DocumentRuleAnswer>
  /** Get a document rule: `GET /api/v1/document_rules/{documentRuleID}`. Answers one rule. */
  retrieve(documentRuleID: string, options?: CallOptions): Promise<DocumentRuleAnswer>
  /** Update a document rule: `PUT /api/v1/document_rules/{documentRuleID}`. Only the fields that are sent apply; `document_types` are replaced as a whole. It needs the role admin. */
  update(documentRuleID: string, body: UpdateDocumentRule, options?: ChangeOptions): Promise<DocumentRuleAnswer>
  /** Delete a document rule: `DELETE /api/v1/document_rules/{documentRuleID}`. Deletes the rule. What was refused because of it can be done from then on. It needs the role admin. */
  delete(documentRuleID: string, options?: ChangeOptions): Promise<void>
  /** The history of a document rule: `GET /api/v1/document_rules/{documentRuleID}/history`. Lists every change, newest first: what it was, when, by whom, and what was before. Of one that was deleted too, by its id. */
  history(documentRuleID: string, query?: GetDocumentRuleHistory, options?: CallOptions): List<HistoryPage, HistoryEvent>
}

export interface CarrierInvoicesMethods {
  /** Search carrier invoices: `GET /api/v1/carrier_invoices`. Lists the carrier invoices that match every filter given, newest first, with the exact total. */
  list(query?: SearchCarrierInvoices, options?: CallOptions): List<CarrierInvoicePage, CarrierInvoice>
  /** Create a carrier invoice: `POST /api/v1/carrier_invoices`. Keeps what a carrier asks for, as it came. It is `received`, or `matched` where it comes with its manifests. Audit it next. With a `source_key`, a second arrival of the same message is a 409. */
  create(body: CreateCarrierInvoice, options?: WriteOptions): Promise<CarrierInvoiceAnswer>
  /** Get a carrier invoice: `GET /api/v1/carrier_invoices/{carrierInvoiceID}`. Answers the carrier invoice with its lines, the findings of its last audit, and what was decided. */
  retrieve(carrierInvoiceID: string, options?: CallOptions): Promise<CarrierInvoiceAnswer>
  /** Update a carrier invoice: `PUT /api/v1/carrier_invoices/{carrierInvoiceID}`. Only the fields that are sent apply; null clears; `lines` are replaced as a whole. What was found before is cleared: audit it again. Once it is approved, rejected or billed it stays as it is, which is a 409. */
  update(carrierInvoiceID: string, body: UpdateCarrierInvoice, options?: ChangeOptions): Promise<CarrierInvoiceAnswer>
  /** Delete a carrier invoice: `DELETE /api/v1/carrier_invoices/{carrierInvoiceID}`. Deletes what is open or rejected; what is approved or billed is a 409. */
  delete(carrierInvoiceID: string, options?: ChangeOptions): Promise<void>
  /** The history of a carrier invoice: `GET /api/v1/carrier_invoices/{carrierInvoiceID}/history`. Lists every change, newest first: what it was, when, by whom, and what was before. Of one that was deleted too, by its id. */
  history(carrierInvoiceID: string, query?: GetCarrierInvoiceHistory, options?: CallOptions): List<HistoryPage, HistoryEvent>
  /** Import carrier invoices: `POST /api/v1/carrier_invoices/import`. Takes a CSV file in which each row is a line of an invoice: `partner_carrier` (id, external id, SCAC or name), `invoice_number`, `invoice_date`, `currency`, `reference_number`, `total_amount_decimal`, `notes`, and of the line `line_type`, `line_description`, `line_quantity`, `line_unit`, `line_unit_price_decimal`, `line_amount_decimal`; or amounts in the minor unit in `total_amount`, `line_unit_price` and `line_amount`, and the currency in `currency_id`. Rows of the same carrier and number that stand one after the other make one invoice; what is about the invoice is read from the first of them. An invoice with a row that fails is not made, and the others are. One that a file brought before is left alone, so a file can be sent again. A file has at most as many rows as the server does while the caller waits (5,000 unless it is set otherwise). With `dry_run=true` nothing is kept. */
  import(content: Content, options?: WriteOptions): Promise<ImportCarrierInvoicesAnswer>
  /** Create carrier invoices from EDI: `POST /api/v1/carrier_invoices/edi`. Takes an X12 file with transactions 210 (motor carrier freight details and invoice), in one interchange or several: each becomes a carrier invoice, all of them or none. The carrier is found by its SCAC, charges by their codes, the load by the references. What is malformed is a 400 that names the segment and the element. The control numbers tell a second arrival, which is a 409. For each interchange, taken or not, a functional acknowledgement (997) is made: `edi_interchanges` of the answer, and the header `Link` of a refusal, say where it is. */
  importEdi(content: Content, options?: WriteOptions): Promise<CreateCarrierInvoicesByEdiAnswer>
  /** The manifests that a carrier invoice may be for: `GET /api/v1/carrier_invoices/{carrierInvoiceID}/proposals`. Lists the manifests that the invoice may be for, the likeliest first, with the reasons: it names them by reference number, external id or full id, the carrier drove them, the amounts and the dates are close. An audit matches by itself where one is beyond doubt. */
  proposals(carrierInvoiceID: string, options?: CallOptions): Promise<MatchProposalList>
  /** Match a carrier invoice: `POST /api/v1/carrier_invoices/{carrierInvoiceID}/match`. Says which manifests the invoice is for; an empty list takes the match back. What was found before is cleared: audit it again. */
  match(carrierInvoiceID: string, body: MatchCarrierInvoice, options?: ChangeOptions): Promise<CarrierInvoiceAnswer>
  /** Audit a carrier invoice: `POST /api/v1/carrier_invoices/{carrierInvoiceID}/audit`. Matches the invoice where one manifest is beyond doubt, holds each line against what was agreed under the tolerances, and notes the findings: with some it is an `exception`, without it is `matched`, and `billed` where the policy approves by itself. */
  audit(carrierInvoiceID: string, options?: ChangeOptions): Promise<CarrierInvoiceAnswer>
  /** Accept a carrier invoice: `POST /api/v1/carrier_invoices/{carrierInvoiceID}/accept`. Accepts an exception as it is: its total is approved. Approving then makes the bill. */
  accept(carrierInvoiceID: string, body: DecideCarrierInvoice, options?: ChangeOptions): Promise<CarrierInvoiceAnswer>
  /** Pay a carrier invoice short: `POST /api/v1/carrier_invoices/{carrierInvoiceID}/short_pay`. Approves less than an exception asks for: `amount`, or what was agreed. Approving then makes the bill, with what is deducted as a line of its own. */
  shortPay(carrierInvoiceID: string, body: ShortPayCarrierInvoice, options?: ChangeOptions): Promise<CarrierInvoiceAnswer>
  /** Dispute a carrier invoice: `POST /api/v1/carrier_invoices/{carrierInvoiceID}/dispute`. Notes that an exception is disputed with the carrier. It stays an exception. */
  dispute(carrierInvoiceID: string, body: DecideCarrierInvoice, options?: ChangeOptions): Promise<CarrierInvoiceAnswer>
  /** Reject a carrier invoice: `POST /api/v1/carrier_invoices/{carrierInvoiceID}/reject`. Rejects a carrier invoice that is not billed: nothing of it is paid. */
  reject(carrierInvoiceID: string, body: DecideCarrierInvoice, options?: ChangeOptions): Promise<CarrierInvoiceAnswer>
  /** Approve a carrier invoice: `POST /api/v1/carrier_invoices/{carrierInvoiceID}/approve`. Makes the bill of a carrier invoice that was audited without findings, or whose findings were decided about: a saved bill with its lines, or the draft that was made from its manifest, completed. Once: then the invoice is `billed`. Where a bill pays for one of its manifests by now, which the audit did not find, it is a 409 `already_billed`. */
  approve(carrierInvoiceID: string, body?: ApproveCarrierInvoice, options?: ChangeOptions): Promise<CarrierInvoiceAnswer>
  /** Audit all carrier invoices in the background: `POST /api/v1/carrier_invoices/audit`. Matches and audits every carrier invoice that is received, matched or an exception, disputed ones left out, as the audit of one does. It answers at once; `GET /audit_runs/{auditRunID}` says how far it is. After a crash of the server it goes on where it was. */
  startAudit(body?: StartCarrierInvoiceAudit, options?: WriteOptions): Promise<AuditRunAnswer>
}

export interface AuditRunsMethods {
  /** Get a batch of audits: `GET /api/v1/audit_runs/{auditRunID}`. Answers how far a batch of audits is, and what came of its invoices. */
  retrieve(auditRunID: string, options?: CallOptions): Promise<AuditRunAnswer>
}

export interface EdiInterchangesMethods {
  /** Search EDI interchanges: `GET /api/v1/edi_interchanges`. Lists the EDI interchanges that arrived, taken or rejected, by whichever way, newest first, with the exact total. */
  list(query?: SearchEdiInterchanges, options?: CallOptions): List<EdiInterchangePage, EdiInterchange>
  /** Get an EDI interchange: `GET /api/v1/edi_interchanges/{ediInterchangeID}`. Answers what became of an EDI interchange: whether it was taken, what was wrong with it, and its carrier invoices. */
  retrieve(ediInterchangeID: string, options?: CallOptions): Promise<EdiInterchangeAnswer>
  /** Download the acknowledgement of an EDI interchange: `GET /api/v1/edi_interchanges/{ediInterchangeID}/acknowledgement`. Answers the functional acknowledgement (X12 997) for its sender: for each group and transaction whether it was accepted, accepted with errors or rejected, with the segments and elements that are wrong (AK3, AK4). What is wrong with the envelope itself is said by a TA1. */
  acknowledgement(ediInterchangeID: string, options?: CallOptions): Promise<Response>
}

export interface AuditPoliciesMethods {
  /** Search audit policies: `GET /api/v1/audit_policies`. Lists the audit policies of the organization, newest first, with the exact total. */
  list(query?: SearchAuditPolicies, options?: CallOptions): List<AuditPolicyPage, AuditPolicy>
  /** Create an audit policy: `POST /api/v1/audit_policies`. Makes an audit policy for a carrier, for a type of lines, for both, or for all. There is one of each: a second is a 409. It needs the right to administer. */
  create(body: CreateAuditPolicy, options?: WriteOptions): Promise<AuditPolicyAnswer>
  /** Get an audit policy: `GET /api/v1/audit_policies/{auditPolicyID}`. Answers one audit policy. */
  retrieve(auditPolicyID: string, options?: CallOptions): Promise<AuditPolicyAnswer>
  /** Update an audit policy: `PUT /api/v1/audit_policies/{auditPolicyID}`. Only the fields that are sent apply; null clears. Invoices that were audited stay as they are until they are audited again. */
  update(auditPolicyID: string, body: UpdateAuditPolicy, options?: ChangeOptions): Promise<AuditPolicyAnswer>
  /** Delete an audit policy: `DELETE /api/v1/audit_policies/{auditPolicyID}`. Deletes the audit policy; a wider one counts in its place. */
  delete(auditPolicyID: string, options?: ChangeOptions): Promise<void>
  /** The history of an audit policy: `GET /api/v1/audit_policies/{auditPolicyID}/history`. Lists every change, newest first: what it was, when, by whom, and what was before. Of one that was deleted too, by its id. */
  history(auditPolicyID: string, query?: GetAuditPolicyHistory, options?: CallOptions): List<HistoryPage, HistoryEvent>
  /** Try an audit policy on the past: `POST /api/v1/audit_policies/replay`. Answers what a policy would have done to the carrier invoices received in the last days: what would have been paid by itself, what would have been held for a person, and how much too much it would have caught, next to the same under the policies that there are. It is computed from the comparisons that the audits kept, and changes nothing. */
  replay(body: ReplayAuditPolicy, options?: WriteOptions): Promise<AuditReplayAnswer>
}

export interface PartnerPortalMethods {
  readonly invitations: PartnerPortalInvitationsMethods
  readonly links: PartnerPortalLinksMethods
  readonly tenders: PartnerPortalTendersMethods
  readonly questions: PartnerPortalQuestionsMethods
}

export interface PartnerPortalInvitationsMethods {
  /** Search the people of carriers: `GET /api/v1/partner_portal/invitations`. Lists everyone who was invited to the partner portal, newest first, with the exact total. It needs the role admin. */
  list(query?: SearchPortalInvitations, options?: CallOptions): List<PortalInvitationPage, PortalInvitation>
  /** Invite somebody of a carrier: `POST /api/v1/partner_portal/invitations`. Invites a person to the partner portal as a user with the role partner, who sees what is this carrier’s and nothing else. The link is mailed to them, as to every user. They are shut out by `POST /users/{userID}/disable`, and invited again by `POST /users/{userID}/invite`. It needs the role admin. */
  create(body: CreatePortalInvitation, options?: KeyOptions): Promise<CreatePortalInvitationAnswer>
}

export interface PartnerPortalLinksMethods {
  /** Search signed links: `GET /api/v1/partner_portal/links`. Lists the signed links of records, newest first, with the exact total. Their secrets are never shown again. */
  list(query?: SearchPortalLinks, options?: CallOptions): List<PortalLinkPage, PortalLink>
  /** Make a signed link: `POST /api/v1/partner_portal/links`. Makes a link that shows one manifest or one bill in the partner portal to whoever holds it, as the carrier of the record, until it expires or is revoked. With it a carrier answers the tender of the manifest, reports stops and sends documents and its invoice, or asks about the bill. The token needs the scope of the record too: `manifests` or `bills`. */
  create(body: CreatePortalLink, options?: KeyOptions): Promise<CreatePortalLinkAnswer>
  /** Get a signed link: `GET /api/v1/partner_portal/links/{linkID}`. Answers what a link shows and until when, without its secret. */
  retrieve(linkID: string, options?: CallOptions): Promise<PortalLinkAnswer>
  /** Revoke a signed link: `DELETE /api/v1/partner_portal/links/{linkID}`. Ends a link at once, on every process, also for those who have opened it. It stays in the list. */
  revoke(linkID: string, options?: ChangeOptions): Promise<void>
  /** The history of a signed link: `GET /api/v1/partner_portal/links/{linkID}/history`. Lists every change, newest first: what it was, when, by whom, and what was before. */
  history(linkID: string, query?: GetPortalLinkHistory, options?: CallOptions): List<HistoryPage, HistoryEvent>
}

export interface PartnerPortalTendersMethods {
  /** Search tenders: `GET /api/v1/partner_portal/tenders`. Lists the manifests that are and were offered to carriers, newest first, with the exact total. */
  list(query?: SearchTenders, options?: CallOptions): List<TenderPage, Tender>
  /** Offer a manifest to a carrier: `POST /api/v1/partner_portal/tenders`. Offers a manifest that has no carrier to one, who accepts, declines or counters it in the partner portal. It may be offered to several at once: the first who accepts gets it, and the other tenders end. A carrier has one open tender of a manifest at a time. The carrier’s people get a mail, or else the carrier’s own address. */
  create(body: CreateTender, options?: WriteOptions): Promise<TenderAnswer>
  /** Get a tender: `GET /api/v1/partner_portal/tenders/{tenderID}`. Answers the tender. An open one whose time is over is expired, by the clock of the database. */
  retrieve(tenderID: string, options?: CallOptions): Promise<TenderAnswer>
  /** Cancel a tender: `POST /api/v1/partner_portal/tenders/{tenderID}/cancel`. Takes the offer back. One that was accepted takes the carrier off the manifest again. The carrier gets a mail. The event has the `reason`. */
  cancel(tenderID: string, body?: DecideTender, options?: ChangeOptions): Promise<TenderAnswer>
  /** Accept what a carrier asks for: `POST /api/v1/partner_portal/tenders/{tenderID}/accept_counter`. Accepts the rate with which a carrier countered: the manifest is the carrier’s, and the other tenders of the manifest end. A manifest without payment items gets one, `Line haul`, with the agreed rate; those that are there are left alone. The event has the `reason`. */
  acceptCounter(tenderID: string, body?: DecideTender, options?: ChangeOptions): Promise<TenderAnswer>
  /** The history of a tender: `GET /api/v1/partner_portal/tenders/{tenderID}/history`. Lists every change, newest first: what it was, when, by whom, and what was before. */
  history(tenderID: string, query?: GetTenderHistory, options?: CallOptions): List<HistoryPage, HistoryEvent>
}

export interface PartnerPortalQuestionsMethods {
  /** Search questions of carriers: `GET /api/v1/partner_portal/questions`. Lists what carriers ask about their bills, one thread for each bill and carrier, newest first, with the exact total. */
  list(query?: SearchBillQuestions, options?: CallOptions): List<BillQuestionPage, BillQuestion>
  /** Get a question of a carrier: `GET /api/v1/partner_portal/questions/{questionID}`. Answers the thread with all of its messages. */
  retrieve(questionID: string, options?: CallOptions): Promise<BillQuestionAnswer>
  /** Answer a carrier: `POST /api/v1/partner_portal/questions/{questionID}/answer`. Adds a message that the carrier reads at its bill in the partner portal. The carrier’s people get a mail, or else the carrier’s own address. */
  answer(questionID: string, body: SendMessage, options?: ChangeOptions): Promise<BillQuestionAnswer>
  /** Close a question: `POST /api/v1/partner_portal/questions/{questionID}/close`. Says that nothing is left to answer. A later message of the carrier opens it again. */
  close(questionID: string, options?: ChangeOptions): Promise<BillQuestionAnswer>
  /** The history of a question: `GET /api/v1/partner_portal/questions/{questionID}/history`. Lists every change, newest first: what it was, when, by whom, and what was before. */
  history(questionID: string, query?: GetBillQuestionHistory, options?: CallOptions): List<HistoryPage, HistoryEvent>
}

export interface PortalMethods {
  /** Whom the portal speaks with: `GET /api/v1/portal/me`. Answers which carrier the token is of, and of a signed link which record it shows. */
  me(options?: CallOptions): Promise<PortalMeAnswer>
  /** Open a signed link: `POST /api/v1/portal/link_sessions`. Exchanges the secret of a signed link, which is what stands behind the # of its address, for an access token of a quarter of an hour that reaches the record of the link and nothing else. It needs no token. A link that has expired or was revoked is answered 410; failed attempts are limited as those to sign in are. */
  openLink(body: OpenPortalLink, options?: CallOptions): Promise<OpenPortalLinkAnswer>
  readonly manifests: PortalManifestsMethods
  readonly tenders: PortalTendersMethods
  readonly bills: PortalBillsMethods
  readonly carrierInvoices: PortalCarrierInvoicesMethods
  readonly documents: PortalDocumentsMethods
}

export interface PortalManifestsMethods {
  /** The carrier’s manifests: `GET /api/v1/portal/manifests`. Lists the manifests that are the carrier’s or offered to it, newest first, with the exact total. */
  list(query?: SearchPortalManifests, options?: CallOptions): List<PortalManifestPage, PortalManifest>
  /** One of the carrier’s manifests: `GET /api/v1/portal/manifests/{manifestID}`. Answers a manifest with its stops. */
  retrieve(manifestID: string, options?: CallOptions): Promise<PortalManifestAnswer>
  readonly stops: PortalManifestsStopsMethods
  readonly documents: PortalManifestsDocumentsMethods
}

export interface PortalManifestsStopsMethods {
  /** Report the arrival of the carrier’s vehicle: `POST /api/v1/portal/manifests/{manifestID}/stops/{stopID}/arrive`. Says when the vehicle arrived. Reported before, it changes nothing, unless `at` gives another time. While a stop before it was not departed from it is a 409 `stops_open`, unless `skip_stops` is true; stops before the last one that was departed from do not count. The states of the manifest and its orders follow. */
  arrive(manifestID: string, stopID: string, body?: ReportPortalStop, options?: ChangeOptions): Promise<PortalManifestAnswer>
  /** Report the departure of the carrier’s vehicle: `POST /api/v1/portal/manifests/{manifestID}/stops/{stopID}/depart`. Says when the vehicle departd. Reported before, it changes nothing, unless `at` gives another time. While a stop before it was not departed from it is a 409 `stops_open`, unless `skip_stops` is true; stops before the last one that was departed from do not count. The states of the manifest and its orders follow. */
  depart(manifestID: string, stopID: string, body?: ReportPortalStop, options?: ChangeOptions): Promise<PortalManifestAnswer>
  /** Take back a report of a stop: `POST /api/v1/portal/manifests/{manifestID}/stops/{stopID}/undo`. Takes back the departure, or else the arrival, that the carrier reported in the last ten minutes; `undo_until` of the stop says until when. What the organization reported, or has changed since, stays: that is a 409 `undo_over`. While a later stop is departed from it is a 409 `later_stop_reported`. States that the report gave go back; with the last report that is taken back, to what they were before the first. */
  undo(manifestID: string, stopID: string, body?: UndoPortalStopReport, options?: ChangeOptions): Promise<PortalManifestAnswer>
}

export interface PortalManifestsDocumentsMethods {
  /** The documents that the carrier sent with a manifest: `GET /api/v1/portal/manifests/{manifestID}/documents`. Lists what the carrier itself has sent with the manifest through the portal, newest first. */
  list(manifestID: string, query?: SearchPortalDocuments, options?: CallOptions): List<PortalDocumentPage, PortalDocument>
  /** Send a document with a manifest of the carrier: `POST /api/v1/portal/manifests/{manifestID}/documents`. Keeps a file of at most 25 MiB with the manifest: as the body itself, or in a form. It is `pod` unless `document_type` says what it is. */
  send(manifestID: string, form: Form<DocumentForm>, options?: ChangeOptions): Promise<PortalDocumentAnswer>
}

export interface PortalTendersMethods {
  /** The carrier’s tenders: `GET /api/v1/portal/tenders`. Lists what is and was offered to the carrier, newest first, with the exact total. */
  list(query?: SearchPortalTenders, options?: CallOptions): List<PortalTenderPage, PortalTender>
  /** One of the carrier’s tenders: `GET /api/v1/portal/tenders/{tenderID}`. Answers a tender. An open one whose time is over is expired, by the clock of the database. */
  retrieve(tenderID: string, options?: CallOptions): Promise<PortalTenderAnswer>
  /** Accept a tender: `POST /api/v1/portal/tenders/{tenderID}/accept`. Accepts the freight at the rate that is offered: the manifest is the carrier’s. Of several carriers the first who accepts gets it, the others are answered 409. */
  accept(tenderID: string, body?: AnswerTender, options?: KeyOptions & { ifMatch?: Revision }): Promise<PortalTenderAnswer>
  /** Decline a tender: `POST /api/v1/portal/tenders/{tenderID}/decline`. Says that the carrier does not take the freight. */
  decline(tenderID: string, body?: AnswerTender, options?: ChangeOptions): Promise<PortalTenderAnswer>
  /** Counter a tender: `POST /api/v1/portal/tenders/{tenderID}/counter`. Asks for another rate. The organization accepts it or takes its offer back; until then another rate can be named. */
  counter(tenderID: string, body: CounterPortalTender, options?: ChangeOptions): Promise<PortalTenderAnswer>
}

export interface PortalBillsMethods {
  /** The carrier’s bills: `GET /api/v1/portal/bills`. Lists the bills that pay the carrier, newest first, with the exact total: what is approved, what is paid and when that is expected. Drafts and voided bills are not shown. */
  list(query?: SearchPortalBills, options?: CallOptions): List<PortalBillPage, PortalBill>
  /** One of the carrier’s bills: `GET /api/v1/portal/bills/{billID}`. Answers a bill with its lines. */
  retrieve(billID: string, options?: CallOptions): Promise<PortalBillAnswer>
  readonly questions: PortalBillsQuestionsMethods
}

export interface PortalBillsQuestionsMethods {
  /** What was asked about a bill: `GET /api/v1/portal/bills/{billID}/questions`. Answers the thread of the carrier about the bill, with the answers. */
  list(billID: string, options?: CallOptions): Promise<PortalQuestionsAnswer>
  /** Ask about a bill: `POST /api/v1/portal/bills/{billID}/questions`. Adds a message to the thread about the bill, which the clerks of the organization see and answer. */
  ask(billID: string, body: SendMessage, options?: ChangeOptions): Promise<PortalQuestionsAnswer>
}

export interface PortalCarrierInvoicesMethods {
  /** The carrier’s invoices: `GET /api/v1/portal/carrier_invoices`. Lists what the carrier has invoiced, newest first, with the exact total. A signed link sees what was sent with it. */
  list(query?: SearchPortalInvoices, options?: CallOptions): List<PortalInvoicePage, PortalInvoice>
  /** Send an invoice: `POST /api/v1/portal/carrier_invoices`. Sends an invoice of the carrier to the inbox of carrier invoices, where it is matched and audited as every other. Its document is sent afterwards, by `POST …/{carrierInvoiceID}/documents`. A number that the carrier has sent before is answered 409. With a signed link, invoices and files together are as many as the link can send. */
  create(body: CreatePortalInvoice, options?: WriteOptions): Promise<PortalInvoiceAnswer>
  /** One of the carrier’s invoices: `GET /api/v1/portal/carrier_invoices/{carrierInvoiceID}`. Answers an invoice of the carrier. */
  retrieve(carrierInvoiceID: string, options?: CallOptions): Promise<PortalInvoiceAnswer>
  readonly documents: PortalCarrierInvoicesDocumentsMethods
}

export interface PortalCarrierInvoicesDocumentsMethods {
  /** Send a document with an invoice of the carrier: `POST /api/v1/portal/carrier_invoices/{carrierInvoiceID}/documents`. Keeps a file of at most 25 MiB with the invoice: as the body itself, or in a form. It is `invoice` unless `document_type` says what it is. */
  send(carrierInvoiceID: string, form: Form<DocumentForm>, options?: ChangeOptions): Promise<PortalDocumentAnswer>
}

export interface PortalDocumentsMethods {
  /** Download a document that the carrier sent: `GET /api/v1/portal/documents/{documentID}/content`. Answers the bytes of a file that the carrier itself has sent through the portal, as they were sent. `Range` asks for a part of them, `If-None-Match` with the ETag whether they are the same. Browsers are told to save the file and to run nothing in it; with `inline=true` they may show a PDF or a picture. */
  content(documentID: string, query?: GetPortalDocumentContent, options?: CallOptions): Promise<Response>
}

export interface TransfersMethods {
  /** Search imports and exports: `GET /api/v1/transfers`. Lists the imports and exports of the background that the scopes of the token allow to see, the newest first. */
  list(query?: SearchTransfers, options?: CallOptions): List<TransferPage, Transfer>
  /** Get an import or an export: `GET /api/v1/transfers/{transferID}`. Answers how far it is. Ask again with the ETag in `If-None-Match`: as long as nothing has happened the answer is 304. */
  retrieve(transferID: string, options?: CallOptions): Promise<TransferAnswer>
  /** Cancel an import or an export: `POST /api/v1/transfers/{transferID}/cancel`. Ends it after the lot that is being worked off. What was written stays. One that has ended is refused with 409, unless it was cancelled. */
  cancel(transferID: string, options?: ChangeOptions): Promise<TransferAnswer>
  /** Download the result of an import or an export: `GET /api/v1/transfers/{transferID}/result`. Answers the file of an export that is done; of an import that has ended, a line of JSON for each row: its `line` in the file, its `status`, and what was wrong with it. `Range` continues a download that broke off. */
  result(transferID: string, options?: CallOptions): Promise<Response>
  /** Download the rows of an import that failed: `GET /api/v1/transfers/{transferID}/failures`. Answers the rows that failed, as they came, with the reason in columns that an import ignores: correct them there and import that file. It is empty where no row failed. */
  failures(transferID: string, options?: CallOptions): Promise<Response>
}

export interface ReportsMethods {
  /** What is owed to carriers, by age: `GET /api/v1/reports/payables_aging`. Answers what is left to pay of the bills that are saved, sent or edited, by party and currency, and by how long ago it was due: days are counted from the due date to the day of `as_of`. `unapplied_amount` is money on account: what was paid and settles nothing. Amounts in the home currency use the rate that each bill and payment keeps. With `Accept: text/csv` the rows come as CSV, in which money is a decimal number in the columns that end in `_decimal`, next to `currency` and `home_currency`; those without that ending are deprecated. */
  payablesAging(query?: GetPayablesAgingReport, options?: AsOfOptions): Promise<PayablesAgingReportAnswer>
  /** What is owed to carriers, by age: `GET /api/v1/reports/payables_aging`. Answers what is left to pay of the bills that are saved, sent or edited, by party and currency, and by how long ago it was due: days are counted from the due date to the day of `as_of`. `unapplied_amount` is money on account: what was paid and settles nothing. Amounts in the home currency use the rate that each bill and payment keeps. With `Accept: text/csv` the rows come as CSV, in which money is a decimal number in the columns that end in `_decimal`, next to `currency` and `home_currency`; those without that ending are deprecated. */
  payablesAging(query: undefined | GetPayablesAgingReport, options: AsOfOptions & AsCsv): Promise<Response>
  /** What customers owe, by age: `GET /api/v1/reports/receivables_aging`. Answers what is left to pay of the invoices that are saved, sent or edited, by party and currency, and by how long ago it was due: days are counted from the due date to the day of `as_of`. `unapplied_amount` is money on account: what was paid and settles nothing. Amounts in the home currency use the rate that each invoice and payment keeps. With `Accept: text/csv` the rows come as CSV, in which money is a decimal number in the columns that end in `_decimal`, next to `currency` and `home_currency`; those without that ending are deprecated. */
  receivablesAging(query?: GetReceivablesAgingReport, options?: AsOfOptions): Promise<ReceivablesAgingReportAnswer>
  /** What customers owe, by age: `GET /api/v1/reports/receivables_aging`. Answers what is left to pay of the invoices that are saved, sent or edited, by party and currency, and by how long ago it was due: days are counted from the due date to the day of `as_of`. `unapplied_amount` is money on account: what was paid and settles nothing. Amounts in the home currency use the rate that each invoice and payment keeps. With `Accept: text/csv` the rows come as CSV, in which money is a decimal number in the columns that end in `_decimal`, next to `currency` and `home_currency`; those without that ending are deprecated. */
  receivablesAging(query: undefined | GetReceivablesAgingReport, options: AsOfOptions & AsCsv): Promise<Response>
  /** What was spent: `GET /api/v1/reports/spend`. Answers what the bills come to before tax, by the month of their date in the time zone of the organization, carrier and type of line, and by currency. What carriers have credited is taken off, by the date of the credit. Drafts and what was voided do not count; a document without lines counts as one line without a type. What has no exchange rate is not in the amounts in the home currency, and counted in `missing_rate`. With `Accept: text/csv` the rows come as CSV, in which money is a decimal number in the columns that end in `_decimal`, next to `currency` and `home_currency`; those without that ending are deprecated. More than 50000 rows are refused with 413: ask for fewer. */
  spend(query?: GetSpendReport, options?: AsOfOptions): Promise<SpendReportAnswer>
  /** What was spent: `GET /api/v1/reports/spend`. Answers what the bills come to before tax, by the month of their date in the time zone of the organization, carrier and type of line, and by currency. What carriers have credited is taken off, by the date of the credit. Drafts and what was voided do not count; a document without lines counts as one line without a type. What has no exchange rate is not in the amounts in the home currency, and counted in `missing_rate`. With `Accept: text/csv` the rows come as CSV, in which money is a decimal number in the columns that end in `_decimal`, next to `currency` and `home_currency`; those without that ending are deprecated. More than 50000 rows are refused with 413: ask for fewer. */
  spend(query: undefined | GetSpendReport, options: AsOfOptions & AsCsv): Promise<Response>
  /** What was delivered and is not billed: `GET /api/v1/reports/accruals`. Lists the manifests that are completed and that no bill pays for, and the orders that are delivered and on no invoice. Drafts and voided documents do not count. With `Accept: text/csv` the rows come as CSV, in which money is a decimal number in the columns that end in `_decimal`, next to `currency` and `home_currency`; those without that ending are deprecated. More than 50000 rows are refused with 413: ask for fewer. */
  accruals(options?: AsOfOptions): Promise<AccrualsReportAnswer>
  /** What was delivered and is not billed: `GET /api/v1/reports/accruals`. Lists the manifests that are completed and that no bill pays for, and the orders that are delivered and on no invoice. Drafts and voided documents do not count. With `Accept: text/csv` the rows come as CSV, in which money is a decimal number in the columns that end in `_decimal`, next to `currency` and `home_currency`; those without that ending are deprecated. More than 50000 rows are refused with 413: ask for fewer. */
  accruals(options: AsOfOptions & AsCsv): Promise<Response>
  /** What is earned with each order: `GET /api/v1/reports/margin`. Answers what was charged for each order that is not cancelled, what the manifests that carry it cost, and what is left, all in the home currency and before tax. Credits are taken off: those of customers from the charge, those of carriers from the cost, by the order or the manifest that their lines name. What is not known is null, and `missing` says why. With `Accept: text/csv` the rows come as CSV, in which money is a decimal number in the columns that end in `_decimal`, next to `currency` and `home_currency`; those without that ending are deprecated. More than 50000 rows are refused with 413: ask for fewer. */
  margin(query?: GetMarginReport, options?: AsOfOptions): Promise<MarginReportAnswer>
  /** What is earned with each order: `GET /api/v1/reports/margin`. Answers what was charged for each order that is not cancelled, what the manifests that carry it cost, and what is left, all in the home currency and before tax. Credits are taken off: those of customers from the charge, those of carriers from the cost, by the order or the manifest that their lines name. What is not known is null, and `missing` says why. With `Accept: text/csv` the rows come as CSV, in which money is a decimal number in the columns that end in `_decimal`, next to `currency` and `home_currency`; those without that ending are deprecated. More than 50000 rows are refused with 413: ask for fewer. */
  margin(query: undefined | GetMarginReport, options: AsOfOptions & AsCsv): Promise<Response>
  /** What is to be done: `GET /api/v1/reports/summary`. Answers what is due and overdue, drafts to finish, what was delivered and is not billed, and what comes in and goes out week by week. It is kept and put together again in the background after changes, so that reading it costs no more than reading a record; `computed_at` says when. */
  summary(options?: CallOptions): Promise<SummaryAnswer>
}

export interface EventsMethods {
  /** Read the change feed: `GET /api/v1/events`. Answers what has happened in the organization, the oldest first: to records that the scopes and the role of the caller let them read. Keep `next_after` and send it as `after` the next time: so you see every committed event once, and none is missing, whatever was committed late in between. The events of one record come in the order in which they happened; a deletion is an event. With filters a page may be empty and still have `has_more`. `newest_first` turns the order around, for people who look what happened. A position from before the time for which events are kept is answered 410 `position_expired`: read the records themselves anew, and begin with a request without `after`. */
  list(query?: ListEvents, options?: CallOptions): List<EventPage, Event>
  /** Follow the change feed: `GET /api/v1/events/stream`. The feed, of what the caller may read, as Server-Sent Events, from now on or behind `after`, for as long as the connection lasts: `data` is an Event, and `id` its position. To resume, send the last `id` as `Last-Event-ID`, as browsers do by themselves. The stream ends when the access token expires or is revoked, and when the server is stopped; open it again with a good token. Every 15 seconds in which nothing happens a comment is sent. */
  follow(options?: FollowOptions): AsyncGenerator<FollowedEvent, void>
  /** Get an event: `GET /api/v1/events/{eventID}`. Answers one event, also one that has left the feed: events stay as the history of their records. One about what the caller may not read is a 404. */
  retrieve(eventID: string, options?: CallOptions): Promise<EventAnswer>
}

export interface WebhookDeliveriesMethods {
  /** Search deliveries: `GET /api/v1/webhook_deliveries`. Lists the deliveries to all webhooks, the newest first; with `event_id`, where an event was sent. */
  list(query?: SearchWebhookDeliveries, options?: CallOptions): List<WebhookDeliveryPage, WebhookDelivery>
  /** Get a delivery: `GET /api/v1/webhook_deliveries/{deliveryID}`. Answers a delivery with the body, and with the header fields and the answer of each attempt. Of the address those who do not administer see the host; a delivery of an event that the caller may not read is a 404. */
  retrieve(deliveryID: string, options?: CallOptions): Promise<WebhookDeliveryDetailAnswer>
  /** Send a delivery again: `POST /api/v1/webhook_deliveries/{deliveryID}/redeliver`. Sends it now, also one that has succeeded or was given up, with the `webhook-id` that it had and all its retries. It needs the role admin. */
  redeliver(deliveryID: string, options?: ChangeOptions): Promise<WebhookDeliveryAnswer>
}

export interface WebhooksMethods {
  /** Search the deliveries of a webhook: `GET /api/v1/webhooks/{webhookID}/deliveries`. Lists the deliveries to one webhook, those of the newest events first. */
  deliveries(webhookID: string, query?: SearchDeliveriesOfWebhook, options?: CallOptions): List<WebhookDeliveryPage, WebhookDelivery>
  /** List webhooks: `GET /api/v1/webhooks`. Lists the webhooks of the organization with how their deliveries go, the newest first. Of their addresses, which may hold secrets, those who do not administer see the host. */
  list(query?: SearchWebhooks, options?: CallOptions): List<WebhookPage, Webhook>
  /** Create a webhook: `POST /api/v1/webhooks`. The `secret` is in this answer and nowhere else. Events that are published from now on are sent. The token needs the scopes of what `event_types` names. It needs the role admin. */
  create(body: CreateWebhook, options?: KeyOptions): Promise<WebhookWithSecretAnswer>
  /** Get a webhook: `GET /api/v1/webhooks/{webhookID}`. Answers one webhook with how its deliveries go. Of its address, which may hold a secret, those who do not administer see the host. */
  retrieve(webhookID: string, options?: CallOptions): Promise<WebhookAnswer>
  /** Update a webhook: `PUT /api/v1/webhooks/{webhookID}`. Only the fields that are sent apply. `enabled` disables and enables it: what is published while it is disabled is not sent by itself. It needs the role admin. */
  update(webhookID: string, body: UpdateWebhook, options?: ChangeOptions): Promise<WebhookAnswer>
  /** Delete a webhook: `DELETE /api/v1/webhooks/{webhookID}`. Deletes the webhook with its deliveries. Nothing more is sent to it. It needs the role admin. */
  delete(webhookID: string, options?: ChangeOptions): Promise<void>
  /** The history of a webhook: `GET /api/v1/webhooks/{webhookID}/history`. Lists every change, newest first: what it was, when, by whom, and what was before. Of one that was deleted too, by its id. It needs the role admin. */
  history(webhookID: string, query?: GetWebhookHistory, options?: CallOptions): List<HistoryPage, HistoryEvent>
  /** Rotate the secret: `POST /api/v1/webhooks/{webhookID}/rotate_secret`. Answers a new `secret`, shown this once. For `overlap_seconds` deliveries carry the signatures of both. It needs the role admin. */
  rotateSecret(webhookID: string, body?: RotateWebhookSecret, options?: KeyOptions & { ifMatch?: Revision }): Promise<WebhookWithSecretAnswer>
  /** Send a test event: `POST /api/v1/webhooks/{webhookID}/test`. Sends a `webhook.test` event to this webhook now, whatever types it asks for. Answers its delivery: ask for that to see what came back. It needs the role admin. */
  test(webhookID: string, options?: KeyOptions & { ifMatch?: Revision }): Promise<WebhookDeliveryAnswer>
  /** Send a span of events again: `POST /api/v1/webhooks/{webhookID}/replay`. Sends the events of a span once more, and those of it that were never sent, in the background. Each has the `webhook-id` that it had. It needs the role admin. */
  replay(webhookID: string, body: ReplayWebhook, options?: ChangeOptions): Promise<WebhookReplayAnswer>
}

export interface MailsMethods {
  /** Search mails: `GET /api/v1/mails`. Lists the mails of the organization, the newest first: those about what the scopes of the token allow, and those of users for admins. */
  list(query?: SearchMails, options?: CallOptions): List<MailPage, Mail>
  /** Get a mail: `GET /api/v1/mails/{mailID}`. Answers a mail with how it went. */
  retrieve(mailID: string, options?: CallOptions): Promise<MailAnswer>
  /** Get the message of a mail: `GET /api/v1/mails/{mailID}/content`. Answers the whole message with its attachments, byte for byte as it is sent. One that holds a secret is never shown: that is a 409. */
  content(mailID: string, options?: CallOptions): Promise<Response>
  /** Send a mail again: `POST /api/v1/mails/{mailID}/resend`. Sends the same message once more, to all its addresses and with all its retries. One that held a secret cannot be sent again. */
  resend(mailID: string, options?: ChangeOptions): Promise<MailAnswer>
  /** Report that a mail came back: `POST /api/v1/mails/{mailID}/bounce`. Marks a mail as bounced, with the reason. For the hook of a mail service that reports what could not be delivered. */
  bounce(mailID: string, body: BounceMail, options?: ChangeOptions): Promise<MailAnswer>
  /** The history of a mail: `GET /api/v1/mails/{mailID}/history`. Lists every change, newest first: what it was, when, by whom, and what was before. */
  history(mailID: string, query?: GetMailHistory, options?: CallOptions): List<HistoryPage, HistoryEvent>
}

export interface OrganizationMethods {
  /** Get the organization: `GET /api/v1/organization`. Answers the organization of the access token with its settings. Any good token will do. */
  retrieve(options?: CallOptions): Promise<OrganizationAnswer>
  /** Update the organization: `PUT /api/v1/organization`. Only the fields that are sent apply; null clears. Another home currency changes nothing of the documents that are there: they keep what they came to until they are repriced. It needs the role admin. */
  update(body: UpdateOrganization, options?: ChangeOptions): Promise<OrganizationAnswer>
  /** The history of the organization: `GET /api/v1/organization/history`. Lists every change, newest first: what it was, when, by whom, and what was before. */
  history(query?: GetOrganizationHistory, options?: CallOptions): List<HistoryPage, HistoryEvent>
  /** Get what the organization uses: `GET /api/v1/organization/usage`. Answers how much the organization keeps of what is bounded, and the bounds. Any good token will do. */
  usage(options?: CallOptions): Promise<OrganizationUsageAnswer>
  readonly logo: OrganizationLogoMethods
}

export interface OrganizationLogoMethods {
  /** Get the logo: `GET /api/v1/organization/logo`. Answers the picture that is on the papers of the organization; 404 where there is none. Any good token will do. */
  retrieve(options?: CallOptions): Promise<Response>
  /** Set the logo: `PUT /api/v1/organization/logo`. Puts a picture on the papers of the organization, in place of the one before: a PNG or a JPEG of at most 1 MiB and a million pixels. It needs the role admin. */
  set(content: Content, options?: WriteOptions & { contentType?: 'image/png' | 'image/jpeg' }): Promise<void>
  /** Delete the logo: `DELETE /api/v1/organization/logo`. Takes the picture off the papers of the organization. It needs the role admin. */
  delete(options?: WriteOptions): Promise<void>
}

export interface OauthApplicationsMethods {
  /** List OAuth applications: `GET /api/v1/oauth_applications`. Lists the OAuth applications of the organization, newest first. It needs the role admin. */
  list(query?: SearchOAuthApplications, options?: CallOptions): List<OAuthApplicationPage, OAuthApplication>
  /** Create an OAuth application: `POST /api/v1/oauth_applications`. The `client_secret` is in this answer and nowhere else. It needs the role admin. */
  create(body: CreateOAuthApplication, options?: KeyOptions): Promise<OAuthApplicationWithSecretAnswer>
  /** Get an OAuth application: `GET /api/v1/oauth_applications/{applicationID}`. Answers one OAuth application. It needs the role admin. */
  retrieve(applicationID: string, options?: CallOptions): Promise<OAuthApplicationAnswer>
  /** Update an OAuth application: `PUT /api/v1/oauth_applications/{applicationID}`. Only the fields that are sent apply. Taking a scope away, or changing `access`, ends the tokens that were given before. It needs the role admin. */
  update(applicationID: string, body: UpdateOAuthApplication, options?: ChangeOptions): Promise<OAuthApplicationAnswer>
  /** Delete an OAuth application: `DELETE /api/v1/oauth_applications/{applicationID}`. Deletes the application. No token that it got is taken any more, from this moment on. It needs the role admin. */
  delete(applicationID: string, options?: ChangeOptions): Promise<void>
  /** Disable an OAuth application: `POST /api/v1/oauth_applications/{applicationID}/disable`. Disables the application until it is enabled again. Its access tokens are refused from this moment on; it gets no new ones, and nobody can sign in through it. It needs the role admin. */
  disable(applicationID: string, options?: ChangeOptions): Promise<OAuthApplicationAnswer>
  /** Enable an OAuth application: `POST /api/v1/oauth_applications/{applicationID}/enable`. Enables the application again. It gets tokens with its secret, and with the refresh tokens that it has; the access tokens from before stay dead. It needs the role admin. */
  enable(applicationID: string, options?: ChangeOptions): Promise<OAuthApplicationAnswer>
  /** Rotate the client secret: `POST /api/v1/oauth_applications/{applicationID}/rotate_secret`. Answers a new `client_secret`, shown this once; the old one stays good for `overlap_seconds`. It needs the role admin. */
  rotateSecret(applicationID: string, body?: RotateOAuthApplicationSecret, options?: KeyOptions & { ifMatch?: Revision }): Promise<OAuthApplicationWithSecretAnswer>
  /** The history of an OAuth application: `GET /api/v1/oauth_applications/{applicationID}/history`. Lists every change, newest first: what it was, when, by whom, and what was before. Of one that was deleted too, by its id. It needs the role admin. */
  history(applicationID: string, query?: GetOAuthApplicationHistory, options?: CallOptions): List<HistoryPage, HistoryEvent>
}

export interface UsersMethods {
  /** Search users: `GET /api/v1/users`. Lists the users of the organization, newest first. It needs the role admin. */
  list(query?: SearchUsers, options?: CallOptions): List<UserPage, User>
  /** Create or invite a user: `POST /api/v1/users`. Invites a user: nobody becomes one without accepting. With a `password` they sign in with it once, and are asked for a password of their own. Otherwise they are mailed a link, where they choose one; without a mail server the answer carries it as `invitation_url`, to be passed on. With one there are no first passwords (400 `invited_by_mail`). Someone who has an account with this address enters its password there, and uses one password for both. It needs the role admin. */
  create(body: CreateUser, options?: KeyOptions): Promise<InvitedUser>
  /** Get a user: `GET /api/v1/users/{userID}`. Answers one user of the organization. It needs the role admin. */
  retrieve(userID: string, options?: CallOptions): Promise<UserAnswer>
  /** Update a user: `PUT /api/v1/users/{userID}`. Changes the name or the role; only the fields that are sent apply. The last admin stays one. It needs the role admin. */
  update(userID: string, body: UpdateUser, options?: ChangeOptions): Promise<UserAnswer>
  /** Disable a user: `POST /api/v1/users/{userID}/disable`. They are shut out at once, their tokens dead. All admins are told by mail, also one who is shut out. The last admin cannot be disabled. It needs the role admin. */
  disable(userID: string, options?: ChangeOptions): Promise<UserAnswer>
  /** Enable a user: `POST /api/v1/users/{userID}/enable`. They can sign in again. It needs the role admin. */
  enable(userID: string, options?: ChangeOptions): Promise<UserAnswer>
  /** Invite a user again: `POST /api/v1/users/{userID}/invite`. Makes a new link for someone who has not joined yet; the old link, or the first password, is void. It needs the role admin. */
  invite(userID: string, options?: KeyOptions & { ifMatch?: Revision }): Promise<InvitedUser>
  /** The history of a user: `GET /api/v1/users/{userID}/history`. Lists every change, newest first: what it was, when, by whom, and what was before. It needs the role admin. */
  history(userID: string, query?: GetUserHistory, options?: CallOptions): List<HistoryPage, HistoryEvent>
}

export interface SecurityEventsMethods {
  /** Search the security log: `GET /api/v1/security_events`. Lists sign-ins that succeeded and failed, and changes of users, roles, applications, secrets and grants; the newest first. A sign-in of someone who is in several organizations is in the log of the one that they entered, a failed one in the logs of all, because it names none. It needs the role admin. */
  list(query?: SearchSecurityEvents, options?: CallOptions): List<SecurityEventPage, SecurityEvent>
}

export interface RequestLogMethods {
  /** Search the request log: `GET /api/v1/request_log`. Lists the requests to the API of the last days that match every filter given, the newest first. Each is there within seconds of its answer; those that the same process answered, at once. Of an organization that makes very many, some are counted only: an entry with `not_kept` says how many. It needs the role admin. */
  list(query?: SearchRequestLog, options?: CallOptions): List<RequestLogEntryPage, RequestLogEntry>
  /** Get an entry of the request log: `GET /api/v1/request_log/{entryID}`. Answers an entry by its id, with the beginning of what was answered. It needs the role admin. */
  retrieve(entryID: string, options?: CallOptions): Promise<RequestLogEntryWithAnswerAnswer>
}

export interface MeMethods {
  /** Who am I: `GET /api/v1/me`. Says whom the access token speaks for, in which organization, and what it may do. Any good token will do. */
  retrieve(options?: CallOptions): Promise<MeAnswer>
}

export interface ScopesMethods {
  /** The scopes: `GET /api/v1/scopes`. Lists the scopes that an application can have, each with what it allows. Any token of the organization’s own people or applications will do, with any scope. */
  list(options?: CallOptions): Promise<ScopesAnswer>
}

export interface ObjectsMethods {
  /** Create an object, or change the one with the same externalId: `PATCH /api/v2/platformModel/objects`. Everything in `json` comes back at the top level of the object. A `json.externalId` that an object of this kind has already changes that object instead. A reference is an id, `ext:` and an external id, or a `fullId`; it is kept as the id. Its key may end in `Id`, `ID` or `id`. Keys that the server sets are ignored and named in `errors`. The token needs the scope of the object’s kind. */
  upsert(body: UpsertObject, options?: WriteOptions): Promise<AnyObject>
  /** List objects of a kind: `GET /api/v2/platformModel/objects`. Lists objects of a kind, newest first, with the exact total. For conditions on any field there is `filter`, or POST …/objects/search. The token needs the scope of the object’s kind. */
  list(query: ListObjects, options?: CallOptions): List<PlatformObjectPage, PlatformObject>
  /** Search objects of a kind: `POST /api/v2/platformModel/objects/search`. Finds objects by any field, compared and combined: `{ "and": […] }`, `{ "or": […] }`, `{ "not": … }`, `{ "field", "op", "value" }`. What was written before is found at once. The token needs the scope of the object’s kind. */
  search(body: SearchObjects, options?: WriteOptions): List<PlatformObjectPage, PlatformObject>
  /** Get an object: `GET /api/v2/platformModel/objects/{objectID}`. Answers the whole object, or what `paths` asks for. The token needs the scope of the object’s kind. */
  retrieve(objectID: string, query?: GetObject, options?: CallOptions): Promise<AnyObject>
  /** Update an object: `PUT /api/v2/platformModel/objects/{objectID}`. Only the fields that are sent apply; null clears. The body is `{ "json": { … } }`, or the object itself as it was read. `If-Match` guards against overwriting another’s change. The token needs the scope of the object’s kind. */
  update(objectID: string, body: UpdateObject, options?: ChangeOptions): Promise<AnyObject>
  /** Delete an object: `DELETE /api/v2/platformModel/objects/{objectID}`. Deletes the object; it can be restored. It is refused with 409 while others refer to it, saying which. The token needs the scope of the object’s kind. */
  delete(objectID: string, options?: ChangeOptions): Promise<void>
  /** Get an object by its externalId: `GET /api/v2/platformModel/objects/{objectKey}/{externalId}/external`. Answers an object by its kind and the id it has elsewhere (percent-encoded). The token needs the scope of the object’s kind. */
  retrieveByExternalId(objectKey: string, externalId: string, query?: GetObjectByExternalId, options?: CallOptions): Promise<AnyObject>
  /** Restore a deleted object: `POST /api/v2/platformModel/objects/{objectID}/restore`. Brings the object back as it was. It is refused with 409 when its externalId or a unique value is taken by now, or something it refers to is gone. The token needs the scope of the object’s kind. */
  restore(objectID: string, options?: ChangeOptions): Promise<AnyObject>
  /** The history of an object: `GET /api/v2/platformModel/objects/{objectID}/history`. Lists every change, newest first: what it was, when, by whom, and what was before. Of a deleted object too. The token needs the scope of the object’s kind. */
  history(objectID: string, query?: GetObjectHistory, options?: CallOptions): List<HistoryPageV2, HistoryEvent>
  /** Create, change and delete many objects: `POST /api/v2/platformModel/objects/bulk`. Takes up to 500 rows of any kinds, in one transaction. A row with an `id` changes that object; one whose `externalId` an object of its kind has changes that one, as PATCH does; any other creates one. `op: "delete"` deletes, after everything else; objects that only deleted objects refer to can be deleted with them. A reference can be `ext:` and an external id, also one that an earlier row creates, or a `fullId`. A row that fails is named in the results and writes nothing; with `all_or_nothing` no row is written then. The answer is 200 in either case. The token needs the scope of each row’s kind; a row without it fails alone. */
  bulk(body: BulkObjects, options?: WriteOptions): Promise<BulkObjectsAnswer>
  /** Export objects of a kind: `GET /api/v2/platformModel/objects/export`. Answers every object that a search finds, in its order, streamed from one snapshot, up to as many as the server sends while the caller waits (10,000 unless it is set otherwise; more are refused with 413, and go to `POST /objects/exports`). CSV has a column for each field, for each part of an address (`pickup.city`), and `otherFields` for those that no definition names; lists are JSON. It can be imported again as it is. NDJSON has one object on each line, as it is read. An export that fails midway breaks the connection: one that ends is whole. The token needs the scope of the kind. */
  export(query: ExportObjects, options?: CallOptions): Promise<Response>
  /** Import objects of a kind: `POST /api/v2/platformModel/objects/import`. Takes a CSV file with the columns of the export, in any order; fields without a column stay as they are, an empty cell clears. A row changes the object of its `id`, or else that of its `externalId`, and creates one where there is none, as in a bulk request, in lots of some hundred; a row that fails does not affect the others. A reference is an id, `ext:` and an external id, or a `fullId`. With `dryRun=true` nothing is written, and the report shows what would happen. With an `Idempotency-Key` or `Prefer: dry-run` a file has at most 1,000 rows; larger files go to `POST /objects/imports`. The token needs the scope of the kind. */
  import(content: Content, options: WriteOptions & { objectKey: string }): Promise<ImportObjectsAnswer>
  /** Import objects of a kind in the background: `POST /api/v2/platformModel/objects/imports`. Takes a CSV file as the import does, of any number of rows, and answers as soon as it has arrived. Its rows are worked off in lots, in the order of the file: `GET /transfers/{transferID}` says how far it is. A row that fails does not affect the others; `/result` and `/failures` of the transfer say what came of each. After a crash of the server it goes on with the first row that was not written. The token needs the scope of the kind. */
  startImport(content: Content, options: WriteOptions & { objectKey: string }): Promise<TransferV2Answer>
  /** Export objects of a kind in the background: `POST /api/v2/platformModel/objects/exports`. Makes a file of every object that a search finds, in its order, with the parameters of the export, however many there are. `GET /transfers/{transferID}` says how far it is, and `/result` of the transfer is the file. It is read in lots, so it is no single moment: an object that changes meanwhile is as it was when its lot was read. The token needs the scope of the kind. */
  startExport(query: StartObjectsExport, options?: WriteOptions): Promise<TransferV2Answer>
  readonly transfers: ObjectsTransfersMethods
}

export interface ObjectsTransfersMethods {
  /** Search imports and exports: `GET /api/v2/platformModel/transfers`. Lists the imports and exports of the background that the scopes of the token allow to see, the newest first. */
  list(query?: SearchPlatformModelTransfers, options?: CallOptions): List<TransferV2Page, TransferV2>
  /** Get an import or an export: `GET /api/v2/platformModel/transfers/{transferID}`. Answers how far it is. Ask again with the ETag in `If-None-Match`: as long as nothing has happened the answer is 304. */
  retrieve(transferID: string, options?: CallOptions): Promise<TransferV2Answer>
  /** Cancel an import or an export: `POST /api/v2/platformModel/transfers/{transferID}/cancel`. Ends it after the lot that is being worked off. What was written stays. One that has ended is refused with 409, unless it was cancelled. */
  cancel(transferID: string, options?: ChangeOptions): Promise<TransferV2Answer>
  /** Download the result of an import or an export: `GET /api/v2/platformModel/transfers/{transferID}/result`. Answers the file of an export that is done; of an import that has ended, a line of JSON for each row: its `line` in the file, its `status`, and what was wrong with it. `Range` continues a download that broke off. */
  result(transferID: string, options?: CallOptions): Promise<Response>
  /** Download the rows of an import that failed: `GET /api/v2/platformModel/transfers/{transferID}/failures`. Answers the rows that failed, as they came, with the reason in columns that an import ignores: correct them there and import that file. It is empty where no row failed. */
  failures(transferID: string, options?: CallOptions): Promise<Response>
}

export interface DefinitionsMethods {
  /** List the kinds of objects: `GET /api/v2/platformModel/definitions`. Lists the built-in kinds, with what the organization added to them, and its own. A built-in kind that nobody has used or changed has no time of change. */
  list(query?: ListDefinitions, options?: CallOptions): List<DefinitionPage, Definition>
  /** Define a kind of object: `POST /api/v2/platformModel/definitions`. Makes a kind of the organization’s own. Objects of it can be made at once. It needs the role admin. */
  create(body: CreateDefinition, options?: WriteOptions): Promise<DefinitionSchema>
  /** Get the definition of a kind as JSON Schema: `GET /api/v2/platformModel/definitions/{objectKey}`. Answers a JSON Schema (2020-12) that every object of the kind fits, as it is read. What the definition says beyond that is in `$defs.definition.const`. */
  retrieve(objectKey: string, options?: CallOptions): Promise<DefinitionSchema>
  /** Change a kind of object: `PUT /api/v2/platformModel/definitions/{objectKey}`. Only what is sent applies; `fields` replaces the fields that the organization added. A field that is left out is hidden and keeps its values; it comes back with them when it is added again. A change that existing objects would not fit is refused with 409, saying how many. What was read can be sent back, changed. It needs the role admin. */
  update(objectKey: string, body: UpdateDefinition, options?: ChangeOptions): Promise<DefinitionSchema>
  /** Delete a kind of object: `DELETE /api/v2/platformModel/definitions/{objectKey}`. Deletes a kind of the organization’s own that has no objects; it is refused with 409 otherwise. It needs the role admin. */
  delete(objectKey: string, options?: ChangeOptions): Promise<void>
  /** The history of a kind of object: `GET /api/v2/platformModel/definitions/{objectKey}/history`. Lists every change, newest first: what it was, when, by whom, and what was before. Of a kind that was deleted too. A built-in kind has a history from its first change on. */
  history(objectKey: string, query?: GetDefinitionHistory, options?: CallOptions): List<HistoryPageV2, HistoryEvent>
}

export interface BoardsMethods {
  /** List boards: `GET /api/v2/platformModel/boards`. Lists the saved views of the organization, newest first: those of the kinds that the token’s scopes reach. */
  list(query?: ListBoards, options?: CallOptions): List<BoardPage, Board>
  /** Create a board: `POST /api/v2/platformModel/boards`. Makes a saved view: a kind, a filter, columns and an order, each checked against the definition as a search would be. The token needs the scope of the kind it shows. */
  create(body: CreateBoard, options?: WriteOptions): Promise<Board>
  /** Get a board: `GET /api/v2/platformModel/boards/{boardId}`. Answers one board. The token needs the scope of the kind it shows. */
  retrieve(boardId: string, options?: CallOptions): Promise<Board>
  /** Update a board: `PUT /api/v2/platformModel/boards/{boardId}`. Only what is sent applies; null clears. `If-Match` guards against overwriting another’s change. The token needs the scope of the kind it shows. */
  update(boardId: string, body: UpdateBoard, options?: ChangeOptions): Promise<Board>
  /** Delete a board: `DELETE /api/v2/platformModel/boards/{boardId}`. Deletes the board; the objects stay. The token needs the scope of the kind it shows. */
  delete(boardId: string, options?: ChangeOptions): Promise<void>
  /** The objects of a board: `GET /api/v2/platformModel/boards/{boardId}/objects`. Searches with the board’s filter, columns and order, with the exact total. It is refused with 409 when the definition has changed so that the board no longer fits it. The token needs the scope of the kind it shows. */
  objects(boardId: string, query?: ListBoardObjects, options?: CallOptions): List<PlatformObjectPage, PlatformObject>
  /** The history of a board: `GET /api/v2/platformModel/boards/{boardId}/history`. Lists every change, newest first: what it was, when, by whom, and what was before. Of one that was deleted too, by its id. The token needs the scope of the kind it shows. */
  history(boardId: string, query?: GetBoardHistory, options?: CallOptions): List<HistoryPageV2, HistoryEvent>
}
