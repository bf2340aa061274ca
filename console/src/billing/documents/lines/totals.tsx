import { Group, Stack, Text } from '@mantine/core'

type TotalsProps = { subTotal: string; tax: string | null; total: string }

export function Totals({ subTotal, tax, total }: TotalsProps) {
  const rows = [...(tax === null ? [] : [['Sub total', subTotal] as const, ['Tax', tax] as const]), ['Total', total] as const]
  return (
    <Stack gap={4} mt="md" ml="auto" maw="20rem">
      {rows.map(([label, amount]) => (
        <Group key={label} justify="space-between" wrap="nowrap">
          <Text size="sm" fw={label === 'Total' ? 650 : 400}>
            {label}
          </Text>
          <Text size={label === 'Total' ? 'md' : 'sm'} fw={label === 'Total' ? 650 : 400} style={{ fontVariantNumeric: 'tabular-nums' }}>
            {amount}
          </Text>
        </Group>
      ))}
    </Stack>
  )
}
