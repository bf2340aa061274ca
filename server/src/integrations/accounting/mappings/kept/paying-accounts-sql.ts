import { type Statement, sql } from '../../../../platform/db/sql/sql.ts'

/** Paying accounts are known by their currency; mappings are of ids. */
export function idOfPayingAccount(account: Statement): Statement {
  return sql`md5('paying account ' || ${account}.currency_id)::uuid`
}
