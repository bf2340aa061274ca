import { Alert, Checkbox, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { IconAlertTriangle } from '../../../app/icons/icons.ts'
import type { ApplicationType, Flow } from '../application.ts'
import { flows, flowWords, passwordWarning, secretFlows } from '../words.ts'

type FlowsFieldProps = {
  type: ApplicationType
  value: readonly Flow[]
  onChange: (flows: Flow[]) => void
  error: ReactNode
}

export function FlowsField({ type, value, onChange, error }: FlowsFieldProps) {
  return (
    <Checkbox.Group
      value={[...value]}
      onChange={(next) => onChange(flows.filter((flow) => next.includes(flow)))}
      error={error}
      aria-label="Flows"
    >
      <Stack gap="sm">
        {flows.map((flow) => {
          const impossible = type === 'public' && secretFlows.includes(flow)
          const means = impossible
            ? `${flowWords[flow].means} Not for public applications, which cannot keep a secret.`
            : flowWords[flow].means
          return (
            <Checkbox key={flow} value={flow} label={flowWords[flow].name} description={means} disabled={impossible} />
          )
        })}
        {value.includes('password') && (
          <Alert
            variant="default"
            icon={<IconAlertTriangle aria-hidden />}
            title="The password flow is enabled"
            role="note"
          >
            {passwordWarning}
          </Alert>
        )}
      </Stack>
    </Checkbox.Group>
  )
}
