import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import { oauthApplications } from './auth/applications/routes.ts'
import { type Authority, authorizationServer } from './auth/authority.ts'
import { scopeList } from './auth/scope-routes.ts'
import { securityEvents } from './auth/security-events/routes.ts'
import { me } from './auth/users/me.ts'
import { users } from './auth/users/routes.ts'
import { rejudgeAfter } from './billing/approvals/rejudging.ts'
import { approvals } from './billing/approvals/routes.ts'
import { billItemTypes } from './billing/bill-item-types/routes.ts'
import { duplicatesRoute } from './billing/bills/duplicates/routes.ts'
import { consolidatedBills } from './billing/consolidated-bills/routes.ts'
import { currencies } from './billing/currencies/routes.ts'
import type { Kind } from './billing/documents/model/kind.ts'
import { documentRoutes } from './billing/documents/routes.ts'
import { documentKinds } from './billing/kinds.ts'
import { payTerms } from './billing/pay-terms/routes.ts'
import { paymentsOfDocuments } from './billing/payments/document-routes.ts'
import { payments } from './billing/payments/routes.ts'
import { accountingPeriods } from './billing/periods/routes.ts'
import { importOfRates } from './billing/rates/import-routes.ts'
import { exchangeRates } from './billing/rates/routes.ts'
import { settling } from './billing/settling/routes.ts'
import { taxRates } from './billing/tax-rates/routes.ts'
import { writeOffs } from './billing/write-offs/routes.ts'
import { hasSecrets } from './connectors/connections/model.ts'
import { connections } from './connectors/connections/routes.ts'
import { mappings } from './connectors/mappings/routes.ts'
import { syncs } from './connectors/syncs/routes.ts'
import { consolePage, consolePages } from './console/routes.ts'
import { RowError } from './core/rows.ts'
import Type from './core/type.ts'
import type { Database } from './db/database.ts'
import { docs } from './docs/routes.ts'
import { emanifestAcknowledgements } from './emanifests/acknowledgement-routes.ts'
import { emanifests } from './emanifests/routes.ts'
import { eventNeeds, eventNouns, nounsWithOwn, transferScopes } from './event-types.ts'
import { Event } from './events/model.ts'
import { events } from './events/routes.ts'
import { uploadFolder } from './files/folders.ts'
import { documents } from './files/routes.ts'
import { documentRules } from './files/rules/routes.ts'
import { openStorage } from './files/storage/open.ts'
import type { Storage } from './files/storage/storage.ts'
import { uploads } from './files/upload-routes.ts'
import { type Draining, health } from './health/routes.ts'
import { ok, sendAnswers } from './http/answers.ts'
import type { App } from './http/app.ts'
import { requireRights, requireScopes, requireTokens } from './http/authenticate.ts'
import { compressAnswers } from './http/compress.ts'
import { allowOrigins } from './http/cors.ts'
import { shareBulk } from './http/costs.ts'
import { offerDryRuns, tryWrites } from './http/dry-run.ts'
import {
  answerUnknown,
  guardAnswers,
  keepPrivate,
  pathOf,
  requestIdOf,
  requireOneHost,
  speakJsonOnly,
} from './http/edge.ts'
import { answerError, refuseConnection } from './http/errors.ts'
import { keepAnswers } from './http/idempotency.ts'
import { acceptJsonBodies } from './http/json-body.ts'
import { answers, describeApi } from './http/openapi.ts'
import { limitRates } from './http/rate-limit.ts'
import { compilers, readNames } from './http/validate.ts'
import type { Log } from './log.ts'
import { mails } from './mail/routes.ts'
import { type Metrics, observeRequestLog, showMetrics } from './metrics.ts'
import { rebookAfter } from './movement/bookings/switching.ts'
import { planning } from './movement/dispatch/plan-routes.ts'
import { dispatch } from './movement/dispatch/routes.ts'
import { movement } from './movement/documents/routes.ts'
import { partyStatements } from './movement/documents/statement-routes.ts'
import { extensions } from './movement/extension.ts'
import { positions } from './movement/positions/routes.ts'
import { stops } from './movement/stops/routes.ts'
import { boards } from './objects/boards/routes.ts'
import { bulkObjects } from './objects/bulk/routes.ts'
import { definitions } from './objects/definitions/routes.ts'
import { exportOfObjects, importOfObjects } from './objects/exchange/routes.ts'
import { startExportOfObjects, startImportOfObjects } from './objects/exchange/transfer-routes.ts'
import { objects } from './objects/routes.ts'
import { objectsInV1 } from './objects/v1/routes.ts'
import { organizationLogo } from './organizations/logo-routes.ts'
import { organization } from './organizations/routes.ts'
import { organizationUsage } from './organizations/usage-routes.ts'
import { paperPath } from './paper/negotiation.ts'
import { papers } from './paper/routes.ts'
import { mailConsolidatedBill, mailDocument } from './paper/sending.ts'
import { portalInvitations } from './partners/invitations/routes.ts'
import { portalLinks } from './partners/links/routes.ts'
import { portalBills } from './partners/portal/bill-routes.ts'
import { portalDocuments } from './partners/portal/document-routes.ts'
import { portalInvoices } from './partners/portal/invoice-routes.ts'
import { portalManifests } from './partners/portal/manifest-routes.ts'
import { portalSessions } from './partners/portal/session-routes.ts'
import { portalTenders } from './partners/portal/tender-routes.ts'
import { portalUploads } from './partners/portal/upload-routes.ts'
import { billQuestions } from './partners/questions/routes.ts'
import { tenders } from './partners/tenders/routes.ts'
import { carrierInvoicesByEdi } from './payables/arrivals/edi-routes.ts'
import { importOfCarrierInvoices } from './payables/arrivals/import-routes.ts'
import { ediInterchanges } from './payables/arrivals/interchange-routes.ts'
import { auditPolicies } from './payables/audit-policies/routes.ts'
import { carrierInvoicesOfBills } from './payables/carrier-invoices/bills-followed.ts'
import { carrierInvoiceDecisions } from './payables/carrier-invoices/decision-routes.ts'
import { carrierInvoices } from './payables/carrier-invoices/routes.ts'
import { auditRuns } from './payables/carrier-invoices/run-routes.ts'
import { payingAccounts } from './payouts/accounts/routes.ts'
import { hasBankDetails } from './payouts/bank-details/model.ts'
import { keepWaitAfter } from './payouts/new-approvers.ts'
import { payees } from './payouts/payees/routes.ts'
import { paymentRuns } from './payouts/runs/routes.ts'
import { references } from './references/references.ts'
import { reports } from './reports/routes.ts'
import { noteRequests, openRequestLog, type RequestLog } from './request-log/log.ts'
import { requestLogRoutes } from './request-log/routes.ts'
import type { Settings } from './settings.ts'
import { transfers } from './transfers/routes.ts'
import { openVault } from './vault/vault.ts'
import { describeWebhooks } from './webhooks/openapi.ts'
import { webhooks } from './webhooks/routes.ts'

