import { Group, Pill, Text } from '@mantine/core'
import { amountOf } from '../../app/values/money.ts'
import { typedNumberOf } from '../../app/values/numbers.ts'
import { comparedShape, type Filter, filterOf, type Row, rowsOf, takesNoValue, wordsFor } from '../kinds/filter.ts'
import { comparablePlaces, currencyField, type Kind, type Place, targetOf, wordsOf } from '../kinds/kind.ts'
import { useReferred } from '../kinds/queries.ts'

type FilterSummaryProps = { kind: Kind; filter: Filter | undefined; onFilter: (filter: Filter | undefined) => void }

/** The conditions of the filter in words; each can be removed. */
export function FilterSummary({ kind, filter, onFilter }: FilterSummaryProps) {
  const read = rowsOf(filter, kind)
  if (!filter) return null
  if (!read) {
    return (
      <Group gap={6} mb="sm">
        <Condition words="Custom filter" remove={() => onFilter(undefined)} />
      </Group>
    )
  }
  const { match, rows } = read
  const places = comparablePlaces(kind)
  return (
    <Group gap={6} mb="sm">
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the conditions have no id of their own
        <Group key={index} gap={6}>
          {index > 0 && (
            <Text size="xs" c="dimmed">
              {match}
            </Text>
          )}
          <RowPill
            kind={kind}
            place={places.find(({ path }) => path === row.field) as Place}
            row={row}
            remove={() => onFilter(filterOf({ match, rows: rows.filter((_, other) => other !== index) }, kind))}
          />
        </Group>
      ))}
    </Group>
  )
}

function RowPill({
  kind,
  place: { label, shape },
  row: { choice, value },
  remove,
}: {
  kind: Kind
  place: Place
  row: Row
  remove: () => void
}) {
  const compared = comparedShape(shape)
  const target = targetOf(shape)
  const referred = useReferred(target ?? '', target && typeof value === 'string' && value ? [value] : [])
  const one = (text: string) => {
    // Its name takes the place of the id when it is read.
    if (target) return referred.get(text)?.name ?? text
    if (compared.type === 'boolean') return text === 'true' ? 'yes' : 'no'
    if (compared.type === 'money') return amountOf(Number(text), currencyField(kind) ? 2 : 0)
    if (compared.type === 'number' || compared.type === 'integer') return typedNumberOf(Number(text))
    return compared.options ? wordsOf(text) : text
  }
  const valueWords = takesNoValue(choice) ? '' : ` ${[value].flat().map(one).join(', ')}`
  return <Condition words={`${label} ${wordsFor(choice, compared)}${valueWords}`} remove={remove} />
}

function Condition({ words, remove }: { words: string; remove: () => void }) {
  return (
    <Pill
      withRemoveButton
      onRemove={remove}
      size="md"
      maw="100%"
      removeButtonProps={{ 'aria-label': `Remove: ${words}`, tabIndex: 0, 'aria-hidden': false }}
    >
      {words}
    </Pill>
  )
}
