import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import Type from 'typebox'
import { rejudgeAfter } from './books/approvals/rejudging.ts'
import { approvals, approvers } from './books/approvals/routes.ts'
import { approvalRules } from './books/approvals/rule-record.ts'
import { billItemTypes } from './books/bill-item-types/record.ts'
import { duplicatesRoute } from './books/bills/duplicates/routes.ts'
import { consolidatedBills } from './books/consolidated-bills/routes.ts'
import { currencies } from './books/currencies/routes.ts'
import type { Kind } from './books/documents/model/kind/kind.ts'
import { documentRoutes } from './books/documents/routes/routes.ts'
import { documentKinds } from './books/kinds/kinds.ts'
import { organization } from './books/organization/routes.ts'
import { organizationUsage } from './books/organization/usage-routes.ts'
import { payTerms } from './books/pay-terms/record.ts'
import { paymentsOfDocuments } from './books/payments/document-routes.ts'
import { payments } from './books/payments/routes.ts'
import { accountingPeriods } from './books/periods/routes.ts'
import { importOfRates } from './books/rates/import-routes.ts'
import { exchangeRates } from './books/rates/routes.ts'
import { reports } from './books/reports/routes.ts'
import { settling } from './books/settling/routes.ts'
import { taxRates } from './books/tax-rates/record.ts'
import { writeOffs } from './books/write-offs/routes.ts'
import { errorCodeNames } from './error-codes.ts'
import { billingOfFreight } from './freight/billing/routes.ts'
import { partyStatements } from './freight/billing/statement-routes.ts'
import { rebookAfter } from './freight/bookings/switching.ts'
import { planning } from './freight/dispatch/plan-routes.ts'
import { dispatch } from './freight/dispatch/routes.ts'
import { emanifestAcknowledgements } from './freight/emanifests/acknowledgement-routes.ts'
import { emanifests } from './freight/emanifests/routes.ts'
import { extensions } from './freight/extension.ts'
import { organizationLogo } from './freight/papers/logo-routes.ts'
import { paperPath } from './freight/papers/negotiation.ts'
import { papers } from './freight/papers/routes/routes.ts'
import { mailConsolidatedBill, mailDocument } from './freight/papers/sending.ts'
import { positions } from './freight/positions/routes.ts'
import { stops } from './freight/stops/routes.ts'
import { oauthApplications } from './identity/applications/routes.ts'
import { scopeList } from './identity/applications/scope-routes.ts'
import { type Authority, authorizationServer } from './identity/server/authority.ts'
import { me } from './identity/users/me.ts'
import { users } from './identity/users/routes.ts'
import { hasSecrets } from './integrations/accounting/connections/model.ts'
import { connections } from './integrations/accounting/connections/routes.ts'
import { mappings } from './integrations/accounting/mappings/routes.ts'
import { syncs } from './integrations/accounting/syncs/routes.ts'
import { eventNeeds, eventNouns, nounsWithOwn, transferScopes } from './integrations/event-types.ts'
import { portalInvitations } from './integrations/partner-portal/invitations/routes.ts'
import { portalLinks } from './integrations/partner-portal/links/routes.ts'
import { portalBills } from './integrations/partner-portal/portal/bill-routes.ts'
import { portalDocuments } from './integrations/partner-portal/portal/document-routes.ts'
import { portalInvoices } from './integrations/partner-portal/portal/invoice-routes.ts'
import { portalManifests } from './integrations/partner-portal/portal/manifest-routes.ts'
import { portalSessions } from './integrations/partner-portal/portal/session-routes.ts'
import { portalTenders } from './integrations/partner-portal/portal/tender-routes.ts'
import { portalUploads } from './integrations/partner-portal/portal/upload-routes.ts'
import { billQuestions } from './integrations/partner-portal/questions/routes.ts'
import { tenders } from './integrations/partner-portal/tenders/routes.ts'
import { payingAccounts } from './payables/accounts/routes.ts'
import { carrierInvoicesByEdi } from './payables/arrivals/edi-routes.ts'
import { importOfCarrierInvoices } from './payables/arrivals/import-routes.ts'
import { ediInterchanges } from './payables/arrivals/interchange-routes.ts'
import { auditPolicies } from './payables/audit-policies/record.ts'
import { auditReplay } from './payables/audit-policies/replay-routes.ts'
import { hasBankDetails } from './payables/bank-details/model.ts'
import { carrierInvoicesOfBills } from './payables/carrier-invoices/bills-followed.ts'
import { carrierInvoiceDecisions } from './payables/carrier-invoices/decision-routes.ts'
import { carrierInvoices } from './payables/carrier-invoices/routes.ts'
import { auditRuns } from './payables/carrier-invoices/run-routes.ts'
import { keepWaitAfter } from './payables/payees/recorded/new-approvers.ts'
import { payees } from './payables/payees/routes.ts'
import { paymentRuns } from './payables/payment-runs/routes.ts'
import { RowError } from './platform/core/schema/rows.ts'
import type { Database } from './platform/db/database.ts'
import { Event } from './platform/events/feed/model.ts'
import { events } from './platform/events/reading/routes.ts'
import { uploadFolder } from './platform/files/contents/folders.ts'
import { documents } from './platform/files/routes.ts'
import { documentRules } from './platform/files/rules/record.ts'
import { openStorage } from './platform/files/storage/open.ts'
import type { Storage } from './platform/files/storage/storage.ts'
import { uploads } from './platform/files/upload-routes.ts'
import { type DrainState, health } from './platform/health/routes.ts'
import { ok, sendAnswers } from './platform/http/answers/answers.ts'
import { compressAnswers } from './platform/http/answers/compress.ts'
import type { App } from './platform/http/edge/app.ts'
import { requireRights, requireScopes, requireTokens } from './platform/http/edge/authenticate.ts'
import { allowOrigins } from './platform/http/edge/cors.ts'
import { shareBulk } from './platform/http/edge/costs.ts'
import {
  answerJsonOnly,
  answerUnknown,
  guardAnswers,
  keepPrivate,
  pathOf,
  requestIdOf,
  requireOneHost,
} from './platform/http/edge/edge.ts'
import { answerError, refuseConnection } from './platform/http/edge/errors.ts'
import { limitRates } from './platform/http/edge/rate-limit.ts'
import { acceptJsonBodies } from './platform/http/input/json-body.ts'
import { compilers, readNames } from './platform/http/input/validate.ts'
import { answers, describeApi } from './platform/http/openapi/openapi.ts'
import { offerDryRuns, tryWrites } from './platform/http/repeating/dry-run.ts'
import { keepAnswers } from './platform/http/repeating/idempotency.ts'
import { mails } from './platform/mail/routes.ts'
import type { Log } from './platform/observe/log.ts'
import { type Metrics, observeRequestLog, showMetrics } from './platform/observe/metrics.ts'
import { references } from './platform/references/references.ts'
import { noteRequests, openRequestLog, type RequestLog } from './platform/request-log/log.ts'
import { requestLogRoutes } from './platform/request-log/routes.ts'
import { plainRoutes } from './platform/resource/routes.ts'
import { securityEvents } from './platform/security-log/routes.ts'
import { transfers } from './platform/transfers/routes.ts'
import { openVault } from './platform/vault/vault.ts'
import { describeWebhooks } from './platform/webhooks/openapi.ts'
import { webhooks } from './platform/webhooks/routes.ts'
import { boards } from './records/boards/routes.ts'
import { bulkObjects } from './records/bulk/routes.ts'
import { definitions } from './records/definitions/routes.ts'
import { exportOfObjects, importOfObjects } from './records/exchange/routes.ts'
import { startExportOfObjects, startImportOfObjects } from './records/exchange/transfer-routes.ts'
import { objects } from './records/routes.ts'
import { objectsInV1 } from './records/v1/routes.ts'
import type { Settings } from './settings.ts'
import { consolePage, consolePages } from './tools/console/routes.ts'
import { docs } from './tools/docs/routes.ts'

