import { Alert, Anchor, Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { IconAlertTriangle } from '../../app/icons/icons.ts'
import { wordsOf } from '../../records/kinds/kind.ts'
import type { Track } from './queries.ts'

type Crossing = Track['border_crossings'][number]

const names = { ace: 'into the United States (ACE)', aci: 'into Canada (ACI)' }

/** The border stops of a manifest, and what customs has accepted for each. */
export function BorderCrossings({ track: { border_crossings, stops } }: { track: Track }) {
  return border_crossings.map((crossing) => (
    <BorderCrossing
      key={crossing.stop_id}
      crossing={crossing}
      sequence={stops.find(({ id }) => id === crossing.stop_id)?.sequence ?? 0}
    />
  ))
}

function BorderCrossing({ crossing, sequence }: { crossing: Crossing; sequence: number }) {
  const { border, state, flagged } = crossing
  const where = `Stop ${sequence}${border ? `, ${names[border]}` : ''}`
  if (flagged)
    return (
      <Alert
        icon={<IconAlertTriangle size={18} aria-hidden />}
        variant="default"
        mt="sm"
        title={`${where}: crossed without an accepted e-manifest`}
      >
        <EmanifestLink crossing={crossing} />
      </Alert>
    )
  return (
    <Group gap="xs" mt="sm">
      <Text size="sm">
        {where}: {state ? `the e-manifest is ${wordsOf(state).toLowerCase()}.` : 'there is no e-manifest yet.'}
      </Text>
      <EmanifestLink crossing={crossing} />
    </Group>
  )
}

function EmanifestLink({ crossing: { emanifest_id } }: { crossing: Crossing }) {
  return (
    <Anchor
      size="sm"
      underline="always"
      renderRoot={(props) => <Link to={emanifest_id ? `/emanifests/${emanifest_id}` : '/emanifests'} {...props} />}
    >
      {emanifest_id ? 'Open the e-manifest' : 'To the e-manifests'}
    </Anchor>
  )
}
