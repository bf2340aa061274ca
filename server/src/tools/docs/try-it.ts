import { isId } from '../../platform/core/values/ids.ts'
import { kindOf } from '../../platform/references/kinds.ts'
import { type ApiDescription, inPlace, type Operation, type Parameter } from './operations.ts'

/**
 * The document for the page on which people send requests. There an example is the value that is sent, unless it says otherwise: so those of optional
 * parameters are marked as off, to be ticked. An Idempotency-Key has none, because one that is sent twice belongs to one write only. No installation has
 * the record with the id of an example: in its place stands the number that people read of a record of the demo, in whose place they type one of their
 * own; where a kind has no such numbers, a path has no example.
 */
export function forTrying(document: ApiDescription): ApiDescription {
  const { paths, components } = document
  return {
    ...document,
    paths: Object.fromEntries(
      Object.entries(paths).map(([path, operations]) => [
        path,
        mapValues(operations, (operation) => withNumbers(document, path, withoutValues(document, path, operation))),
      ]),
    ),
    components: {
      ...components,
      parameters: mapValues(components.parameters ?? {}, (parameter) => withoutValue('', parameter)),
    },
  }
}

/** A record of the demo for each kind that has a number, one that most can be done with. */
const numbersToTry: Readonly<Record<string, string>> = {
  ...{
    bill: 'BILL-000034',
    invoice: 'INV-000034',
    credit: 'CR-000001',
    consolidated_bill: 'STMT-000001',
    payment: 'PAY-000020',
    payment_run: 'RUN-000001',
  },
  ...{ customer: 'CUST-1', partner_carrier: 'PART-3', order: 'ORD-34', manifest: 'MAN-26', leg: 'LEG-1' },
}

/** What a path names depends on it, so that stands in the operation itself. */
function withoutValues(document: ApiDescription, path: string, operation: Operation): Operation {
  const { parameters } = operation
  if (!parameters) return operation
  return {
    ...operation,
    parameters: parameters.map((parameter) => {
      const whole = inPlace(document, parameter)
      return '$ref' in parameter && whole.in !== 'path' ? parameter : withoutValue(path, whole)
    }),
  }
}

function withoutValue(path: string, parameter: Parameter): Parameter {
  const { example, ...rest } = parameter
  if (example === undefined) return parameter
  if (parameter.name === 'Idempotency-Key') return rest
  if (parameter.in === 'path' && namesRecord(example)) {
    const number = takesNumbers(parameter) ? numberOf(fieldOf(parameter.name), path) : undefined
    if (number) return { ...rest, example: number }
    return isId(String(example)) ? rest : parameter
  }
  return parameter.required ? parameter : { ...rest, examples: { default: { value: example, 'x-disabled': true } } }
}

/** By its id, which no installation has, or by its external id in the demo, with which less can be done than with the record of the number. */
function namesRecord(example: unknown): boolean {
  return isId(String(example)) || String(example).startsWith('ext:')
}

/** Some paths name a second record, and that by its id alone. */
function takesNumbers({ schema }: Parameter): boolean {
  return schema?.format !== 'uuid'
}

/** `partnerCarrierID` is what bodies call `partner_carrier_id`. */
function fieldOf(parameter: string): string {
  return parameter.replace(/(?<=[a-z])ID$/, '_id').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

function numberOf(field: string, path: string): string | undefined {
  return numbersToTry[kindOf(field, path) ?? '']
}

/** The example of the body, with numbers for the ids of records. */
function withNumbers(document: ApiDescription, path: string, operation: Operation): Operation {
  if (!operation.requestBody) return operation
  const requestBody = inPlace(document, operation.requestBody)
  const content = mapValues(requestBody.content, (media) =>
    media.example === undefined ? media : { ...media, example: numbered(media.example, '', path) },
  )
  return { ...operation, requestBody: { ...requestBody, content } }
}

function numbered(value: unknown, field: string, path: string): unknown {
  if (typeof value === 'string') return isId(value) ? (numberOf(field, path) ?? value) : value
  if (Array.isArray(value)) return value.map((entry) => numbered(entry, field, path))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, numbered(inner, name, path)]))
}

function mapValues<A, B>(values: Record<string, A>, map: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]))
}
