/**
 * The statements of a text of SQL, one by one, without what stands between them. Semicolons in quotes, in comments, between dollars and in a body of
 * `begin atomic` end nothing.
 */
export function statementsOf(text: string): string[] {
  const statements: string[] = []
  let start = 0
  let atomic = 0
  for (const { 0: token, index, 1: tag } of text.matchAll(tokens)) {
    if (tag !== undefined || index < start) continue
    if (/^begin\s+atomic$/i.test(token)) atomic += 1
    else if (atomic > 0 && /^case$/i.test(token)) atomic += 1
    else if (atomic > 0 && /^end$/i.test(token)) atomic -= 1
    else if (token === ';' && atomic === 0) {
      statements.push(text.slice(start, index))
      start = index + 1
    }
  }
  return [...statements, text.slice(start)]
    .map((statement) => statement.trim())
    .filter((statement) => /^\s*(?!--)\S/m.test(statement))
}

/** What can hide a semicolon, from its beginning to its end; and what counts in a body of `begin atomic`, in which a `case` has an `end` too. */
const tokens =
  /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"[^"]*"|(\$\w*\$)[\s\S]*?\1|\bbegin\s+atomic\b|\bcase\b|\bend\b|;/gi