export type Parts = {
  settings: Settings
  database: Database
  authority: Authority
  log: Log
  metrics: Metrics
  draining: DrainState
  storage?: Storage
}

/** What else happens, in the same transaction, when an organization changes its settings. */
const whenSettingsChange = [rejudgeAfter, rebookAfter, keepWaitAfter]

/** What goes where documents go, by their nouns, in the same transaction. */
const following = { bill: carrierInvoicesOfBills }

type Resource = (app: App) => Promise<void>

/** The table of contents of the API: a resource is one line here, and a kind of document one in `books/kinds/kinds.ts`. */
const v1 = (
  parts: Parts & { requestLog: RequestLog; storage: Storage },
  { authUrl, importLimit, importRows, exportLimit, transfers: limits }: Settings,
  kinds: readonly Kind[],
): Resource[] => [
  ...kinds.flatMap((kind) =>
    documentRoutes(kind, { importLimit, importRows, exportLimit, transfers: limits, sending: mailDocument, following }),
  ),
  duplicatesRoute,
  plainRoutes(billItemTypes),
  plainRoutes(payTerms),
  accountingPeriods,
  currencies,
  exchangeRates,
  importOfRates(importLimit),
  plainRoutes(taxRates(kinds.map(({ lines }) => lines.plural))),
  approvals,
  plainRoutes(approvalRules),
  approvers,
  consolidatedBills,
  settling(mailConsolidatedBill),
  payments,
  paymentsOfDocuments,
  writeOffs,
  payees(openVault(parts.settings)),
  payingAccounts(openVault(parts.settings)),
  paymentRuns(openVault(parts.settings)),
  connections(connecting(parts.settings)),
  mappings(connecting(parts.settings)),
  syncs,
  objectsInV1(extensions),
  billingOfFreight,
  stops,
  positions(parts.settings),
  emanifests(parts.settings.emanifests),
  emanifestAcknowledgements,
  dispatch,
  planning,
  partyStatements,
  documents(parts.storage),
  uploads(parts.storage, uploadFolder(parts.settings)),
  plainRoutes(documentRules),
  papers(kinds),
  carrierInvoices,
  importOfCarrierInvoices({ bodyLimit: importLimit, most: importRows }),
  carrierInvoicesByEdi({ storage: parts.storage, folder: uploadFolder(parts.settings) }, importLimit),
  carrierInvoiceDecisions,
  auditRuns,
  ediInterchanges,
  plainRoutes(auditPolicies),
  auditReplay,
  portalInvitations(inviting(parts.settings)),
  portalLinks(parts.settings.publicUrl),
  tenders(portalUrl(parts.settings)),
  billQuestions(portalUrl(parts.settings)),
  portalSessions({ ...parts, issuance: { issuer: authUrl, audience: parts.settings.audience } }),
  portalManifests,
  portalTenders(portalUrl(parts.settings)),
  portalBills,
  portalInvoices(parts.settings.fileLimits),
  portalDocuments(parts.storage),
  portalUploads(parts.storage, uploadFolder(parts.settings)),
  transfers('v1', transferScopes(kinds)),
  reports,
  events({ ...parts, needs: eventNeeds(kinds) }),
  webhooks(parts.settings, { needs: eventNeeds(kinds), nounsOf: nounsWithOwn(kinds) }),
  mails(parts.settings),
  organization(whenSettingsChange),
  organizationLogo,
  organizationUsage(parts.settings),
  oauthApplications,
  users(inviting(parts.settings)),
  securityEvents,
  requestLogRoutes(parts.requestLog),
  me,
  scopeList,
]

