import { Select, type SelectProps } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { payTermsQuery } from '../pay-terms/queries.ts'
import { currenciesQuery } from './currencies.ts'

type Props = Omit<SelectProps, 'data'> & { label?: string }

export function CurrencySelect({ label = 'Currency', ...props }: Props) {
  const { data = [] } = useQuery(currenciesQuery)
  const choices = data.map(({ id, iso_4217, name }) => ({ value: id, label: `${iso_4217} · ${name}` }))
  return (
    <Select
      label={label}
      data={choices}
      searchable
      clearable
      limit={200}
      nothingFoundMessage="No such currency"
      clearButtonProps={{ 'aria-label': `Clear ${label.toLowerCase()}` }}
      {...props}
    />
  )
}

export function PayTermSelect({ label = 'Pay term', ...props }: Props) {
  const { data } = useQuery(payTermsQuery({ limit: 200 }))
  const choices = (data?.pay_terms ?? []).map(({ id, name }) => ({ value: id, label: name }))
  return <Select label={label} data={choices} searchable clearable clearButtonProps={{ 'aria-label': `Clear ${label.toLowerCase()}` }} {...props} />
}
