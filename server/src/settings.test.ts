import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { describe, test } from 'node:test'
import { StartError } from './platform/core/start-error.ts'
import { readSettings } from './settings.ts'

describe('settings', () => {
  test('are those of a fresh installation where nothing is said', () => {
    const settings = readSettings({})
    assert.equal(settings.host, '127.0.0.1')
    assert.equal(settings.port, 8080)
    assert.equal(settings.workers, 1)
    assert.equal(settings.databaseUrl, null)
    assert.equal(settings.dataDir, resolve('./data'))
    assert.equal(settings.publicUrl, 'http://127.0.0.1:8080')
    assert.equal(settings.networkUrl, settings.publicUrl)
    assert.equal(settings.authUrl, settings.publicUrl)
    assert.equal(settings.audience, 'http://127.0.0.1:8080/')
    assert.equal(settings.logLevel, 'info')
    assert.deepEqual(settings.corsOrigins, ['*'])
    assert.equal(settings.metricsToken, null)
    assert.ok(Object.isFrozen(settings))
  })

  test('with OUTBOUND=off there is no way to others and none from them, whatever else is said', () => {
    const said = {
      ...{
        SMTP_URL: 'smtp://mail.example.com',
        MAIL_FROM: 'no-reply@example.com',
        ROUTING_URL: 'https://routes.example.com',
        EMANIFEST_DIR: '/srv/customs',
      },
      ...{ EDI_OUT_DIR: '/srv/edi', BOUNCES_DIR: '/srv/bounces', INBOX_DIR: '/srv/inbox', SMTP_LISTEN: '2525' },
    }
    const ways = ({ mail, routing, emanifests, ediOutDir, bouncesDir, inbox }: ReturnType<typeof readSettings>) => [
      ...[
        mail.smtpUrl,
        routing,
        emanifests.directory,
        emanifests.url,
        ediOutDir,
        bouncesDir,
        inbox.directory,
        inbox.listen,
      ],
    ]
    assert.equal(ways(readSettings(said)).filter((way) => way !== null).length, 7)
    const off = readSettings({ ...said, OUTBOUND: 'off' })
    assert.deepEqual([off.outbound, ways(off).filter((way) => way !== null)], ['off', []])
    assert.throws(() => readSettings({ OUTBOUND: 'no' }), /OUTBOUND="no" is none of on, off/)
  })

  test('the public address is that of the others and of the audience unless they say otherwise', () => {
    const settings = readSettings({ PUBLIC_URL: 'https://tms.example.com/', AUTH_URL: 'https://login.example.com' })
    assert.equal(settings.publicUrl, 'https://tms.example.com')
    assert.equal(settings.networkUrl, 'https://tms.example.com')
    assert.equal(settings.authUrl, 'https://login.example.com')
    assert.equal(settings.audience, 'https://tms.example.com/')
    assert.equal(readSettings({ HOST: '::1', PORT: '9' }).publicUrl, 'http://[::1]:9')
    assert.equal(readSettings({ PUBLIC_URL: 'HTTPS://TMS.Example.com' }).publicUrl, 'https://tms.example.com')
  })

  test('carrier invoices arrive in a directory and at a port where that is said, for organizations by id or name', () => {
    const id = '01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15'
    assert.deepEqual(
      [readSettings({}).bouncesDir, readSettings({ BOUNCES_DIR: '/srv/bounces' }).bouncesDir],
      [null, '/srv/bounces'],
    )
    assert.deepEqual(readSettings({}).emanifests, { directory: null, url: null, secret: null, isTest: false })
    assert.deepEqual(
      readSettings({
        EMANIFEST_URL: 'https://customs.example.com/x?y=1',
        EMANIFEST_SECRET: 'hush',
        EMANIFEST_USAGE: 'test',
      }).emanifests,
      {
        ...{ directory: null, url: 'https://customs.example.com/x?y=1', secret: 'hush', isTest: true },
      },
    )
    for (const env of [
      { EMANIFEST_DIR: '/srv/customs', EMANIFEST_URL: 'https://customs.example.com/' },
      { EMANIFEST_URL: 'ftp://customs.example.com/' },
      { EMANIFEST_URL: 'https://user:hush@customs.example.com/' },
      { EMANIFEST_SECRET: 'hush' },
      { EMANIFEST_USAGE: 'maybe' },
    ])
      assert.throws(
        () => readSettings(env),
        ({ message }: Error) => message.includes('EMANIFEST_') && !message.includes('hush'),
      )
    assert.deepEqual(
      [readSettings({}).ediOutDir, readSettings({ EDI_OUT_DIR: '/srv/out' }).ediOutDir],
      [null, '/srv/out'],
    )
    assert.deepEqual(readSettings({}).inbox, { directory: null, listen: null, names: {} })
    assert.deepEqual(
      readSettings({ INBOX_DIR: '/srv/in', SMTP_LISTEN: '0.0.0.0:25', INBOX_NAMES: `Invoices:${id}` }).inbox,
      {
        ...{ directory: '/srv/in', listen: { host: '0.0.0.0', port: 25 }, names: { invoices: id } },
      },
    )
    assert.deepEqual(readSettings({ SMTP_LISTEN: '2525' }).inbox.listen, { host: '127.0.0.1', port: 2525 })
    assert.deepEqual(readSettings({ SMTP_LISTEN: '[::1]:2525' }).inbox.listen, { host: '::1', port: 2525 })
    for (const SMTP_LISTEN of ['smtp', 'a:b:25', '1.2.3.4:70000'])
      assert.throws(() => readSettings({ SMTP_LISTEN }), /SMTP_LISTEN/)
    for (const INBOX_NAMES of ['invoices', 'a@b:1', `a:${id},A:${id}`])
      assert.throws(() => readSettings({ INBOX_NAMES }), /INBOX_NAMES/)
  })

  test('documents are in the data directory, in another one, or in a bucket with its keys', () => {
    assert.deepEqual(readSettings({ DATA_DIR: '/srv' }).documents, { kind: 'directory', path: '/srv/documents' })
    assert.deepEqual(readSettings({ DOCUMENTS_URL: 'file:///mnt/papers' }).documents, {
      kind: 'directory',
      path: '/mnt/papers',
    })
    const keys = { S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' }
    const bucket = { kind: 's3', bucket: 'papers', accessKeyId: 'id', secretAccessKey: 'secret', sessionToken: null }
    const read = (address: string) => readSettings({ DOCUMENTS_URL: address, ...keys }).documents
    assert.deepEqual(read('s3://papers/of/lading/?region=eu-central-1'), {
      ...bucket,
      prefix: 'of/lading',
      region: 'eu-central-1',
      endpoint: null,
    })
    assert.deepEqual(read('s3://papers?endpoint=http://minio:9000/'), {
      ...bucket,
      prefix: '',
      region: 'us-east-1',
      endpoint: 'http://minio:9000',
    })
  })

  test('an empty or blank value is as good as none', () => {
    assert.deepEqual(
      readSettings({ PORT: '', HOST: ' ', DATABASE_URL: '', CORS_ORIGINS: '  ', METRICS_TOKEN: '' }),
      readSettings({}),
    )
  })

  for (const [name, ...values] of [
    ['PORT', '-1', '65536', 'http', '80.5', '1e3', '0x50', '٣'],
    ['WORKERS', '0', '257', 'all'],
    ['DATABASE_POOL', '1', 'many'],
    [
      'DOCUMENTS_URL',
      '/srv/documents',
      's3:',
      's3://',
      's3://bucket?endpoint=minio',
      's3://bucket?regoin=x',
      's3://key:secret@bucket',
      's3://bucket',
    ],
    ['DATABASE_URL', 'mysql://a', 'localhost:5432', 'postgres://', 'postgres:// a'],
    [
      'PUBLIC_URL',
      'tms.example.com',
      'ftp://tms.example.com',
      'https://tms.example.com?x=1',
      'https://tms.example.com#x',
      'https:tms.example.com',
      'https://',
    ],
    ['NETWORK_URL', 'nonsense'],
    ['AUTH_URL', 'nonsense'],
    ['LOG_LEVEL', 'loud', 'INFO'],
    ['LOG_FORMAT', 'xml'],
    [
      'CORS_ORIGINS',
      'app.example.com',
      'https://app.example.com/',
      'https://app.example.com, nonsense',
      'https://app.example.com/path',
    ],
    ['RATE_LIMIT_TOKEN', '-1', 'none'],
    ['RATE_LIMIT_ORGANIZATION', '1.5'],
    ['REQUEST_TIMEOUT_MS', '99', '30s'],
    ['DRAIN_DELAY_MS', '-1'],
    ['DRAIN_TIMEOUT_MS', 'soon'],
    [
      'TRUST_PROXY',
      'true',
      'yes',
      '11',
      '-1',
      '1.5',
      '*',
      '0.0.0.0/0',
      '::/0',
      '10.0.0.0/33',
      '10.0.0.0/8/8',
      '10.0.0.0/x',
      '10.0.0',
      '1, 10.0.0.0/8',
      'proxy.example.com',
      'fe80::1%eth0',
    ],
    ['METRICS_PUBLIC', 'yes', '1'],
    ['MINIMUM_FREE_DISK_MB', '-5'],
  ] as const) {
    for (const value of values) {
      test(`${name}=${value} stops the start with one line that names it`, () => {
        const { message } = refusalOf({ [name]: value })
        assert.ok(message.startsWith(name), message)
        assert.doesNotMatch(message, /\n/)
      })
    }
  }

  test('TRUST_PROXY is a number of proxies or a list of their networks, and nobody is believed where it says nothing', () => {
    for (const [value, read] of [
      ['', 0],
      ['false', 0],
      ['0', 0],
      ['1', 1],
      ['2', 2],
      ['10.0.0.0/8', ['10.0.0.0/8']],
      ['127.0.0.1, ::1 ,fd00::/8', ['127.0.0.1', '::1', 'fd00::/8']],
    ] as const) {
      assert.deepEqual(readSettings({ TRUST_PROXY: value }).trustProxy, read)
    }
  })

  test('a value with a line break still gives one line, and a long one a short line', () => {
    assert.doesNotMatch(refusalOf({ LOG_LEVEL: 'a\nb' }).message, /\n/)
    assert.ok(refusalOf({ PORT: 'x'.repeat(10_000) }).message.length < 300)
  })

  test('neither DATABASE_URL nor a password in another address is ever repeated', () => {
    assert.doesNotMatch(refusalOf({ DATABASE_URL: 'mysql://admin:hunter2@db/lading' }).message, /hunter2|admin|mysql/)
    for (const address of ['https://admin:hunter2@tms.example.com', 'https://:hunter2@tms.example.com']) {
      assert.doesNotMatch(refusalOf({ PUBLIC_URL: address }).message, /hunter2|admin/)
    }
  })
})

function refusalOf(env: Record<string, string>): Error {
  try {
    readSettings(env)
  } catch (error) {
    assert.ok(error instanceof StartError)
    return error
  }
  return assert.fail(`${JSON.stringify(env)} was taken`)
}
