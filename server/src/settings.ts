import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { quote } from './platform/core/refusal.ts'
import { StartError } from './platform/core/start-error.ts'
import { withoutEnd } from './platform/core/values/text.ts'

export type Settings = Readonly<{
  version: string
  host: string
  port: number
  workers: number
  /** null: the embedded PostgreSQL inside `dataDir`. */
  databaseUrl: string | null
  databasePool: number
  dataDir: string
  fileLimits: FileLimits
  /** Where the contents of documents are kept. */
  documents: Readonly<DocumentsPlace>
  publicUrl: string
  networkUrl: string
  authUrl: string
  audience: string
  logLevel: (typeof logLevels)[number]
  logFormat: (typeof logFormats)[number]
  /** Origins whose pages may call the API from a browser; `*` is any, which is safe because the API reads no cookies. */
  corsOrigins: readonly string[]
  /** Requests a minute; 0 switches the limit off. */
  rateLimitToken: number
  rateLimitOrganization: number
  requestTimeoutMs: number
  searchTimeoutMs: number
  /** How many bytes a file to import may have; other bodies have at most 1 MiB. */
  importLimit: number
  /** How many rows an import does while the caller waits; 0: any number. */
  importRows: number
  /** How many rows an export answers while the caller waits; 0: any number. */
  exportLimit: number
  /** Files that are imported in the background, and for how many days imports and exports are kept after their end. */
  transfers: Readonly<{ fileBytes: number; keptDays: number; kept: Readonly<{ count: number; bytes: number }> }>
  /** From "not ready" until no new connections are taken: the time that balancers need to notice. */
  drainDelayMs: number
  drainTimeoutMs: number
  /** The longest that anyone stays signed in in a browser. */
  sessionDays: number
  securityLogDays: number
  /** For how many days requests are kept in the request log, 0: not at all; and how many of an organization in a second. */
  requestLog: Readonly<{ days: number; perSecond: number }>
  /** For how long events can be read from the feed; they stay in the histories of their records. */
  eventDays: number
  /** How many streams of events one access token, and one organization, may have open on a process. */
  eventStreams: Readonly<{ token: number; organization: number }>
  /** For how many days positions of vehicles are kept. */
  positionDays: number
  /** How many positions an organization may record in a day. */
  positionsOfDay: number
  /** The routing service that arrival times are asked of, null for none; and how long an answer may take. */
  routing: Readonly<{ url: string; timeoutMs: number }> | null
  /** Whether webhooks may go to addresses of private networks and of this machine, how many are sent in a second, and for how many days that is kept. */
  webhooks: Readonly<{ allowPrivate: boolean; perSecond: number; deliveryDays: number }>
  /** The mail server, null for none: then mails are kept in the directory. `from` is the address that they come from. */
  mail: Readonly<{ smtpUrl: string | null; from: string; directory: string }>
  /** Where acknowledgements of EDI are put, as files; null for nowhere. */
  ediOutDir: string | null
  /** Where reports of mails that came back are put, as files; null for nowhere. */
  bouncesDir: string | null
  /**
   * Where carrier invoices arrive: a directory with a folder for each organization, and a port that takes mail; null for none. `names` are those that
   * organizations have there besides their ids.
   */
  inbox: Readonly<{
    directory: string | null
    listen: Readonly<{ host: string; port: number }> | null
    names: Readonly<Record<string, string>>
  }>
  /**
   * The way to customs: a directory, or an address with a secret; null for none. `isTest` marks the interchanges as those of a test.
   */
  emanifests: Readonly<{ directory: string | null; url: string | null; secret: string | null; isTest: boolean }>
  /** Whose X-Forwarded-For is believed: that of so many proxies, or of proxies in these networks. 0: nobody's. */
  trustProxy: number | readonly string[]
  /** Encrypt the bank details of payees: the first encrypts, all decrypt. None: a file in `dataDir`. */
  bankDetailsKeys: readonly Readonly<{ id: string; key: string }>[]
  /**
   * Accounting systems by the ids of their connectors: another address than their own, for a proxy, and the application that this server has there.
   */
  connectors: Readonly<
    Record<string, Readonly<{ url: string | null; clientId: string | null; clientSecret: string | null }>>
  >
  metricsToken: string | null
  /** Whether anyone may read the metrics. */
  metricsPublic: boolean
  minimumFreeDiskMb: number
  /**
   * `off`: a copy that nobody outside is to hear from. Nothing is sent, and nothing is taken from directories and mailboxes that the server it is a copy of
   * may watch as well; what is to be sent waits.
   */
  outbound: 'on' | 'off'
  /** null: no backups but those of `lading backup`. */
  backups: Readonly<{ directory: string; everyHours: number; keep: number }> | null
}>

