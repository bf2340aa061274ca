/** What a migration may do, so that the servers before it serve next to the servers after it, and nobody waits (docs/decisions/operating.md). */
import { contractionOf } from '../src/platform/db/schema/migrations.ts'

/** A piece of a migration: a statement, one of the actions of an `alter table`, or the body of a `do` block. */
type Piece = { of: 'statement' | 'action' | 'block'; text: string }
/** `breaks`: older code may fail on it. `locks`: others may have to wait for as long as it takes. */
type Rule = { of: Piece['of']; at: RegExp; breaks?: string; locks?: string }

const concurrently = 'make it concurrently, in a migration whose first line is "-- outside of a transaction"'
const inLots = 'fill it in a migration whose first line is "-- in lots for each organization"'
const notValid =
  'the whole table is read: add the constraint by itself, "not valid", and validate it outside of a transaction'

const rules: Rule[] = [
  { of: 'statement', at: /^drop\b/, breaks: 'older code may use it' },
  { of: 'statement', at: /^(?:delete|truncate)\b/, breaks: 'older code may read these rows' },
  { of: 'statement', at: /^revoke\b/, breaks: 'older code may need this right' },
  { of: 'statement', at: /^alter (?!table\b).*\brename\b/, breaks: 'older code knows the old name only' },
  { of: 'statement', at: /^alter domain\b/, breaks: 'older code may write what it no longer allows' },
  { of: 'statement', at: /^create (?:unique )?index (?!concurrently\b)/, locks: concurrently },
  { of: 'statement', at: /^(?:update|delete|merge)\b/, locks: inLots },
  { of: 'statement', at: /^insert\b.*\bselect\b/, locks: inLots },
  { of: 'statement', at: /^(?:lock|cluster|vacuum|reindex|refresh)\b/, locks: 'others wait for as long as it takes' },

  { of: 'action', at: /^drop\b/, breaks: 'older code may use it' },
  { of: 'action', at: /^rename\b/, breaks: 'older code knows the old name only' },
  { of: 'action', at: /^set schema\b/, breaks: 'older code does not find it there' },
  {
    of: 'action',
    at: /^alter .*\btype\b/,
    breaks: 'older code knows the old type only',
    locks: 'the whole table may be rewritten',
  },
  {
    of: 'action',
    at: /^alter .*\bset not null\b/,
    breaks: 'older code may write null',
    locks: 'the whole table is read',
  },
  { of: 'action', at: /^alter .*\bdrop (?:default|expression|identity)\b/, breaks: 'older code may not write a value' },
  {
    of: 'action',
    at: /^add (?!constraint\b)(?!.*\b(?:default|generated)\b).*\bnot null\b/,
    breaks: 'older code writes no value: give it a default',
  },
  {
    of: 'action',
    at: /^add (?:constraint|check|unique|primary|foreign|exclude)\b(?!.*\b(?:not valid|using index)\b)/,
    locks: notValid,
  },
  {
    of: 'action',
    at: /^add (?!constraint\b|check\b|unique\b|primary\b|foreign\b|exclude\b).*\b(?:check|references|unique|primary key)\b/,
    locks: notValid,
  },
  { of: 'action', at: /^add (?!constraint\b).*\bgenerated\b/, locks: 'the whole table is rewritten' },
  {
    of: 'action',
    at: /^add .*\bdefault (?!now\(|statement_timestamp\()\w+\(/,
    locks: 'the whole table is rewritten where each row gets a value of its own',
  },

  {
    of: 'block',
    at: /\b(?:drop|rename|revoke|truncate|delete)\b|\bset not null\b/,
    breaks: 'older code may need what it takes away',
  },
  { of: 'block', at: /\b(?:update|insert|delete|lock table)\b|\bcreate (?:unique )?index\b/, locks: inLots },
]

/** What is wrong with a migration, in words; nothing where it keeps to the rules or says why it may break one. */
export function faultsOf(name: string, text: string, names: readonly string[]): string[] {
  const statements = statementsOf(text)
  const faults = text.startsWith('-- outside of a transaction\n')
    ? outsideFaults(statements)
    : text.startsWith('-- in lots for each organization\n')
      ? lotFaults(text, statements)
      : [...ruleFaults(text, statements), ...hiddenFaults(text, statements)]
  return [...declarationFaults(name, text, names), ...faults].map((fault) => `${name}: ${fault}`)
}

function declarationFaults(name: string, text: string, names: readonly string[]): string[] {
  const form = '"-- contracts for code before 0041_new_numbers.sql: the reason"'
  const declared = contractionOf(text)
  if (!declared) return /^-- contracts\b/m.test(text) ? [`it says that it contracts, but not in the form ${form}.`] : []
  return names.includes(declared.before) && declared.before <= name
    ? []
    : [`${declared.before} is not this migration or one before it; the form is ${form}.`]
}

/** Such a statement would find nothing, and say nothing of it. */
function hiddenFaults(text: string, statements: readonly string[]): string[] {
  if (/^-- of no organization: \S/m.test(text)) return []
  return statements
    .filter(
      (statement) =>
        /^(?:(?:with|update|delete|merge)\b|insert\b.*\bselect\b)/.test(statement) ||
        /^do\b.*\b(?:update|insert|delete)\b/.test(statement),
    )
    .map(
      (statement) =>
        `"${short(statement)}": an owner that is no superuser sees no row of any organization here: ${inLots}. If the rows are of none: "-- of no organization: the reason".`,
    )
}

function ruleFaults(text: string, statements: readonly string[]): string[] {
  const declared = { breaks: contractionOf(text) !== null, locks: /^-- locks: \S/m.test(text) }
  const made = new Set(
    statements.flatMap(
      (statement) => /^create (?:table|(?:unique )?index) (?:if not exists )?([\w.]+)/.exec(statement)?.[1] ?? [],
    ),
  )
  return statements
    .filter((statement) => !made.has(subjectOf(statement) ?? ''))
    .flatMap(piecesOf)
    .flatMap(({ of, text }) =>
      rules
        .filter((rule) => rule.of === of && rule.at.test(text))
        .flatMap(({ breaks, locks }) => [
          ...(breaks && !declared.breaks
            ? [
                `"${short(text)}": ${breaks}. If no server needs it: "-- contracts for code before 0041_new_numbers.sql: the reason".`,
              ]
            : []),
          ...(locks && !declared.locks
            ? [`"${short(text)}": ${locks}. If that is quick for good: "-- locks: the reason".`]
            : []),
        ]),
    )
}

/** The table or index that a statement is about, where it is one that the same migration may have made. */
function subjectOf(statement: string): string | undefined {
  return (
    /^(?:alter table|drop index|drop table|insert into|update|delete from)(?: only)?(?: if exists)? ([\w.]+)/.exec(
      statement,
    )?.[1] ?? /^create (?:unique )?index .*? on (?:only )?([\w.]+)/.exec(statement)?.[1]
  )
}

function piecesOf(statement: string): Piece[] {
  const [, actions] = /^alter table (?:if exists )?(?:only )?\S+ (.*)$/.exec(statement) ?? []
  if (actions) return actionsOf(actions).map((text) => ({ of: 'action', text }))
  return [{ of: statement.startsWith('do ') ? 'block' : 'statement', text: statement }]
}

/** Parted at the commas that are in no parentheses. */
function actionsOf(text: string): string[] {
  const actions = ['']
  let depth = 0
  for (const letter of text) {
    if (letter === '(') depth++
    if (letter === ')') depth--
    if (letter === ',' && depth === 0) actions.push('')
    else actions[actions.length - 1] += letter
  }
  return actions.map((action) => action.trim())
}

/** Cut off between two statements it is run again from the start. */
function outsideFaults(statements: readonly string[]): string[] {
  return statements.flatMap((statement, at) => {
    if (
      /^drop index concurrently if exists \w+$/.test(statement) ||
      /^alter table \S+ validate constraint \w+$/.test(statement)
    )
      return []
    const [, index] = /^create (?:unique )?index concurrently (\w+) on /.exec(statement) ?? []
    if (!index)
      return [
        `"${short(statement)}": outside of a transaction indexes are made and constraints validated, and nothing else is done.`,
      ]
    const dropped = statements.slice(0, at).includes(`drop index concurrently if exists ${index}`)
    return dropped
      ? []
      : [`"${short(statement)}": it could not be run again. Before it: drop index concurrently if exists ${index};`]
  })
}

function lotFaults(text: string, statements: readonly string[]): string[] {
  const needed = ["current_setting('app.org_id')::uuid", 'limit', 'returning'].filter((part) => !text.includes(part))
  return [
    ...(statements.length === 1 ? [] : ['what is done in lots is one statement.']),
    ...needed.map(
      (part) => `a lot is a part of the rows of one organization, and returns what it has changed: it needs ${part}.`,
    ),
  ]
}

/** In lower case, each on one line, without comments, texts and the bodies of functions; those of `do` blocks stay. */
function statementsOf(text: string): string[] {
  const statements = ['']
  for (const [token] of text.matchAll(/--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|\$(\w*)\$[\s\S]*?\$\1\$|;|[\s\S]/g)) {
    const statement = (statements.at(-1) as string).trimStart().toLowerCase()
    const isInside = /\bbegin atomic\b/.test(statement) && !/\bend\s*$/.test(statement)
    if (token === ';' && !isInside) statements.push('')
    else statements[statements.length - 1] += plain(token, statement)
  }
  return statements
    .map((statement) => statement.toLowerCase().replace(/\s+/g, ' ').trim())
    .filter((statement) => statement !== '')
}

function plain(token: string, statement: string): string {
  if (token.startsWith('--') || token.startsWith('/*')) return ' '
  if (token.startsWith("'")) return "''"
  if (!/^\$\w*\$/.test(token)) return token
  return statement.startsWith('do') ? ` ${token.replace(/--[^\n]*/g, ' ')} ` : ' body '
}

function short(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}
