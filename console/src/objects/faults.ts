import { Problem, wordsFor } from '../api/problem.ts'
import type { Faults } from './draft.ts'
import type { Field } from './kind.ts'

/** What the server found wrong, by the paths of the inputs; what has no input is for the top of the form. */
export function faultsIn(error: unknown, fields: readonly Field[]): { faults: Faults; rest: string | null } {
  const faults: Faults = {}
  if (!(error instanceof Problem)) return { faults, rest: wordsFor(error) }
  for (const { field = '', message } of error.details) {
    const path = field.replace(/^json\./, '')
    const known = fields.find(({ key }) => path === key || path.startsWith(`${key}.`))
    if (!known) continue
    // An entry of choices or tags has no input of its own.
    const at = known.type === 'multi-select' || (known.items && 'type' in known.items && known.items.type === 'text') ? known.key : path
    faults[at] = sentence(message.replaceAll(`"${field}"`, labelOf(known, path)))
  }
  return { faults, rest: Object.keys(faults).length > 0 ? null : error.message }
}

/** The words of the API name a field by its path; people know it by its name. */
function labelOf({ key, name }: Field, path: string): string {
  return path === key ? name : `“${path.slice(key.length + 1)}” of ${name}`
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
