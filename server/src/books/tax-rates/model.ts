import Type, { type Static, type TObject } from 'typebox'
import { invalid, quote } from '../../platform/core/refusal.ts'
import { named } from '../../platform/core/schema/names.ts'
import { Text } from '../../platform/core/schema/schema.ts'
import { decimalOf, isDecimal, isSame, type Ratio, ratioOf } from '../../platform/core/values/ratio.ts'

const decimals = 6

export const percentText = (description: string, example: string) => Text(description, example, { maxLength: 20 })

export const parts = [
  { name: 'GST', percent: '5' },
  { name: 'PST', percent: '7' },
]

const components = Type.Array(
  named(
    'TaxComponent',
    Type.Object(
      { name: Text('What it is called.', 'GST'), percent: percentText('Its percent.', '5') },
      { examples: [parts[0]] },
    ),
  ),
  {
    maxItems: 20,
    description: 'The taxes that it is made of, whose percents come to its own; empty where it is one tax.',
    examples: [parts],
  },
)

export const fields = {
  name: Text('What it is called on paper; unique in the organization.', 'GST and PST'),
  percent: percentText('The percent: a decimal number in a text, with up to 6 decimals.', '12'),
  components,
  active: Type.Boolean({
    description: 'Whether lines can be given it. Those that have it keep it.',
    examples: [true],
  }),
}
type Content = Static<TObject<typeof fields>>

/** Where components are sent without a percent, it is what they come to. */
export function check(content: Content, input: Partial<Content>): Content {
  const components = content.components.map(({ name, percent }, index) => ({
    name,
    percent: normalPercent(percent, `components.${index}.percent`),
  }))
  const sum = decimalOf(sumOf(components), decimals)
  const sent = input.percent ?? (input.components?.length ? sum : content.percent)
  if (sent === undefined) throw invalid('percent', 'required', '"percent" is required where there are no components.')
  const percent = normalPercent(sent, 'percent')
  if (components.length > 0 && !isSame(ratioOf(sum), ratioOf(percent)))
    throw invalid(
      'percent',
      'components_do_not_add_up',
      `"percent" is ${percent}, and the components come to ${sum}. Make the two equal, or leave out "percent".`,
    )
  return { ...content, percent, components }
}

function sumOf(components: Content['components']): Ratio {
  return components
    .map(({ percent }) => ratioOf(percent))
    .reduce((total, one) => ({ n: total.n * one.d + one.n * total.d, d: total.d * one.d }), { n: 0n, d: 1n })
}

function normalPercent(sent: string, field: string): string {
  const text = sent.trim()
  const isGood = isDecimal(text, decimals) && /^\d{1,4}(?:\.|$)/.test(text) && ratioOf(text).n <= 100n * ratioOf(text).d
  if (!isGood)
    throw invalid(
      field,
      'bad_percent',
      `"${field}" must be a decimal number from 0 to 100 with at most ${decimals} decimals, such as "8.25", not ${quote(sent)}.`,
    )
  return decimalOf(ratioOf(text), decimals)
}
