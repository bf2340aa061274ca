import { Radio, Stack } from '@mantine/core'
import type { ApplicationType } from '../application.ts'
import { typeWords } from '../words.ts'

type TypeFieldProps = { value: ApplicationType; fixed: boolean; onChange: (type: ApplicationType) => void }

export function TypeField({ value, fixed, onChange }: TypeFieldProps) {
  return (
    <Radio.Group
      label="Type"
      description={fixed ? 'The type cannot be changed.' : undefined}
      value={value}
      onChange={(next) => onChange(next as ApplicationType)}
    >
      <Stack gap="xs" mt="xs">
        {(Object.keys(typeWords) as ApplicationType[]).map((type) => (
          <Radio
            key={type}
            value={type}
            label={typeWords[type].name}
            description={typeWords[type].means}
            disabled={fixed && type !== value}
          />
        ))}
      </Stack>
    </Radio.Group>
  )
}
