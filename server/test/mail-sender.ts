/** A process that sends the mails of one organization: started by a test, which kills it in the middle. */
import { connect } from '../src/db/connect.ts'
import { openDatabase } from '../src/db/database.ts'
import { mailing } from '../src/mail/delivering.ts'
import { openTransport } from '../src/mail/transport.ts'
import { testTarget } from './service.ts'

const [smtpUrl = '', onlyIn = ''] = process.argv.slice(2)
const database = openDatabase(connect(testTarget(), { max: 2 }), { statementMs: 120_000, searchMs: 120_000 })
const transport = openTransport({ smtpUrl, from: '', directory: '' })
await mailing({ database, transport, from: 'no-reply@lading.example', onlyIn }).run(new AbortController().signal)
