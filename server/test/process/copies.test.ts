import assert from 'node:assert/strict'
import { copyFileSync, globSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { deepTest } from '../depth.ts'
import { call, lading, newDataDir, startLading, usedDataDir } from './lading.ts'

deepTest(
  'a backup without a file is made all the same, and a copy of it starts with its keys and sends nothing',
  async (t) => {
    const DATA_DIR = newDataDir(t, await usedDataDir(t))
    const [lost = '', damaged = ''] = globSync('documents/*/*/*', { cwd: DATA_DIR })
    rmSync(join(DATA_DIR, lost))
    writeFileSync(join(DATA_DIR, damaged), 'something else')
    const tar = `${DATA_DIR}.tar`

    const backup = await lading(['backup', tar], { DATA_DIR })
    assert.equal(backup.code, 1, backup.stderr)
    assert.match(backup.stdout, /^Saved \d+ rows .* and read them back\.$/m)
    assert.match(
      backup.stdout,
      new RegExp(`^2 files of documents could not be read .*/${basename(lost)} \\(missing\\).*`, 'm'),
    )
    assert.match(backup.stdout, new RegExp(`/${basename(damaged)} \\(damaged\\)`))
    assert.match(
      backup.stdout,
      /the keys \([0-9a-f]{12}\) are not\. Save the file \S+\/bank-details\.keys apart from it/,
    )

    const copy = newDataDir(t)
    const restored = await lading(['restore', tar], { DATA_DIR: copy })
    assert.equal(restored.code, 0, restored.stderr)
    assert.match(restored.stdout, /2 files of documents could not be read/)
    assert.match(
      restored.stdout,
      /encrypted with keys that are not here \([0-9a-f]{12}\)\. Put the file bank-details\.keys/,
    )
    assert.match(restored.stdout, /OUTBOUND=off/)

    const refused = await startLading(t, copy).ended
    assert.equal(refused.code, 1)
    assert.match(
      refused.stderr,
      /^lading: Bank details or secrets of connections are encrypted with keys that are not here [^\n]+\n$/,
    )
    const rotated = await lading(['rotate-bank-keys', '--new-key'], { DATA_DIR: copy })
    assert.match(rotated.stderr, /keys that are not here .* Nothing was encrypted anew/)
    assert.deepEqual(globSync('bank-details.keys*', { cwd: copy }), [])

    copyFileSync(join(DATA_DIR, 'bank-details.keys'), join(copy, 'bank-details.keys'))
    const quiet = startLading(t, copy, {
      OUTBOUND: 'off',
      SMTP_URL: 'smtp://127.0.0.1:9',
      MAIL_FROM: 'no-reply@example.com',
    })
    const ready = JSON.parse((await call(`${await quiet.ready()}/health/ready`)).body)
    assert.deepEqual([ready.status, ready.outbound], ['ready', 'off'])
    assert.match(quiet.said(), /OUTBOUND=off: nothing is sent\./)
    quiet.kill('SIGTERM')
    assert.equal((await quiet.ended).code, 0)
  },
)
