import type { Settings } from '../../settings.ts'
import type { Guide } from './guides.ts'
import { type ApiDescription, operationsByTag } from './operations.ts'

/** A table of contents in Markdown for programs that read documentation (llmstxt.org): what it is, where the guides are as text, every operation. */
export function llmsText(document: ApiDescription, guides: readonly Guide[], { publicUrl }: Settings): string {
  const { title, summary = '', version } = document.info
  const link = (label: string, path: string, about: string) => `- [${label}](${publicUrl}${path}): ${about}`
  const resources = [...operationsByTag(document)].map(
    ([tag, operations]) =>
      `### ${tag}\n\n${operations.map(({ method, path, operation }) => `- \`${method} ${path}\`: ${operation.summary}`).join('\n')}`,
  )
  return `# ${title} ${version}

> ${summary}

The API is at ${publicUrl}. Every request carries an access token: \`Authorization: Bearer <access token>\`; the guide OAuth says how to get one.

## Guides

${guides.map(({ name, label, about }) => link(label, `/docs/${name}.md`, about)).join('\n')}

## Descriptions for tools

${link('OpenAPI document', '/openapi.json', 'every operation with its parameters, bodies and answers.')}
${link('Postman collection', '/docs/postman.json', 'every operation as a request.')}
${link('SDK', '/docs/lading-sdk.tgz', 'the client for TypeScript and JavaScript, as a package that npm installs from this address.')}
${link('API reference', '/docs/', 'the same for people, with a form to send requests.')}

## Operations

${resources.join('\n\n')}
`
}
