import { Problem, wordsFor } from '../../app/api/problem.ts'
import type { Field } from '../kinds/kind.ts'
import type { Faults } from './draft.ts'

/** The errors of the server by the paths of the inputs; an error without an input is shown at the top of the form. */
export function faultsIn(error: unknown, fields: readonly Field[]): { faults: Faults; rest: string | null } {
  const faults: Faults = {}
  if (!(error instanceof Problem)) return { faults, rest: wordsFor(error) }
  for (const { field = '', message } of error.details) {
    const path = field.replace(/^json\./, '')
    const known = fields.find(({ key }) => path === key || path.startsWith(`${key}.`))
    if (!known) continue
    // A single option or tag has no input of its own.
    const at =
      known.type === 'multi-select' || (known.items && 'type' in known.items && known.items.type === 'text')
        ? known.key
        : path
    faults[at] = sentence(message.replaceAll(`"${field}"`, labelOf(known, path)))
  }
  return { faults, rest: Object.keys(faults).length > 0 ? null : error.message }
}

/** The API names a field by its path; people know it by its label. */
function labelOf({ key, name }: Field, path: string): string {
  return path === key ? name : `“${path.slice(key.length + 1)}” of ${name}`
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
