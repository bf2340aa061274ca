/** What the answer of an operation is, in words, for those of which the route does not say it itself. */

type Schema = { properties?: Record<string, { type?: string | string[]; $ref?: string }>; [key: string]: unknown }
type Described = { operationId: string; path: string; method: string; status: number; schema: Schema | undefined }

/** Participles of the verbs with which operations that answer nothing begin. */
const participles: Record<string, string> = { delete: 'deleted', revoke: 'revoked', remove: 'removed', set: 'set' }

/** Words that are not written as the names of fields have them. */
const spelled: Record<string, string> = {
  oauth: 'OAuth',
  edi: 'EDI',
  emanifest: 'e-manifest',
  emanifests: 'e-manifests',
  url: 'address',
}
const names: Record<string, string> = {
  connector_org: 'connection',
  connectors_orgs: 'connections',
  request_log: 'entries of the request log',
}

/** Of answers that are no record and no list. */
const ofTheirOwn: Record<string, string> = {
  acknowledgeEmanifests: 'What customs said of each e-manifest in the file.',
  authorizeConnectorOrg:
    'The address to which a person is sent to allow the connection, and what comes back with that person.',
  checkConnectorOrg: 'Whether everything is mapped that the next run would send, and what is not.',
  convertAmount: 'The amount in the other currency, with the rate and where it is from.',
  createCarrierInvoicesByEdi: 'The new carrier invoices, with the interchanges that they came in.',
  createPortalLink: 'The new link, with its address, which is answered this once.',
  getManifestTrack: 'The positions of the manifest, a part of them, and where the next part begins.',
  getMe: 'Whom the token stands for, and what it may do.',
  getPortalMe: 'The carrier that the token is of, and of a signed link what it shows.',
  listEvents: 'The events, and where to go on.',
  listConnectorRemote: 'What the accounting system has in that list.',
  openPortalLink: 'An access token for the portal, and what it opens.',
  recordManifestPositions: 'How many positions are new, and how many were known.',
  replayAuditPolicy: 'What the policy would have said of the carrier invoices of before.',
  revealPayee: 'The bank details in full, and those that wait for an approval.',
  sendPayment: 'The mail, which is sent in the background.',
  sendCustomerStatement: 'The mail, which is sent in the background.',
  sendRemittanceAdvices: 'The payment run as it is now, and the mails that are sent in the background.',
  setConnectorMappings: 'The mappings as they are now.',
  validateEmanifest: 'Whether customs could take the e-manifest, and what is missing.',
}

export function answerInWords(described: Described): string {
  const { operationId, path, method, status, schema } = described
  const fields = Object.keys(schema?.properties ?? {})
  const [first] = fields
  if (ofTheirOwn[operationId]) return ofTheirOwn[operationId]
  if (first === undefined) return nothing(operationId)
  const has = (...wanted: string[]) => wanted.every((name) => fields.includes(name))
  if (fields.some((name) => /^dry_?run$/i.test(name)) && has('counts'))
    return 'What came of the rows of the file, and how many there are of each outcome.'
  if (has('counts', 'results')) return 'What came of each one that was sent, and how many there are of each outcome.'
  if (has('offset', 'limit', 'total')) return listed(first, path)
  if (status === 202) return `The ${nounOf(first)}, which goes on in the background.`
  if (schema?.properties?.[first]?.type === 'array') return `The ${nounOf(first)}.`
  return record(first, fields, described, method === 'get')
}

function nothing(operationId: string): string {
  const [verb = '', ...noun] = operationId.replace('OAuth', 'Oauth').split(/(?=[A-Z])/)
  const participle = participles[verb]
  const words = nounOf(noun.join('_').toLowerCase())
  return participle && words
    ? `The ${words} is ${participle}; the answer has no body.`
    : 'It is done; the answer has no body.'
}

function listed(first: string, path: string): string {
  return path.endsWith('/history')
    ? 'One page of the history, and the number of all its events.'
    : `One page of ${nounOf(first)}, and the number of all that match.`
}

/** One record, and what is answered together with it. */
function record(first: string, fields: readonly string[], { path, status, schema }: Described, reads: boolean): string {
  const noun = nounOf(first)
  const others = fields.slice(1).filter((name) => schema?.properties?.[name] !== undefined)
  const parent = others.find((name) => path.includes(`/${name}s/`))
  const lines = others.includes(`${first}_items`) ? 'lines' : others.includes('bills') ? 'bills' : null
  const also = parent
    ? `, and the ${nounOf(parent)} as it is now`
    : lines
      ? `, with its ${lines}, its pay term and its currency`
      : others.includes('moved')
        ? ', and the records whose state moved with it'
        : others.map(withOther).join('')
  if (status === 201) return `The new ${noun}${also}.`
  const isOfPath = path
    .split('/')
    .some((part) => [first, `${first}s`, first.replace(/y$/, 'ies'), first.replace('_org', 's_orgs')].includes(part))
  return `The ${noun}${reads || !isOfPath ? '' : ' as it is now'}${also}.`
}

function withOther(name: string, index: number, all: readonly string[]): string {
  return `${index === 0 ? ', with the ' : index === all.length - 1 ? ' and the ' : ', the '}${nounOf(name)}`
}

/** `billItem` and `bill_item` are a bill item. */
function nounOf(name: string): string {
  const plain = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replace(/^_/, '')
  const words = (word: string) => spelled[word] ?? word
  return names[plain] ?? plain.split('_').map(words).join(' ')
}
