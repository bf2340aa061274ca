/** SQL text with its values apart: what a `store.ts` writes, and what a context runs. */
export type Statement = { readonly text: string; readonly values: readonly unknown[] }

/** A class of its own, so that no value which merely looks like a statement is taken for one. */
class Made implements Statement {
  readonly text: string
  readonly values: readonly unknown[]
  constructor(text: string, values: readonly unknown[]) {
    this.text = text
    this.values = values
  }
}

/**
 * sql`select … where id = ${id} ${when(name, sql`and name = ${name}`)}`: a value becomes a parameter, a statement is
 * spliced in. Text never comes from a caller, so nothing can be injected.
 */
export function sql(strings: TemplateStringsArray, ...parts: unknown[]): Statement {
  const values: unknown[] = []
  let text = strings[0] as string
  parts.forEach((part, index) => {
    if (part instanceof Made) {
      text += values.length === 0 ? part.text : part.text.replace(/\$(\d+)/g, (_, n) => `$${Number(n) + values.length}`)
      values.push(...part.values)
    } else {
      values.push(part)
      text += `$${values.length}`
    }
    text += strings[index + 1]
  })
  return new Made(text, values)
}

export const nothing: Statement = new Made('', [])

/** The statement if there is something to filter by, else nothing. */
export function when(condition: unknown, statement: Statement): Statement {
  return condition === undefined || condition === null || condition === false ? nothing : statement
}

export function join(statements: readonly Statement[], separator: Statement): Statement {
  return statements.reduce((all, next, index) => (index === 0 ? next : sql`${all}${separator}${next}`), nothing)
}
