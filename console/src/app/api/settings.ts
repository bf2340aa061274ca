/** Facts about the installation that the server puts into the page; see server/src/tools/console/routes.ts. */
export type Settings = {
  version: string
  publicUrl: string
  networkUrl: string
  authUrl: string
  audience: string
  clientId: string
  scope: string
}

export const settings: Settings = JSON.parse(
  document.querySelector<HTMLMetaElement>('meta[name=lading-settings]')?.content ?? '{}',
)

/** Allows the styles that the page's own scripts add under its content security policy. */
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? ''
