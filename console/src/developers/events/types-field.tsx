import { TagsInput, type TagsInputProps } from '@mantine/core'
import { useState } from 'react'
import { useKinds } from '../../records/kinds/queries.ts'
import { isEventType } from './search.ts'
import { typesOfObjects, typesOfRecords } from './types.ts'

type TypesFieldProps = Pick<TagsInputProps, 'label' | 'description' | 'placeholder' | 'required'> & {
  value: readonly string[]
  onChange: (types: string[]) => void
  error?: React.ReactNode
}

/** Types of events, chosen from those that there are, or typed. */
export function TypesField({ value, onChange, error, ...input }: TypesFieldProps) {
  const kinds = useKinds()
  const [wrong, setWrong] = useState<string | null>(null)
  const change = (next: string[]) => {
    setWrong(next.find((type) => !isEventType(type)) ?? null)
    const right = next.filter(isEventType)
    if (right.join() !== value.join()) onChange(right)
  }
  return (
    <TagsInput
      {...input}
      data={[...typesOfRecords, ...kinds.flatMap(({ objectKey }) => typesOfObjects(objectKey))]}
      value={[...value]}
      onChange={change}
      onRemove={() => setWrong(null)}
      acceptValueOnBlur
      openOnFocus={false}
      clearable
      clearButtonProps={{ 'aria-label': 'Clear types of events' }}
      maxDropdownHeight={260}
      error={
        wrong === null
          ? error
          : `“${wrong}” is no type of event. Write bill.paid, or bill.* for everything about bills.`
      }
    />
  )
}
