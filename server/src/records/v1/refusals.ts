import { type Detail, notFound, Refusal } from '../../platform/core/refusal.ts'
import type { Naming } from '../model/object.ts'
import type { Resource } from './resources.ts'

/** `paymentItems.0.unitPrice` → `payment_items.0.unit_price`. */
export function namingOf({ words }: Resource): Naming {
  return (path) =>
    path
      .split('.')
      .map((part) => words.get(part) ?? part)
      .join('.')
}

/** Turns refusals of the object model into v1's: with its names, and with the `parameters` that the conditions of the filter come from, in their order. */
export async function inV1Terms<T>(
  resource: Resource,
  id: string,
  work: () => Promise<T>,
  parameters: readonly string[] = [],
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.kind === 'not_found') throw notFound(resource.label, id)
    const { kind, code, details, headers } = error
    const reworded = (text: string) => inParameters(text, parameters).replaceAll('externalId', 'external_id')
    const renamed = details.map(
      (detail): Detail => ({ ...detail, field: reworded(detail.field), message: reworded(detail.message) }),
    )
    throw new Refusal(kind, code, reworded(error.message), { details: renamed, headers, cause: error })
  }
}

function inParameters(text: string, parameters: readonly string[]): string {
  return text.replace(/filter(?:\.and\[(\d+)\])?\.value(?:\[(\d+)\])?/g, (whole, index = 0, entry) => {
    const name = parameters[Number(index)]
    return name ? (entry === undefined ? name : `${name}.${entry}`) : whole
  })
}
