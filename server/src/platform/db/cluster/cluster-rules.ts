/** What a cluster of Citus asks of statements and views, as far as it can be read from their texts: plain PostgreSQL would take what it does not. */

/** What is wrong with the text of a view, in words; null where nothing is. */
export function viewFault(text: string, tables: ReadonlySet<string>): string | null {
  for (const { before, text: inner } of blocksOf(text)) {
    if (!/^\s*select\b/i.test(inner) || !readsOneOf(inner, tables)) continue
    if (/\blateral$/i.test(before.replace(/[\s(]+$/, ''))) return 'reads a table in a lateral'
    if (!/(?:\bfrom|\bjoin|\bunion|\ball|\bas|^)$/i.test(before.replace(/[\s(]+$/, '')))
      return 'reads a table in a sub-select'
  }
  return null
}

/** What is wrong with the body of a function in SQL. */
export function functionFault(body: string): string | null {
  return /\bcase\s+(?!\s|when\b)/i.test(body)
    ? 'has a simple case, where a statement that its body is put into cannot be sent on'
    : null
}

/**
 * What is wrong with a statement of one organization: every table of organizations in it must have its org_id compared with a parameter, or with that of a
 * table next to it; and what an update writes must be the same on every node.
 */
export function statementFault(text: string, tables: ReadonlySet<string>): string | null {
  if (/\bset_config\s*\(/i.test(text)) return 'calls set_config, which other nodes do not hear of'
  const written = /\bupdate\b|\bdelete\b|\bdo update\b/i.test(text)
  if (written && volatile.test(text)) return 'changes rows by a volatile function'
  if (/\binsert into\b[^()]*\([^()]*\)\s*select\b/i.test(text) && volatile.test(text))
    return 'selects what it inserts by a volatile function'
  const updates = updatesIn(text)
  if (updates.some((update) => shiftedTime.test(update)))
    return 'adds an interval to a time by a column: both must be parameters or the time of the statement'
  if (updates.some((update) => chosenTime.test(update))) return 'names the time of the statement in a case or coalesce'
  const conflict = /\bdo update set\b(.*)$/is.exec(text)?.[1] ?? ''
  if (/\b(?:now|statement_timestamp)\s*\(/i.test(conflict) || shiftedTime.test(conflict))
    return 'names the time or adds to one in "do update": take it from excluded'
  if (/\breturning\b.*\b(?:now|statement_timestamp)\s*\(/is.test(text))
    return 'returns the time of the statement: ask for it by another'
  if (!/\)\s*select\b/i.test(text) && stableReturned.test(text))
    return 'calls a function that depends on settings in "returning": return columns'
  const bare = withEmptyBlocks(text)
  if (/^\s*with\b.*\binsert into\b.*\bselect\b/is.test(bare))
    return 'has a "with" in front of "insert … select": put the insert into it as well, under a select'
  if ([bare, ...blocksOf(text).map((block) => withEmptyBlocks(block.text))].some((level) => unnamedTarget.test(level)))
    return 'returns what it has selected and inserted: give the table another name, and return by that'
  if (insertedParameter.test(text))
    return 'selects what it inserts with the organization as a parameter: take it from organizations'
  for (const block of [{ text }, ...blocksOf(text)]) {
    const unplaced = unplacedIn(withoutBlocks(block.text), tables)
    if (unplaced) return `names ${unplaced} without its organization`
  }
  return null
}

const volatile = /\b(?:clock_timestamp|random|gen_random_uuid|pg_current_xact_id|timeofday)\s*\(/i

/** Either the time or what is added to it is a column, which is another on every row. */
const shiftedTime =
  /\b[a-z_]\w* [-+] (?:\S+ \* )?interval\b|\b(?:now|statement_timestamp)\(\) [-+] (?!\$\d+(?:::\w+)? \* interval\b|interval\b)/i

const stableReturned = /\breturning\b.*\b(?:jsonb?_build_\w+|to_jsonb?|row_to_json|to_char|wire_time)\s*\(/is

const unnamedTarget = /\binsert into\s+\w+\s*\(\s*\)\s*select\b.*\breturning\b/is

const chosenTime = /\b(?:coalesce\s*\([^()]*|(?:then|else)\s+)(?:now|statement_timestamp)\s*\(/i

const insertedParameter =
  /\binsert into\s+\w+(?:\s+as\s+\w+)?\s*\(\s*org_id\b[^)]*\)\s*select\s+(?:distinct\s+(?:on\s*\([^)]*\)\s*)?)?\$\d+/i

/** The first table at this level that neither a parameter nor a table next to it gives its organization. */
function unplacedIn(level: string, tables: ReadonlySet<string>): string | null {
  if (!/\b(?:from|join|update|using)\b/i.test(level)) return null
  const references = referencesIn(level).filter(({ table }) => tables.has(table))
  const placed = new Set<string>()
  const alone = /(?<![.\w])org_id = \$\d+/i.test(level)
  for (const { alias } of references)
    if (alone || new RegExp(`\\b${alias}\\.org_id = \\$\\d+`, 'i').test(level)) placed.add(alias)
  // Equal to one that is placed: as often as there are tables, because one may lead to the next.
  for (let round = 0; round < references.length; round++)
    for (const [, one = '', other = ''] of level.matchAll(/\b(\w+)\.org_id = (\w+)\.org_id\b/gi)) {
      if (placed.has(one)) placed.add(other)
      if (placed.has(other)) placed.add(one)
    }
  return references.find(({ alias }) => !placed.has(alias))?.table ?? null
}

type Reference = { table: string; alias: string }

function referencesIn(level: string): Reference[] {
  const found: Reference[] = []
  const list =
    /\b(?:from|join|update|using)[\s(]+([a-z_]\w*)(?:\s+(?:as\s+)?(?!(?:where|on|set|cross|left|join|order|group|limit|offset|union|for|using|returning|inner|full|natural|values|select)\b)([a-z_]\w*))?/gi
  for (const [, table = '', alias] of level.matchAll(list))
    found.push({ table: table.toLowerCase(), alias: alias ?? table })
  return found
}

function readsOneOf(text: string, tables: ReadonlySet<string>): boolean {
  return referencesIn(text).some(({ table }) => tables.has(table))
}

type Block = { before: string; text: string }

/** What stands in parentheses, at every depth, with what stands right before it. */
function blocksOf(text: string): Block[] {
  const blocks: Block[] = []
  const open: number[] = []
  const bare = withoutQuotes(text)
  for (let place = 0; place < bare.length; place++) {
    if (bare[place] === '(') open.push(place)
    else if (bare[place] === ')') {
      const start = open.pop()
      if (start !== undefined)
        blocks.push({
          before: bare.slice(Math.max(0, start - 30), start).trimEnd(),
          text: bare.slice(start + 1, place),
        })
    }
  }
  return blocks
}

/** The text of one level: what is in parentheses is left out where it is a query of its own. */
function withoutBlocks(text: string): string {
  let bare = withoutQuotes(text)
  for (let before = ''; before !== bare; ) {
    before = bare
    bare = bare.replace(/\(([^()]*)\)/g, (_, inner: string) =>
      /^\s*(?:select|with|values|insert|update|delete)\b/i.test(inner) ? ' ' : ` ${inner} `,
    )
  }
  return bare
}

/** The updates in a statement, each to the end of the parentheses that it stands in. */
function updatesIn(text: string): string[] {
  return [withoutQuotes(text), ...blocksOf(text).map((block) => block.text)].flatMap((level) => {
    const start = withEmptyBlocks(level).search(/(?<!\b(?:do|for|key)\s+)\bupdate\s+\w/i)
    return start < 0 ? [] : [level.slice(start)]
  })
}

/** The same text, as long as before, with blanks for all that stands in parentheses. */
function withEmptyBlocks(text: string): string {
  let depth = 0
  return withoutQuotes(text).replace(/./gs, (char) => {
    if (char === ')') depth--
    const shown = depth === 0 ? char : ' '
    if (char === '(') depth++
    return shown
  })
}

function withoutQuotes(text: string): string {
  return text.replace(/'(?:[^']|'')*'/g, "''").replace(/--[^\n]*/g, '')
}
