import { isId } from '../core/ids.ts'
import type { Described, Operation, Parameter } from './operations.ts'

/**
 * The document for the page on which people send requests. There an example is the value that is sent, unless it says otherwise: so those of optional
 * parameters are marked as off, to be ticked. An Idempotency-Key has none, because one that is sent twice belongs to one write only, and neither has
 * the id of a record, because no installation has the record of the example.
 */
export function forTrying(document: Described): Described {
  const { paths, components } = document
  return {
    ...document,
    paths: mapValues(paths, (operations) => mapValues(operations, withoutValues)),
    components: { ...components, parameters: mapValues(components.parameters ?? {}, withoutValue) },
  }
}

function withoutValues(operation: Operation): Operation {
  const { parameters } = operation
  return parameters ? { ...operation, parameters: parameters.map((parameter) => ('$ref' in parameter ? parameter : withoutValue(parameter))) } : operation
}

function withoutValue(parameter: Parameter): Parameter {
  const { example, ...rest } = parameter
  if (example === undefined) return parameter
  if (parameter.name === 'Idempotency-Key' || (parameter.in === 'path' && isId(String(example)))) return rest
  return parameter.required ? parameter : { ...rest, examples: { default: { value: example, 'x-disabled': true } } }
}

function mapValues<A, B>(values: Record<string, A>, map: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]))
}
