import Type, { type Static } from 'typebox'
import { invalid, quote } from '../../platform/core/refusal.ts'
import { changedBetween, Id, paging, Text, Time, wholeEdit } from '../../platform/core/schema/schema.ts'
import { decimalOf, isDecimal, isSame, type Ratio, ratioOf } from '../../platform/core/values/ratio.ts'

export const percentDecimals = 6

const percentText = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: 20, description, examples: [example] })
const name = Text('What it is called on paper; unique in the organization.', 'GST and PST')
const percent = percentText('The percent: a decimal number in a text, with up to 6 decimals.', '12')
const components = Type.Array(
  Type.Object(
    { name: Text('What it is called.', 'GST'), percent: percentText('Its percent.', '5') },
    { examples: [{ name: 'GST', percent: '5' }] },
  ),
  {
    maxItems: 20,
    description: 'The taxes that it is made of, whose percents come to its own; empty where it is one tax.',
    examples: [
      [
        { name: 'GST', percent: '5' },
        { name: 'PST', percent: '7' },
      ],
    ],
  },
)
const active = Type.Boolean({
  description: 'Whether lines can be given it. Those that have it keep it.',
  examples: [true],
})

export const TaxRate = Type.Object(
  {
    ...{ id: Id('The tax rate.'), org_id: Id('The organization.'), name, percent, components, active },
    revision: Type.Integer({
      minimum: 1,
      description: 'Rises by one with every change; the number in the ETag.',
      examples: [1],
    }),
    created_at: Time('When it was created.'),
    updated_at: Time('When it was last changed.'),
  },
  { $id: 'TaxRate', description: 'A tax that lines of documents can carry.' },
)
export type TaxRate = Static<typeof TaxRate>

export const NewTaxRate = Type.Object(
  {
    name,
    percent: Type.Optional(percentText('The percent; what the components come to where it is left out.', '12')),
    components: Type.Optional(components),
    active: Type.Optional(active),
  },
  {
    examples: [
      {
        name: 'GST and PST',
        components: [
          { name: 'GST', percent: '5' },
          { name: 'PST', percent: '7' },
        ],
      },
    ],
  },
)
export type NewTaxRate = Static<typeof NewTaxRate>

export const TaxRateEdit = wholeEdit(TaxRate, Type.Partial(Type.Object({ name, percent, components, active })))
export type TaxRateEdit = Static<typeof TaxRateEdit>

export const TaxRateSearch = Type.Object({
  search_term: Type.Optional(
    Type.String({
      maxLength: 255,
      description: 'Keeps the tax rates that contain this in their name; upper and lower case are the same.',
      examples: ['gst'],
    }),
  ),
  active: Type.Optional(
    Type.Boolean({
      description: 'With true keeps those that lines can be given, with false the others.',
      examples: [true],
    }),
  ),
  ...changedBetween,
  ...paging,
})
export type TaxRateSearch = Static<typeof TaxRateSearch>

const editable = ['name', 'percent', 'components', 'active'] as const
export type Content = Pick<TaxRate, (typeof editable)[number]>

export function contentOf({ name, percent, components = [], active = true }: NewTaxRate): Content {
  if (percent === undefined && components.length === 0)
    throw invalid('percent', 'required', '"percent" is required where there are no components.')
  return checked({ name, percent: percent ?? decimalOf(sumOf(components), percentDecimals), components, active })
}

/** What of the input differs. Where components are sent without a percent, it is what they come to. */
export function edit(current: TaxRate, input: TaxRateEdit): { next: Content; previous: Partial<Content> } {
  const { name = current.name, components = current.components, active = current.active } = input
  const percent =
    input.percent ?? (input.components?.length ? decimalOf(sumOf(components), percentDecimals) : current.percent)
  const next = checked({ name, percent, components, active })
  const changed = editable.filter((field) => JSON.stringify(next[field]) !== JSON.stringify(current[field]))
  return { next, previous: Object.fromEntries(changed.map((field) => [field, current[field]])) }
}

function checked({ name, percent, components, active }: Content): Content {
  const normal = {
    ...{ name, active, percent: normalPercent(percent, 'percent') },
    components: components.map((part, index) => ({
      name: part.name,
      percent: normalPercent(part.percent, `components.${index}.percent`),
    })),
  }
  if (components.length > 0 && !isSame(sumOf(normal.components), ratioOf(normal.percent))) {
    const sum = decimalOf(sumOf(normal.components), percentDecimals)
    throw invalid(
      'percent',
      'components_do_not_add_up',
      `"percent" is ${normal.percent}, and the components come to ${sum}. Make the two equal, or leave out "percent".`,
    )
  }
  return normal
}

function sumOf(components: Content['components']): Ratio {
  const percents = components.map(({ percent }, index) =>
    ratioOf(normalPercent(percent, `components.${index}.percent`)),
  )
  return percents.reduce((total, one) => ({ n: total.n * one.d + one.n * total.d, d: total.d * one.d }), {
    n: 0n,
    d: 1n,
  })
}

function normalPercent(sent: string, field: string): string {
  const text = sent.trim()
  const isGood =
    isDecimal(text, percentDecimals) && /^\d{1,4}(?:\.|$)/.test(text) && ratioOf(text).n <= 100n * ratioOf(text).d
  if (!isGood)
    throw invalid(
      field,
      'bad_percent',
      `"${field}" must be a decimal number from 0 to 100 with at most ${percentDecimals} decimals, such as "8.25", not ${quote(sent)}.`,
    )
  return decimalOf(ratioOf(text), percentDecimals)
}
