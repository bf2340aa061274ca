import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedService } from '../test/service.ts'
import { openClient } from './integrations/accounting/connections/tokens.ts'
import { jobsOf } from './jobs.ts'
import { readSettings } from './settings.ts'

const ways = {
  ...{
    SMTP_URL: 'smtp://mail.example.com',
    MAIL_FROM: 'no-reply@example.com',
    ROUTING_URL: 'https://routes.example.com',
    EMANIFEST_DIR: '/srv/customs',
  },
  ...{ EDI_OUT_DIR: '/srv/edi', BOUNCES_DIR: '/srv/bounces', INBOX_DIR: '/srv/inbox' },
  ...{ DOCUMENTS_URL: 's3://bucket/documents', S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' },
}

test('with OUTBOUND=off no job sends to others, takes what others sent, or deletes files of a bucket that another server may need', async () => {
  const { database } = await sharedService()
  const named = (OUTBOUND: string) => jobsOf(database, readSettings({ ...ways, OUTBOUND })).map(({ name }) => name)
  const off = named('off')
  assert.deepEqual(
    named('on')
      .filter((name) => !off.includes(name))
      .sort(),
    [
      'ask the routing service about manifests that are under way',
      'delete documents that nothing holds',
      'deliver webhooks',
      'file e-manifests, and take what customs answers',
      'send mails',
      'sync with accounting systems',
      'take carrier invoices from the inbox directory',
      'take reports of mails that came back',
      'write acknowledgements of EDI to the outgoing directory',
    ],
  )
})

test('with OUTBOUND=off a request that would ask something of an accounting system is refused', () => {
  const connection = { connector_id: 'xero', status: 'connected', remote_id: 'one' } as never
  assert.throws(() => openClient({} as never, { outbound: 'off' } as never, connection), { code: 'outbound_off' })
})
