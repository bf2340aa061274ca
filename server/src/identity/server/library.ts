/**
 * oidc-provider greets every start on a Node newer than the long-term releases it knows with a warning. Nobody who runs Lading can act on it,
 * and the tests run on the very Node that is pinned, so it is kept quiet.
 */
const { warn } = console
console.warn = () => {}
const library = await import('oidc-provider')
console.warn = warn

export const { Provider, errors, interactionPolicy } = library
