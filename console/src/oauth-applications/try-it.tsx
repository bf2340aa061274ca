import { Text } from '@mantine/core'
import { Command } from '../parts/command.tsx'
import { Panel } from '../parts/panel.tsx'
import { settings } from '../settings.ts'
import type { Application } from './application.ts'
import { commandsFor, firstCall } from './commands.ts'
import { flowWords } from './words.ts'

/** Each flow as it is used, ready to be pasted. */
export function TryIt({ application }: { application: Application }) {
  const flows = commandsFor(application, settings)
  return (
    <>
      {flows.length === 0 && <Text mb="lg">No flow is switched on, so there is no way to get a token.</Text>}
      {flows.map(({ flow, lead, commands }) => (
        <Panel key={flow} title={flowWords[flow].name} lead={lead}>
          {commands.map(({ label, text }) => (
            <Command key={label} label={label} text={text} />
          ))}
        </Panel>
      ))}
      <Panel title="The first call" lead="With the access_token of any of these answers.">
        <Command label="Who am I" text={firstCall(settings)} />
      </Panel>
    </>
  )
}
