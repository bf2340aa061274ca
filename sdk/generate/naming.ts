/** What the method of an operation is called: the resource comes from its path, the verb from its id. */
import type { Operation } from './description.ts'

/** `['bills', 'items', 'add']` is `lading.bills.items.add(…)`. */
export type MethodName = string[]

/** Paths whose resource has another name than they. */
const places: Record<string, string> = {
  '/api/v1/connectors_orgs': 'connections',
  '/api/v2/platformModel/transfers': 'objects/transfers',
}

/** Ends of paths that are nouns, for what is done there. */
const verbs: Record<string, string> = { imports: 'startImport', exports: 'startExport', order: 'reorder' }

/** What the rules would not name as a person would. */
const exceptions: Record<string, string> = {
  acknowledgeEmanifests: 'emanifests.acknowledge',
  allocatePayment: 'payments.allocations.add',
  approveBills: 'bills.approveMany',
  askAboutPortalBill: 'portal.bills.questions.ask',
  createCarrierInvoicesByEdi: 'carrierInvoices.importEdi',
  getObjectByExternalId: 'objects.retrieveByExternalId',
  getPaymentRunFile: 'paymentRuns.file',
  getPlatformModelVersion: 'versions.v2',
  getPortalQuestions: 'portal.bills.questions.list',
  getScopes: 'scopes.list',
  getVersion: 'versions.v1',
  listConnectorRemote: 'connections.remote',
  openPortalLink: 'portal.openLink',
  planOrders: 'dispatch.manifests.planOrders',
  putOrdersOnManifest: 'manifests.orders.add',
  recordManifestPositions: 'manifests.recordPositions',
  sendPortalInvoiceDocument: 'portal.carrierInvoices.documents.send',
  startCarrierInvoiceAudit: 'carrierInvoices.startAudit',
  streamEvents: 'events.follow',
  takeOrderOffManifest: 'manifests.orders.remove',
}

/**
 * A path that ends in an id is about one record, and one with others behind it or with several methods about a list of them: there the verb is said.
 * Any other end of a path is an action, or something that a record has, and says it all: `lading.bills.pay(…)`, `lading.bills.history(…)`.
 */
export function methodName({ id, method, path }: Operation, all: readonly Operation[]): MethodName {
  if (exceptions[id]) return exceptions[id].split('.')
  const parts = placeOf(path).split('/')
  const statics = parts.filter((part) => !isParameter(part))
  const end = parts.at(-1) as string
  if (isParameter(end)) return [...statics, method === 'GET' ? 'retrieve' : verbOf(id)].map(camel)
  const isResource =
    parts.length === 1 ||
    all.some((other) => other.path.startsWith(`${path}/`) || (other.path === path && other.method !== method))
  if (!isResource) return [...statics.slice(0, -1), verbs[end] ?? end].map(camel)
  return [...statics, method !== 'GET' ? verbOf(id) : /^(search|list)/.test(id) ? 'list' : 'retrieve'].map(camel)
}

function placeOf(path: string): string {
  const place = Object.keys(places).find((start) => `${path}/`.startsWith(`${start}/`))
  if (place) return path.replace(place, places[place] as string)
  return path.replace(/^\/api\/(v1|v2\/platformModel)\//, '')
}

/** The first word: `add` of `addBillItem`. */
function verbOf(id: string): string {
  return /^[a-z]+/.exec(id)?.[0] ?? id
}

function isParameter(part: string): boolean {
  return part.startsWith('{')
}

function camel(part: string): string {
  return part.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}
