import { useQuery } from '@tanstack/react-query'
import { currenciesQuery } from '../api/currencies.ts'
import { Select, type SelectProps } from './select.tsx'

export function CurrencySelect(props: Omit<SelectProps, 'choices'>) {
  const { data = [] } = useQuery(currenciesQuery)
  const choices = data.map(({ id, iso_4217, name }) => ({ value: id, label: `${iso_4217} · ${name}` }))
  return <Select label="Currency" clearable nothingFoundMessage="No currency found" {...props} choices={choices} />
}