export type DocumentsPlace =
  | { kind: 'directory'; path: string }
  | {
      kind: 's3'
      bucket: string
      prefix: string
      region: string
      endpoint: string | null
      accessKeyId: string
      secretAccessKey: string
      sessionToken: string | null
    }

export type Limit = Readonly<{ files: number; bytes: number }>
/** How many files are kept, and how many bytes: of an organization, of those that a carrier has sent to it, and with a signed link. */
export type FileLimits = Readonly<{ organization: Limit; carrier: Limit; link: Limit }>

export type Environment = Record<string, string | undefined>

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
const logFormats = ['json', 'pretty'] as const

/** The only reader of the environment. */
export function readSettings(env: Environment = process.env): Settings {
  const port = whole(env, 'PORT', 8080, 0, 65535)
  const host = text(env, 'HOST') ?? '127.0.0.1'
  const dataDir = resolve(text(env, 'DATA_DIR') ?? './data')
  const outbound = oneOf(env, 'OUTBOUND', ['on', 'off'], 'on')
  const publicUrl = origin(env, 'PUBLIC_URL') ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  const settings: Settings = {
    version: packageVersion(),
    host,
    port,
    workers: whole(env, 'WORKERS', 1, 1, 256),
    databaseUrl: databaseUrl(env),
    databasePool: whole(env, 'DATABASE_POOL', 16, 2, 1000),
    dataDir,
    documents: Object.freeze(documentsPlace(env, dataDir)),
    fileLimits: Object.freeze({
      organization: fileLimit(env, 'FILE_LIMIT_ORGANIZATION', 1_000_000, 102_400),
      carrier: fileLimit(env, 'FILE_LIMIT_CARRIER', 20_000, 20_480),
      link: fileLimit(env, 'FILE_LIMIT_LINK', 50, 250),
    }),
    publicUrl,
    networkUrl: origin(env, 'NETWORK_URL') ?? publicUrl,
    authUrl: origin(env, 'AUTH_URL') ?? publicUrl,
    audience: text(env, 'AUDIENCE') ?? `${publicUrl}/`,
    logLevel: oneOf(env, 'LOG_LEVEL', logLevels, 'info'),
    logFormat: oneOf(env, 'LOG_FORMAT', logFormats, process.stdout.isTTY ? 'pretty' : 'json'),
    corsOrigins: origins(env, 'CORS_ORIGINS') ?? ['*'],
    rateLimitToken: whole(env, 'RATE_LIMIT_TOKEN', 6_000, 0, 1_000_000_000),
    rateLimitOrganization: whole(env, 'RATE_LIMIT_ORGANIZATION', 30_000, 0, 1_000_000_000),
    requestTimeoutMs: whole(env, 'REQUEST_TIMEOUT_MS', 30_000, 100, 3_600_000),
    searchTimeoutMs: whole(env, 'SEARCH_TIMEOUT_MS', 5_000, 100, 600_000),
    importLimit: whole(env, 'IMPORT_LIMIT_MB', 10, 1, 1_000) * 2 ** 20,
    importRows: whole(env, 'IMPORT_LIMIT_ROWS', 5_000, 0, 1_000_000_000),
    exportLimit: whole(env, 'EXPORT_LIMIT_ROWS', 10_000, 0, 1_000_000_000),
    transfers: Object.freeze({
      fileBytes: whole(env, 'TRANSFER_LIMIT_MB', 200, 1, 10_000) * 2 ** 20,
      keptDays: whole(env, 'TRANSFER_DAYS', 7, 1, 3650),
      kept: Object.freeze({
        count: whole(env, 'TRANSFER_KEPT', 500, 1, 1_000_000),
        bytes: whole(env, 'TRANSFER_KEPT_MB', 10_240, 1, 1_000_000_000) * 2 ** 20,
      }),
    }),
    drainDelayMs: whole(env, 'DRAIN_DELAY_MS', 0, 0, 600_000),
    drainTimeoutMs: whole(env, 'DRAIN_TIMEOUT_MS', 10_000, 0, 600_000),
    sessionDays: whole(env, 'SESSION_DAYS', 30, 1, 3650),
    eventStreams: Object.freeze({
      token: whole(env, 'EVENT_STREAMS_TOKEN', 200, 1, 100_000),
      organization: whole(env, 'EVENT_STREAMS_ORGANIZATION', 1_200, 1, 100_000),
    }),
    eventDays: whole(env, 'EVENT_DAYS', 90, 1, 3650),
    securityLogDays: whole(env, 'SECURITY_LOG_DAYS', 400, 1, 3650),
    requestLog: Object.freeze({
      days: whole(env, 'REQUEST_LOG_DAYS', 7, 0, 3650),
      perSecond: whole(env, 'REQUEST_LOG_RATE', 50, 1, 100_000),
    }),
    positionDays: whole(env, 'POSITION_DAYS', 400, 1, 3650),
    positionsOfDay: whole(env, 'POSITION_LIMIT_DAY', 1_000_000, 1, 1_000_000_000),
    routing: routing(env),
    webhooks: Object.freeze({
      allowPrivate: oneOf(env, 'WEBHOOK_ALLOW_PRIVATE', ['true', 'false'], 'false') === 'true',
      perSecond: whole(env, 'WEBHOOK_RATE', 600, 1, 100_000),
      deliveryDays: whole(env, 'WEBHOOK_DELIVERY_DAYS', 30, 2, 3650),
    }),
    mail: mail(env, publicUrl),
    bouncesDir: directoryOrNone(env, 'BOUNCES_DIR'),
    ediOutDir: directoryOrNone(env, 'EDI_OUT_DIR'),
    inbox: inbox(env),
    emanifests: emanifests(env),
    trustProxy: proxies(env, 'TRUST_PROXY'),
    bankDetailsKeys: bankDetailsKeys(env, 'BANK_DETAILS_KEYS'),
    connectors: Object.freeze({ quickbooks_online: service(env, 'QUICKBOOKS'), xero: service(env, 'XERO') }),
    metricsToken: text(env, 'METRICS_TOKEN') ?? null,
    metricsPublic: oneOf(env, 'METRICS_PUBLIC', ['true', 'false'], 'false') === 'true',
    minimumFreeDiskMb: whole(env, 'MINIMUM_FREE_DISK_MB', 100, 0, 1_000_000_000),
    outbound,
    backups: backups(env),
  }
  return Object.freeze(outbound === 'off' ? withoutOthers(settings) : settings)
}

