/** What the server told this page about the installation; see server/src/console/routes.ts. */
export type Settings = {
  version: string
  publicUrl: string
  networkUrl: string
  authUrl: string
  audience: string
  clientId: string
  scope: string
}

export const settings: Settings = JSON.parse(document.querySelector<HTMLMetaElement>('meta[name=lading-settings]')?.content ?? '{}')

/** By this the page's policy knows the styles that its own scripts add. */
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? ''
