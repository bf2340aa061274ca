import { Group, Stack, Text } from '@mantine/core'

type TotalsProps = {
  subTotal: string
  tax: string | null
  total: string
  /** What was paid and what is left, where something was paid. */
  paid?: { amount: string; left: string; leftLabel: string } | null
  /** The total in the home currency, where that is another one. */
  home?: { label: string; total: string } | null
}

export function Totals({ subTotal, tax, total, paid, home }: TotalsProps) {
  const rows: [label: string, amount: string][] = [
    ...(tax === null
      ? []
      : ([
          ['Sub total', subTotal],
          ['Tax', tax],
        ] as [string, string][])),
    ['Total', total],
    ...(paid
      ? ([
          ['Paid', paid.amount],
          [paid.leftLabel, paid.left],
        ] as [string, string][])
      : []),
  ]
  const last = rows.at(-1)?.[0]
  return (
    <Stack gap={4} mt="md" ml="auto" maw="20rem">
      {rows.map(([label, amount]) => {
        const isBold = label === 'Total' || label === last
        return (
          <Group key={label} justify="space-between" wrap="nowrap">
            <Text size="sm" fw={isBold ? 650 : 400}>
              {label}
            </Text>
            <Text size={isBold ? 'md' : 'sm'} fw={isBold ? 650 : 400} style={{ fontVariantNumeric: 'tabular-nums' }}>
              {amount}
            </Text>
          </Group>
        )
      })}
      {home && (
        <Group justify="space-between" wrap="nowrap">
          <Text size="sm" c="dimmed">
            {home.label}
          </Text>
          <Text size="sm" c="dimmed" style={{ fontVariantNumeric: 'tabular-nums' }}>
            {home.total}
          </Text>
        </Group>
      )}
    </Stack>
  )
}
