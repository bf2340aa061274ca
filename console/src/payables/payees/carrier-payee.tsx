import { Anchor, Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMe } from '../../app/api/me.ts'
import { IconPlus } from '../../app/icons/icons.ts'
import { Failed } from '../../app/parts/failed.tsx'
import { Panel } from '../../app/parts/panel.tsx'
import { PayeeLink } from './links.tsx'
import { payeeOfQuery } from './queries.ts'
import { destinationOf, PayeeState } from './words.tsx'

/** On the page of a carrier: where its money goes. */
export function CarrierPayee({ carrier }: { carrier: string }) {
  const { may } = useMe()
  const { data, error, refetch } = useQuery(payeeOfQuery(carrier))
  const add = data === null && may('enter') && (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconPlus size={14} aria-hidden />}
      renderRoot={(props) => <Link to="/payees/new" search={{ carrier }} {...props} />}
    >
      New payee for this carrier
    </Button>
  )
  return (
    <Panel title="Payee" actions={add}>
      {error && <Failed error={error} what="the payee" retry={() => void refetch()} />}
      {data === null && (
        <Text size="sm" c="dimmed">
          None yet. Payment runs leave the carrier out until it has one.
        </Text>
      )}
      {data && (
        <Group gap="sm" fz="sm">
          <Anchor fw={600} size="sm" renderRoot={(props) => <Link to={`/payees/${data.id}`} {...props} />}>
            {data.name}
          </Anchor>
          <PayeeState payee={data} />
          {data.factor_payee_id ? (
            <span>
              Paid to <PayeeLink id={data.factor_payee_id} />
            </span>
          ) : (
            <span>{destinationOf(data)}</span>
          )}
        </Group>
      )}
    </Panel>
  )
}