/** Without the ways to and from others. Mails, webhooks and accounting systems are those of organizations: their jobs look at `outbound`. */
function withoutOthers(settings: Settings): Settings {
  const { mail, inbox, emanifests } = settings
  return {
    ...settings,
    mail: Object.freeze({ ...mail, smtpUrl: null }),
    inbox: Object.freeze({ ...inbox, directory: null, listen: null }),
    emanifests: Object.freeze({ ...emanifests, directory: null, url: null, secret: null }),
    ...{ routing: null, ediOutDir: null, bouncesDir: null },
  }
}

/** A service with the interface of OSRM. */
function routing(env: Environment): Settings['routing'] {
  const timeoutMs = whole(env, 'ROUTING_TIMEOUT_MS', 3_000, 100, 60_000)
  const url = origin(env, 'ROUTING_URL')
  return url === undefined ? null : Object.freeze({ url, timeoutMs })
}

function backups(env: Environment): Settings['backups'] {
  const everyHours = whole(env, 'BACKUP_EVERY_HOURS', 24, 1, 8760)
  const keep = whole(env, 'BACKUP_KEEP', 7, 1, 10_000)
  const directory = text(env, 'BACKUP_DIR')
  return directory === undefined ? null : { directory: resolve(directory), everyHours, keep }
}

