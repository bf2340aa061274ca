import Type from 'typebox'
import { conflict } from '../../platform/core/refusal.ts'
import { Id } from '../../platform/core/schema/schema.ts'
import { nameTaken, plainRecord, SearchTerm, versioned } from '../../platform/resource/plain-record.ts'
import { check, fields, parts, percentText } from './model.ts'
import { isCarried } from './store.ts'

const schema = Type.Object(
  { id: Id('The tax rate.'), org_id: Id('The organization.'), ...fields, ...versioned },
  { $id: 'TaxRate', description: 'A tax that lines of documents can carry.' },
)
const isActive = 'With true keeps those that lines can be given, with false the others.'

/** `lineTables` are the tables of the lines of documents, which may carry a rate. */
export const taxRates = (lineTables: readonly string[]) =>
  plainRecord({
    noun: 'tax_rate',
    plural: 'tax_rates',
    access: { scope: 'bills' },
    schema,
    fields,
    optional: { percent: undefined, components: [], active: true },
    fieldsOfNew: { percent: percentText('The percent; what the components come to where it is left out.', '12') },
    examples: { create: { name: 'GST and PST', components: parts } },
    filters: {
      search_term: { contains: ['name'], schema: SearchTerm('tax rates', 'name', 'gst') },
      active: { equals: 'active', schema: Type.Boolean({ description: isActive, examples: [true] }) },
    },
    json: ['components'],
    texts: {
      search: 'Lists the tax rates of the organization, newest first, with the exact total.',
      create: 'Makes a tax rate. Where it has components, their percents come to its own, which can then be left out.',
      get: 'Answers one tax rate.',
      update:
        'Only the fields that are sent apply; `components` are replaced as a whole. Once a line carries the rate, its percent and components are fixed, which is a 409: make another rate, and set `active` of this one to false.',
      delete: 'Deletes the tax rate. It is refused with 409 while lines carry it.',
    },
    check,
    refusals: { tax_rate_name: ({ name }) => nameTaken('a tax rate', name) },
    /** What lines carry keeps its percent: otherwise a change of a note would change the tax of a bill of last year. */
    async require(ctx, { id, before, after, previous }) {
      const isFixed = before && (!after || 'percent' in previous || 'components' in previous)
      if (!isFixed || !(await isCarried(ctx, id, lineTables))) return
      if (!after)
        throw conflict(
          'in_use',
          'Lines carry this tax rate, so it cannot be deleted. Set "active" to false to keep it from new lines.',
        )
      throw conflict(
        'tax_rate_in_use',
        'Lines carry this tax rate, so its percent and its components are fixed. Make another rate, and set "active" of this one to false.',
      )
    },
  })
