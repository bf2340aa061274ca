import { Text } from '@mantine/core'
import { settings } from '../../../app/api/settings.ts'
import { Command } from '../../../app/copying/command.tsx'
import { Panel } from '../../../app/parts/panel.tsx'
import type { Application } from '../application.ts'
import { flowWords } from '../words.ts'
import { commandOfFirstCall, commandsFor } from './commands.ts'

/** Commands to try each flow. */
export function TryIt({ application }: { application: Application }) {
  const flows = commandsFor(application, settings)
  return (
    <>
      {flows.length === 0 && <Text mb="lg">No flow is enabled, so the application cannot get a token.</Text>}
      {flows.map(({ flow, lead, commands }) => (
        <Panel key={flow} title={flowWords[flow].name} lead={lead}>
          {commands.map(({ label, text }) => (
            <Command key={label} label={label} text={text} />
          ))}
        </Panel>
      ))}
      <Panel title="First request" lead="Set TOKEN to the access_token of one of the answers above first.">
        <Command label="Show who is signed in" text={commandOfFirstCall(settings)} />
      </Panel>
    </>
  )
}
