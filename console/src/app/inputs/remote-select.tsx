import { Loader } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Choice } from './choices.ts'
import { Select, type SelectProps } from './select.tsx'

type Ask<Argument> = (argument: Argument) => UseQueryOptions<Choice[], Error, Choice[], string[]>

type RemoteSelectProps = Omit<SelectProps, 'choices' | 'onSearch' | 'searching'> & {
  /** The choices that contain this text. */
  search: Ask<string>
  /** The chosen one, which may not be among the first results. */
  one: Ask<string>
}

/** A choice among any number of records: the server searches while the person types, and is asked nothing before. */
export function RemoteSelect({ value, search, one, valueLabel, ...props }: RemoteSelectProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const [term] = useDebouncedValue(typed ?? '', 150)
  const known = useQuery({ ...one(value ?? ''), enabled: value !== null })
  const chosen =
    value === null ? null : (known.data?.[0] ?? { value, label: valueLabel ?? (known.isPending ? '' : value) })
  const isReading = value !== null && known.isPending && !valueLabel
  const {
    data = [],
    isPlaceholderData,
    isPending,
    isError,
  } = useQuery({ ...search(term), enabled: typed !== null, placeholderData: keepPreviousData })
  const searching = typed !== null && !isError && (term !== typed || isPlaceholderData || isPending)
  const isListed = !chosen || data.some((choice) => choice.value === chosen.value)
  return (
    <Select
      {...props}
      // An empty field would say that nothing is chosen.
      {...(isReading && { placeholder: '', leftSection: <Loader size={14} role="status" aria-label="Loading" /> })}
      value={value}
      choices={isListed || typed ? data : [chosen, ...data]}
      valueLabel={chosen?.label ?? null}
      onSearch={setTyped}
      searching={searching || isReading}
      {...(isError && { nothingFoundMessage: 'Could not search. Check your connection and type again.' })}
    />
  )
}