/** A directory unless an address says otherwise. It carries no keys: addresses end up in logs and on screens. */
function documentsPlace(env: Environment, dataDir: string): DocumentsPlace {
  const value = text(env, 'DOCUMENTS_URL')
  if (value === undefined) return { kind: 'directory', path: join(dataDir, 'documents') }
  const url = URL.parse(value)
  if (url?.protocol === 'file:' && url.host === '') return { kind: 'directory', path: fileURLToPath(url) }
  const unknown = [...(url?.searchParams.keys() ?? [])].filter((name) => name !== 'endpoint' && name !== 'region')
  if (url?.protocol !== 's3:' || url.host === '' || url.username !== '' || unknown.length > 0) {
    throw new StartError(
      `DOCUMENTS_URL=${quote(value)} is neither file:///a/directory nor of the form s3://bucket/prefix?region=us-east-1&endpoint=https://minio.example.com.`,
    )
  }
  const endpoint = url.searchParams.get('endpoint')
  if (endpoint !== null && !/^https?:\/\/[^/?#]+\/?$/.test(endpoint))
    throw new StartError(
      `DOCUMENTS_URL: the endpoint ${quote(endpoint)} is not an address such as https://minio.example.com.`,
    )
  const accessKeyId = text(env, 'S3_ACCESS_KEY_ID')
  const secretAccessKey = text(env, 'S3_SECRET_ACCESS_KEY')
  if (!accessKeyId || !secretAccessKey)
    throw new StartError('DOCUMENTS_URL names a bucket, so S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set.')
  return {
    kind: 's3',
    bucket: url.host,
    prefix: withoutEnd(decodeURIComponent(url.pathname).replace(/^\/+/, ''), '/'),
    region: url.searchParams.get('region') ?? 'us-east-1',
    endpoint: endpoint?.replace(/\/$/, '') ?? null,
    accessKeyId,
    secretAccessKey,
    sessionToken: text(env, 'S3_SESSION_TOKEN') ?? null,
  }
}

/** The address of the mail server may carry a password, so no message repeats it. */
function mail(env: Environment, publicUrl: string): Settings['mail'] {
  const smtpUrl = text(env, 'SMTP_URL') ?? null
  if (smtpUrl !== null && (!/^smtps?:\/\/[^\s]+$/.test(smtpUrl) || !URL.canParse(smtpUrl)))
    throw new StartError(
      'SMTP_URL is not of the form smtp://user:password@host:587 (smtps:// where the connection is encrypted from the start).',
    )
  const from = text(env, 'MAIL_FROM')
  if (smtpUrl !== null && from === undefined)
    throw new StartError('MAIL_FROM is missing: with SMTP_URL, say from which address mails come.')
  if (from !== undefined && !/^[^\s@<>,;:"]+@[^\s@<>,;:"]+$/.test(from))
    throw new StartError(`MAIL_FROM=${quote(from)} is not an e-mail address such as no-reply@tms.example.com.`)
  const directory = join(resolve(text(env, 'DATA_DIR') ?? './data'), 'mail')
  const { hostname } = new URL(publicUrl)
  return Object.freeze({
    smtpUrl,
    from: from ?? `no-reply@${/[a-z]/.test(hostname) ? hostname : 'localhost'}`,
    directory,
  })
}

function directoryOrNone(env: Environment, name: string): string | null {
  const path = text(env, name)
  return path === undefined ? null : resolve(path)
}

/** The address may be that of a service whose path is a secret, so no message repeats it. */
function emanifests(env: Environment): Settings['emanifests'] {
  const [directory, url, secret] = [
    directoryOrNone(env, 'EMANIFEST_DIR'),
    text(env, 'EMANIFEST_URL') ?? null,
    text(env, 'EMANIFEST_SECRET') ?? null,
  ]
  if (directory !== null && url !== null)
    throw new StartError('EMANIFEST_DIR and EMANIFEST_URL are both set: e-manifests go one way.')
  if (
    url !== null &&
    (!/^https?:\/\//i.test(url) || !URL.canParse(url) || new URL(url).username !== '' || new URL(url).hash !== '')
  )
    throw new StartError(
      'EMANIFEST_URL is not an http(s) address such as https://customs.example.com/interchanges, without a user name.',
    )
  if (secret !== null && url === null)
    throw new StartError('EMANIFEST_SECRET is set and EMANIFEST_URL is not: there is nobody to show it to.')
  return Object.freeze({
    directory,
    url,
    secret,
    isTest: oneOf(env, 'EMANIFEST_USAGE', ['production', 'test'], 'production') === 'test',
  })
}

function inbox(env: Environment): Settings['inbox'] {
  const listen = text(env, 'SMTP_LISTEN')
  const [, host, v6, port] = /^(?:([^\s:[\]]+):|\[([0-9a-fA-F:]+)\]:)?(\d{1,5})$/.exec(listen ?? '') ?? []
  if (listen !== undefined && (port === undefined || Number(port) > 65535))
    throw new StartError(`SMTP_LISTEN=${quote(listen)} is not of the form host:port, such as 0.0.0.0:2525.`)
  return Object.freeze({
    directory: directoryOrNone(env, 'INBOX_DIR'),
    listen: port === undefined ? null : Object.freeze({ host: host ?? v6 ?? '127.0.0.1', port: Number(port) }),
    names: Object.freeze(inboxNames(env, 'INBOX_NAMES')),
  })
}

/** `invoices:01932b5e-…`: the names come first in addresses, so they are what can stand there. */
function inboxNames(env: Environment, name: string): Record<string, string> {
  const names: Record<string, string> = {}
  for (const item of list(env, name) ?? []) {
    const [, inbox, org] =
      /^([A-Za-z0-9][A-Za-z0-9._-]{0,62}):([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$/.exec(item) ?? []
    if (!inbox || !org)
      throw new StartError(`${name}: ${quote(item)} is not of the form name:id, the id that of an organization.`)
    if (Object.hasOwn(names, inbox.toLowerCase())) throw new StartError(`${name} has the name ${quote(inbox)} twice.`)
    names[inbox.toLowerCase()] = org.toLowerCase()
  }
  return names
}

function service(env: Environment, prefix: string): Settings['connectors'][string] {
  const [clientId, clientSecret] = [
    text(env, `${prefix}_CLIENT_ID`) ?? null,
    text(env, `${prefix}_CLIENT_SECRET`) ?? null,
  ]
  if ((clientId === null) !== (clientSecret === null))
    throw new StartError(`${prefix}_CLIENT_ID and ${prefix}_CLIENT_SECRET come together; one of them is missing.`)
  return Object.freeze({ url: origin(env, `${prefix}_URL`) ?? null, clientId, clientSecret })
}

/** No message repeats any part of a key. */
function bankDetailsKeys(env: Environment, name: string): { id: string; key: string }[] {
  const keys = (list(env, name) ?? []).map((item, index) => {
    const [, id, key] = /^([\w-]{1,32}):([A-Za-z0-9+/]{43}=)$/.exec(item) ?? []
    if (!id || !key)
      throw new StartError(
        `${name}: key ${index + 1} is not of the form id:key, the key 32 bytes in base64 (openssl rand -base64 32).`,
      )
    return { id, key }
  })
  if (new Set(keys.map(({ id }) => id)).size < keys.length) throw new StartError(`${name} has two keys of the same id.`)
  return keys
}

function text(env: Environment, name: string): string | undefined {
  const value = env[name]?.trim()
  return value === '' ? undefined : value
}

function list(env: Environment, name: string): string[] | undefined {
  return text(env, name)
    ?.split(',')
    .map((item) => item.trim())
    .filter(Boolean)
}

function fileLimit(env: Environment, name: string, files: number, megabytes: number): Limit {
  return Object.freeze({
    files: whole(env, name, files, 1, 1_000_000_000),
    bytes: whole(env, `${name}_MB`, megabytes, 1, 1_000_000_000) * 2 ** 20,
  })
}

function whole(env: Environment, name: string, standard: number, least: number, most: number): number {
  const value = text(env, name)
  if (value === undefined) return standard
  const number = Number(value)
  if (!/^\d+$/.test(value) || number < least || number > most) {
    throw new StartError(`${name}=${quote(value)} is not a whole number from ${least} to ${most}.`)
  }
  return number
}

function oneOf<const T extends readonly string[]>(
  env: Environment,
  name: string,
  allowed: T,
  standard: T[number],
): T[number] {
  const value = text(env, name)
  if (value === undefined) return standard
  if (!allowed.includes(value)) throw new StartError(`${name}=${quote(value)} is none of ${allowed.join(', ')}.`)
  return value
}

function origin(env: Environment, name: string): string | undefined {
  const value = text(env, name)
  if (value === undefined) return undefined
  const url = URL.parse(value)
  if (url?.username || url?.password)
    throw new StartError(`${name} carries a user name or password; an address that is shown to everyone must not.`)
  if (!url || !/^https?:\/\//i.test(value) || /[?#]/.test(value)) {
    throw new StartError(`${name}=${quote(value)} is not an http(s) address such as https://tms.example.com.`)
  }
  return withoutEnd(url.href, '/')
}

/** Browsers send an origin in exactly one form; one written otherwise would silently never match. */
function origins(env: Environment, name: string): string[] | undefined {
  const values = list(env, name)
  const wrong = values?.find((value) => value !== '*' && URL.parse(value)?.origin !== value)
  if (wrong !== undefined)
    throw new StartError(`${name}: ${quote(wrong)} is neither * nor an origin such as https://app.example.com.`)
  return values
}

const mostProxies = 10

/** Not `true`: whoever believes every address in X-Forwarded-For believes the first one, which the caller wrote. */
function proxies(env: Environment, name: string): number | string[] {
  const value = text(env, name)
  if (value === undefined || value === 'false') return 0
  if (/^\d+$/.test(value)) return whole(env, name, 0, 0, mostProxies)
  const networks = list(env, name) ?? []
  if (networks.length > 0 && networks.every(isNetwork)) return networks
  throw new StartError(
    `${name}=${quote(value)} is neither the number of proxies in front of Lading (1 to ${mostProxies}) nor a list of their networks such as 10.0.0.0/8,::1.`,
  )
}

/** An address, or a network that leaves something out: one of all addresses would again believe what the caller wrote. */
function isNetwork(value: string): boolean {
  const [address = '', bits, ...rest] = value.split('/')
  const version = isIP(address)
  if (version === 0 || address.includes('%') || rest.length > 0) return false
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

/** Checked here as far as it can be without connecting. The value may carry a password, so no message repeats it. */
function databaseUrl(env: Environment): string | null {
  const value = text(env, 'DATABASE_URL')
  if (value === undefined) return null
  if (!/^postgres(ql)?:\/\/[^\s]+$/.test(value)) {
    throw new StartError(
      'DATABASE_URL is not of the form postgres://user:password@host:5432/database (several hosts: host1:5432,host2:5432).',
    )
  }
  return value
}

function packageVersion(): string {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version
}
