import { Anchor, Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { IconPlus } from '../../app/icons/icons.ts'
import { Failed } from '../../app/parts/failed.tsx'
import { Panel } from '../../app/parts/panel.tsx'
import { DataTable } from '../../app/table/data-table.tsx'
import { columnsOf, pathsOf } from '../boards/view.ts'
import { useFreightZones } from '../form/freight-times.ts'
import { useMoney } from '../kinds/amounts.ts'
import { type Field, type Kind, type PlatformObject, targetOf } from '../kinds/kind.ts'
import { firstQuery, useKinds } from '../kinds/queries.ts'
import { columnsFor } from '../list/columns.tsx'

const most = 5

/** What refers to this object, a panel for each kind: the orders of a customer, the legs and manifests of an order. */
export function Related({ kind, object }: { kind: Kind; object: PlatformObject }) {
  const referring = useKinds().flatMap((other) =>
    other.fields.filter((field) => targetOf(field) === kind.objectKey).map((field) => ({ other, field })),
  )
  return referring.map(({ other, field }) => {
    const alone = referring.filter((one) => one.other === other).length === 1
    const title = alone ? other.plural : `${other.plural}, ${field.name.toLowerCase()}`
    return (
      <Referring
        key={`${other.objectKey}.${field.key}`}
        title={title}
        kind={kind}
        other={other}
        field={field}
        object={object}
      />
    )
  })
}

type ReferringProps = { title: string; kind: Kind; other: Kind; field: Field; object: PlatformObject }

function Referring({ title, kind, other, field, object }: ReferringProps) {
  const filter = { field: field.key, op: 'eq' as const, value: object.id }
  // The field that refers here is the same in every row.
  const chosen = columnsOf({}, other).filter((path) => path !== field.key)
  const { data, error, refetch } = useQuery(
    firstQuery({ objectKey: other.objectKey, filter, paths: pathsOf(chosen, other) }, most),
  )
  const moneyIn = useMoney(other)
  const zonesIn = useFreightZones(other)
  return (
    <Panel title={title} actions={<NewButton kind={kind} other={other} field={field} object={object} />}>
      {error && <Failed error={error} what={`the ${other.plural.toLowerCase()}`} retry={() => void refetch()} />}
      {data?.total === 0 && (
        <Text size="sm" c="dimmed">
          None yet.
        </Text>
      )}
      {data && data.total > 0 && (
        <DataTable
          label={title}
          columns={columnsFor(other, chosen, moneyIn, zonesIn)}
          rows={data.objects}
          keyOf={({ id }) => id}
        />
      )}
      {data && data.total > most && (
        <Anchor
          size="sm"
          mt="xs"
          display="inline-block"
          renderRoot={(props) => <Link to={`/objects/${other.objectKey}`} search={{ filter }} {...props} />}
        >
          All {data.total.toLocaleString()} {other.plural.toLowerCase()}
        </Anchor>
      )}
    </Panel>
  )
}

/** The new object is filled in with this one; its form fills in more of what is known from it. */
function NewButton({ kind, other, field, object }: Omit<ReferringProps, 'title'>) {
  const search = { for: `${field.key}:${object.id}` }
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconPlus size={14} aria-hidden />}
      renderRoot={(props) => <Link to={`/objects/${other.objectKey}/new`} search={search} {...props} />}
    >
      New {other.name.toLowerCase()} for this {kind.name.toLowerCase()}
    </Button>
  )
}
