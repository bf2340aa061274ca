import { Anchor, List, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Panel } from '../parts/panel.tsx'
import { type Field, type Kind, type PlatformObject, targetOf } from './kind.ts'
import { useKinds } from './queries.ts'

/** Links to the objects that refer to this one: the orders of a customer, the legs of a manifest. */
export function Related({ kind, object }: { kind: Kind; object: PlatformObject }) {
  const referring = useKinds().flatMap((other) => other.fields.filter((field) => targetOf(field) === kind.objectKey).map((field) => ({ other, field })))
  return (
    <Panel title={`Objects that refer to ${object.name}`}>
      {referring.length === 0 ? (
        <Text size="sm" c="dimmed">
          No kind of object has a field that refers to {kind.plural.toLowerCase()}.
        </Text>
      ) : (
        <List size="sm" spacing="xs">
          {referring.map(({ other, field }) => (
            <List.Item key={`${other.objectKey}.${field.key}`}>
              <Referring other={other} field={field} object={object} />
            </List.Item>
          ))}
        </List>
      )}
    </Panel>
  )
}

function Referring({ other, field, object }: { other: Kind; field: Field; object: PlatformObject }) {
  const search = { filter: { field: field.key, op: 'eq', value: object.id } }
  return (
    <Anchor size="sm" renderRoot={(props) => <Link to={`/objects/${other.objectKey}`} search={search} {...props} />}>
      {other.plural}: {field.name.toLowerCase()} is {object.name}
    </Anchor>
  )
}