const v2 = (
  { importLimit, importRows, exportLimit, transfers: limits }: Settings,
  kinds: readonly Kind[],
): Resource[] => [
  objects(extensions),
  bulkObjects(extensions),
  exportOfObjects(exportLimit, extensions),
  importOfObjects({ bodyLimit: importLimit, most: importRows }, extensions),
  startImportOfObjects(limits, extensions),
  startExportOfObjects(limits, extensions),
  transfers('v2', transferScopes(kinds)),
  definitions,
  boards(extensions),
]

/** Where the mails to carriers send them. */
function portalUrl({ publicUrl }: Settings): string {
  return `${publicUrl}/portal`
}

/** How people are invited. */
function inviting({ authUrl, mail }: Settings) {
  return { authUrl, hasMailServer: mail.smtpUrl !== null }
}

/** What requests to accounting systems need. */
function connecting(settings: Settings) {
  return {
    vault: openVault(settings),
    services: settings.connectors,
    publicUrl: settings.publicUrl,
    outbound: settings.outbound,
  }
}

export async function buildApp(parts: Parts, kinds: readonly Kind[] = documentKinds): Promise<FastifyInstance> {
  const { settings, metrics } = parts
  const app = bareApp(parts)
  const showConsole = consolePage(settings)
  const requestLog = openRequestLog(parts)
  observeRequestLog(metrics, requestLog.counts)
  app.addHook('onClose', requestLog.close)
  const served = { ...parts, requestLog, storage: parts.storage ?? openStorage(settings) }
  guardAnswers(app, parts)
  requireOneHost(app)
  allowOrigins(app, settings.corsOrigins)
  answerUnknown(app, showConsole)
  showMetrics(app, metrics, settings)
  acceptJsonBodies(app)
  offerDryRuns(app)
  readNames(app, references)
  await describeApi(app, settings, references, errorCodeNames, describeWebhooks(eventNouns(kinds)))
  await app.register(docs, settings)
  await app.register(health, parts)
  await app.register(consolePages, { ...parts, showConsole })
  await app.register(authorizationServer, parts)
  await app.register(
    (api) => apiOf(api, served, v1(served, settings, kinds), { version: '1.0.0', operationId: 'getVersion' }),
    { prefix: '/api/v1' },
  )
  await app.register(
    (api) => apiOf(api, served, v2(settings, kinds), { version: '2.0.0', operationId: 'getPlatformModelVersion' }),
    {
      prefix: '/api/v2/platformModel',
    },
  )
  return app
}

