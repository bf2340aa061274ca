import { Button, Checkbox, Group, Paper, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useId } from 'react'
import { IconPlus, IconTrash } from '../../../app/icons/icons.ts'
import { NumberInput } from '../../../app/inputs/number-input.tsx'
import { Select } from '../../../app/inputs/select.tsx'
import { RowAction } from '../../../app/table/row-action.tsx'
import { readAmount, typedAmountOf } from '../../../app/values/money.ts'
import { readNumber, textAfterLeaving, typedNumberOf } from '../../../app/values/numbers.ts'
import type { BillItemType } from '../../../settings/bill-item-types/queries.ts'
import { emptyLine, type Values } from '../values.ts'

type LinesFieldProps = {
  form: UseFormReturnType<Values>
  types: readonly BillItemType[]
  currency: Parameters<typeof readAmount>[1]
}

const units = [
  { value: 'each', label: 'Each' },
  { value: 'mile', label: 'Miles' },
  { value: 'km', label: 'Kilometres' },
  { value: 'hour', label: 'Hours' },
  { value: 'day', label: 'Days' },
  { value: 'percent', label: 'Percent' },
]

/** The lines of an invoice. Carriers use names of their own, so any text is a type; the types of the organization are offered. */
export function LinesField({ form, types, currency }: LinesFieldProps) {
  const list = useId()
  const amountShown = (typed: string) =>
    textAfterLeaving(typed, readAmount(typed, currency), (amount) => typedAmountOf(amount, currency.minor_units))
  return (
    <Stack gap="xs" component="section" aria-label="Lines">
      <Text size="sm" fw={600}>
        Lines
      </Text>
      <datalist id={list}>
        {types.map(({ id, name }) => (
          <option key={id} value={name} />
        ))}
      </datalist>
      {form.values.lines.map(({ key, unit }, index) => {
        const at = `lines.${index}`
        const nth = `line ${index + 1}`
        return (
          <Paper key={key} withBorder p="xs">
            <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" verticalSpacing={4}>
              <TextInput
                size="xs"
                label="Type"
                aria-label={`Type of ${nth}`}
                list={list}
                maxLength={255}
                autoComplete="off"
                {...form.getInputProps(`${at}.type`)}
              />
              <TextInput
                size="xs"
                label="Description"
                aria-label={`Description of ${nth}`}
                maxLength={1000}
                autoComplete="off"
                {...form.getInputProps(`${at}.description`)}
              />
            </SimpleGrid>
            <SimpleGrid cols={{ base: 2, xs: 4 }} spacing="xs" verticalSpacing={4} mt={4}>
              <NumberInput
                size="xs"
                label="Quantity"
                aria-label={`Quantity of ${nth}`}
                {...form.getInputProps(`${at}.quantity`)}
                value={form.values.lines[index]?.quantity ?? ''}
                shownBack={(typed) => textAfterLeaving(typed, readNumber(typed), typedNumberOf)}
              />
              <Select
                size="xs"
                label="Unit"
                aria-label={`Unit of ${nth}`}
                clearable
                choices={units}
                value={unit}
                onChange={(next) => form.setFieldValue(`${at}.unit`, next)}
              />
              <NumberInput
                size="xs"
                label="Unit price"
                aria-label={`Unit price of ${nth}`}
                {...form.getInputProps(`${at}.unit_price`)}
                value={form.values.lines[index]?.unit_price ?? ''}
                shownBack={amountShown}
              />
              <NumberInput
                size="xs"
                label="Amount"
                aria-label={`Amount of ${nth}`}
                {...form.getInputProps(`${at}.amount`)}
                value={form.values.lines[index]?.amount ?? ''}
                shownBack={amountShown}
              />
            </SimpleGrid>
            <Group justify="space-between" mt={4}>
              <Checkbox
                size="xs"
                label="Tax"
                aria-label={`Tax, ${nth}`}
                {...form.getInputProps(`${at}.is_tax`, { type: 'checkbox' })}
              />
              <RowAction icon={IconTrash} label="Remove" of={nth} onClick={() => form.removeListItem('lines', index)} />
            </Group>
          </Paper>
        )
      })}
      <Group>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={15} aria-hidden />}
          onClick={() => form.insertListItem('lines', emptyLine())}
        >
          Add a line
        </Button>
      </Group>
    </Stack>
  )
}
