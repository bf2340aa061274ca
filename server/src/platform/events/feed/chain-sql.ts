import { sql } from '../../db/sql/sql.ts'

/**
 * The SHA-256 of all that was recorded of an event, a line for each part, as PostgreSQL writes it: the same on every server, after a backup too. No part
 * has a line break in it: in JSON it is escaped, and none of the others can have one.
 */
export const digestOfContent = sql`sha256(convert_to(concat(e.org_id, E'\\n', e.id, E'\\n', e.type, E'\\n', wire_time(e.occurred_at), E'\\n', e.actor::text, E'\\n',
  e.subject_type, E'\\n', e.subject_id, E'\\n', e.revision, E'\\n', e.data::text, E'\\n', e.previous::text, E'\\n', e.request_id), 'UTF8'))`