export type Parts = {
  settings: Settings
  database: Database
  authority: Authority
  log: Log
  metrics: Metrics
  draining: Draining
  storage?: Storage
}

/** What else happens, in the same transaction, when an organization changes its settings. */
const whenSettingsChange = [rejudgeAfter, rebookAfter, keepWaitAfter]

/** What goes where documents go, by their nouns, in the same transaction. */
const following = { bill: carrierInvoicesOfBills }

type Resource = (app: App) => Promise<void>

/** The table of contents of the API: a resource is one line here, and a kind of document one in `billing/kinds.ts`. */
const v1 = (
  parts: Parts & { requestLog: RequestLog; storage: Storage },
  { authUrl, importLimit, exportLimit, transfers: limits }: Settings,
  kinds: readonly Kind[],
): Resource[] => [
  ...kinds.flatMap((kind) =>
    documentRoutes(kind, { importLimit, exportLimit, transfers: limits, sending: mailDocument, following }),
  ),
  duplicatesRoute,
  billItemTypes,
  payTerms,
  accountingPeriods,
  currencies,
  exchangeRates,
  importOfRates(importLimit),
  taxRates(kinds.map(({ lines }) => lines.plural)),
  approvals,
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
  movement,
  stops,
  positions(parts.settings),
  emanifests(parts.settings.emanifests),
  emanifestAcknowledgements,
  dispatch,
  planning,
  partyStatements,
  documents(parts.storage),
  uploads(parts.storage, uploadFolder(parts.settings)),
  documentRules,
  papers(kinds),
  carrierInvoices,
  importOfCarrierInvoices(importLimit),
  carrierInvoicesByEdi({ storage: parts.storage, folder: uploadFolder(parts.settings) }, importLimit),
  carrierInvoiceDecisions,
  auditRuns,
  ediInterchanges,
  auditPolicies,
  portalInvitations(inviting(parts.settings)),
  portalLinks(parts.settings.publicUrl),
  tenders(portalUrl(parts.settings)),
  billQuestions(portalUrl(parts.settings)),
  portalSessions({ ...parts, issuance: { issuer: authUrl, audience: parts.settings.audience } }),
  portalManifests,
  portalTenders(portalUrl(parts.settings)),
  portalBills,
  portalInvoices,
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

const v2 = ({ importLimit, exportLimit, transfers: limits }: Settings, kinds: readonly Kind[]): Resource[] => [
  objects(extensions),
  bulkObjects(extensions),
  exportOfObjects(exportLimit, extensions),
  importOfObjects(importLimit, extensions),
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
  await describeApi(app, settings, references, describeWebhooks(eventNouns(kinds)))
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
    // Longer than the minute for which common balancers keep a connection: the one that speaks next should be the one that closes.
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
  speakJsonOnly(app)
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
