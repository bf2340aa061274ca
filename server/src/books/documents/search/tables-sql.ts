import { named } from '../../../platform/db/sql/sql.ts'
import { onceFor } from '../model/kind/kind.ts'

/** The names of the tables and views of a kind, as its statements have them. */
export const tablesOf = onceFor(({ noun, plural, lines }) => ({
  noun: named(noun),
  documents: named(plural),
  documentsWire: named(`${plural}_wire`),
  lineNoun: named(lines.noun),
  lines: named(lines.plural),
  linesWire: named(`${lines.plural}_wire`),
  /** The column of a line that names its document. */
  parentKey: named(lines.parentKey),
}))
