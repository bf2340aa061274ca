import { Anchor, List, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Panel } from '../parts/panel.tsx'
import { type Field, type Kind, type PlatformObject, targetOf } from './kind.ts'
import { useKinds } from './queries.ts'

/** The lists of what refers to an object: the orders of a customer, the legs of a manifest. */
export function Related({ kind, object }: { kind: Kind; object: PlatformObject }) {
  const pointing = useKinds().flatMap((other) => other.fields.filter((field) => targetOf(field) === kind.objectKey).map((field) => ({ other, field })))
  return (
    <Panel title={`What refers to ${object.name}`}>
      {pointing.length === 0 ? (
        <Text size="sm" c="dimmed">
          No kind has a field that points to {kind.plural.toLowerCase()}.
        </Text>
      ) : (
        <List size="sm" spacing="xs">
          {pointing.map(({ other, field }) => (
            <List.Item key={`${other.objectKey}.${field.key}`}>
              <Pointing other={other} field={field} object={object} />
            </List.Item>
          ))}
        </List>
      )}
    </Panel>
  )
}

function Pointing({ other, field, object }: { other: Kind; field: Field; object: PlatformObject }) {
  const search = { filter: { field: field.key, op: 'eq', value: object.id } }
  return (
    <Anchor size="sm" renderRoot={(props) => <Link to={`/objects/${other.objectKey}`} search={search} {...props} />}>
      {other.plural} with this as their {field.name.toLowerCase()}
    </Anchor>
  )
}
