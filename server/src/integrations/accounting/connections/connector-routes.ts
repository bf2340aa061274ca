import Type from 'typebox'
import { ok } from '../../../platform/http/answers/answers.ts'
import type { App } from '../../../platform/http/edge/app.ts'
import { answers } from '../../../platform/http/openapi/openapi.ts'
import { adapterOf, applicationOf } from '../adapters/online.ts'
import { connectors } from '../catalogue.ts'
import { tags } from '../paths.ts'
import type { Parts } from './tokens.ts'

/** The accounting systems that there are. */
export function connectorRoute(app: App, parts: Parts): void {
  app.get(
    '/connectors',
    {
      config: { scope: 'connectors_orgs' },
      schema: {
        tags,
        operationId: 'listConnectors',
        summary: 'List connectors',
        description: 'Lists the accounting systems that an organization can be connected with, and what each can do.',
        response: answers({ 200: Type.Object({ connectors: Type.Array(Type.Ref('Connector')) }) }),
      },
    },
    async () =>
      ok(
        JSON.stringify({
          connectors: connectors
            .map((connector) => ({ ...connector, has_application: hasApplication(parts, connector.id) }))
            .map(shown),
        }),
      ),
  )
}

function hasApplication({ services }: Parts, id: string): boolean {
  const adapter = adapterOf(id)
  return adapter !== undefined && applicationOf(adapter, services, {}) !== null
}

function shown({ settings, ...connector }: (typeof connectors)[number] & { has_application: boolean }) {
  return {
    ...connector,
    settings: settings.map(({ name, description, example, list }) => ({ name, description, example, list })),
  }
}