function bareApp({ settings, log, metrics }: Parts): FastifyInstance {
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    // A logger of its own for every request costs more than the one line that most requests write: lines name their request themselves.
    childLoggerFactory: (logger) => logger,
    logController: new Fastify.LogController({ disableRequestLogging: true }),
    genReqId: (request) => requestIdOf(request.headers['x-request-id']),
    bodyLimit: 2 ** 20,
    requestTimeout: settings.requestTimeoutMs,
    connectionTimeout: settings.requestTimeoutMs,
    // Of two Host or Authorization fields Node would take the first, where a proxy may have looked at the second. Joined, they are no good value.
    http: { joinDuplicateHeaders: true, requireHostHeader: false },
    // Longer than the minute for which common balancers keep a connection: whoever sends next should be the one that closes.
    keepAliveTimeout: 72_000,
    forceCloseConnections: false,
    return503OnClosing: false,
    trustProxy: trusted(settings),
    rewriteUrl: paperPath,
    // Long enough for the longest external id, percent-encoded.
    routerOptions: { maxParamLength: 4096 },
    schemaController: compilers,
    frameworkErrors: answerError,
    clientErrorHandler: refuseConnection,
  })
  app.setErrorHandler(answerError)
  app.addHook('onResponse', (request, reply, next) => {
    const { method } = request
    const { url: route } = request.routeOptions
    const { statusCode: status, elapsedTime } = reply
    metrics.observe(method, route ?? 'none', status, elapsedTime / 1000)
    // The link of an invitation or of a password reset is a secret, and its secret part of the path.
    const path = pathOf(request).replace(/^\/(invitation|password-reset)\/.*/, '/$1/[hidden]')
    const ms = Math.round(elapsedTime * 10) / 10
    log.info(
      { request_id: request.id, method, path, route, status, ms, org: request.ctx?.org, ip: request.ip },
      'answered',
    )
    next()
  })
  return app
}

/** Fastify itself believes no count of proxies, since it cannot see who called; the settings' reader decided that nobody gets past them. */
function trusted({ trustProxy }: Settings): false | string[] | ((address: string, hop: number) => boolean) {
  if (typeof trustProxy !== 'number') return [...trustProxy]
  return trustProxy > 0 && ((_address, hop) => hop < trustProxy)
}

/** The edge that every resource shares, and the resources behind it. Each hook is a step that a request takes, in this order. */
async function apiOf(
  app: FastifyInstance,
  { settings, database, authority, requestLog }: Parts & { requestLog: RequestLog },
  resources: Resource[],
  { version, operationId }: { version: string; operationId: string },
): Promise<void> {
  noteRequests(app, requestLog)
  keepPrivate(app)
  requireTokens(app, database, authority.verify)
  limitRates(app, database, settings)
  answerJsonOnly(app)
  requireScopes(app)
  requireRights(app)
  keepAnswers(app, { covers: (body) => hasBankDetails(body) || hasSecrets(body), sign: openVault(settings).sign })
  tryWrites(app)
  shareBulk(app, database)
  sendAnswers(app)
  compressAnswers(app)
  app.addSchema(Event)
  app.addSchema(RowError)
  app.get(
    '/',
    {
      config: { scope: 'none' },
      prefixTrailingSlash: 'no-slash',
      schema: {
        tags: ['Service'],
        operationId,
        summary: `The version of ${app.prefix}`,
        description: 'Answers the version of this interface. It needs no token.',
        security: [],
        response: answers({
          200: Type.Object({ version: Type.String({ description: 'The version.', examples: [version] }) }),
        }),
      },
    },
    async () => ok(JSON.stringify({ version })) as never,
  )
  for (const resource of resources) await app.register(resource as never)
}
