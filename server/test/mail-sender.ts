/** A process that sends the mails of one organization: started by a test, which kills it in the middle. */

import { openDatabase } from '../src/platform/db/database.ts'
import { connect } from '../src/platform/db/pool/connect.ts'
import { mailJob } from '../src/platform/mail/delivering.ts'
import { openTransport } from '../src/platform/mail/transport.ts'
import { testTarget } from './service.ts'

const [smtpUrl = '', onlyIn = ''] = process.argv.slice(2)
const database = openDatabase(connect(testTarget(), { max: 2 }), { statementMs: 120_000, searchMs: 120_000 })
const transport = openTransport({ smtpUrl, from: '', directory: '' })
await mailJob({ database, transport, from: 'no-reply@lading.example', onlyIn }).run(new AbortController().signal)
