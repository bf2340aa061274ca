import { type Statement, sql } from '../../db/sql/sql.ts'

/** That a payee names the document as its notice of assignment, or that a change which waits would have it do so. */
export function isNotice(org: Statement, document: Statement): Statement {
  return sql`(exists (select from payees n where n.org_id = ${org} and n.notice_document_id = ${document})
    or exists (select from payee_changes n where n.org_id = ${org} and n.status = 'waiting' and n.fields ->> 'notice_document_id' = ${document}::text))`
}
