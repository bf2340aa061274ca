/** SQL text with its values apart: what a `store.ts` writes, and what a context runs. */
export type Statement = { readonly text: string; readonly values: readonly unknown[] }

const made = new WeakSet<object>()

/**
 * sql`select … where id = ${id} ${when(name, sql`and name = ${name}`)}`: a value becomes a parameter, a statement is
 * spliced in. Text never comes from a caller, so nothing can be injected.
 */
export function sql(strings: TemplateStringsArray, ...parts: unknown[]): Statement {
  const values: unknown[] = []
  let text = strings[0] as string
  parts.forEach((part, index) => {
    if (isStatement(part)) {
      text += part.text.replace(/\$(\d+)/g, (_, n) => `$${Number(n) + values.length}`)
      values.push(...part.values)
    } else {
      values.push(part)
      text += `$${values.length}`
    }
    text += strings[index + 1]
  })
  return mark({ text, values })
}

export const nothing: Statement = mark({ text: '', values: [] })

/** The statement if there is something to filter by, else nothing. */
export function when(condition: unknown, statement: Statement): Statement {
  return condition === undefined || condition === null || condition === false ? nothing : statement
}

export function join(statements: readonly Statement[], separator: Statement): Statement {
  return statements.reduce((all, next, index) => (index === 0 ? next : sql`${all}${separator}${next}`), nothing)
}

function isStatement(part: unknown): part is Statement {
  return typeof part === 'object' && part !== null && made.has(part)
}

function mark(statement: Statement): Statement {
  made.add(statement)
  return statement
}
