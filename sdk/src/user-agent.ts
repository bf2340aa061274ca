/** That of package.json; a test compares the two. */
const version = '0.2.0'

type Runtime = { process?: { versions?: { node?: string } } }

/** Who asks, for the service's log. Undefined in browsers, which say themselves what they are, and would ask the service first whether this may be sent. */
export const userAgent = agentOf((globalThis as Runtime).process?.versions?.node)

function agentOf(node: string | undefined): string | undefined {
  return node === undefined ? undefined : `lading-sdk/${version} node/${node}`
}
