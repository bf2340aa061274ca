import type { Schemas } from '@lading/sdk'
import { plainQueries } from '../../app/resource/plain-queries.ts'

export type TaxRate = Schemas['TaxRate']
export type Component = TaxRate['components'][number]
export type Content = { name: string; percent?: string; components: Component[]; active: boolean }

export const taxRateQueries = plainQueries<TaxRate, Content>(
  { key: 'tax-rates', all: '/api/v1/tax_rates', parameter: 'taxRateID', plural: 'tax_rates', noun: 'tax_rate' },
  { labelOf: ({ name, percent }) => `${name} · ${percent} %`, offered: { active: true } },
)
export const { choices: choicesQuery, choice: choiceQuery } = taxRateQueries
