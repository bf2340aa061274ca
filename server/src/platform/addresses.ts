import type { Settings } from '../settings.ts'

/** Where the parts of this installation are, by the names that demo.json and the guides use. */
export function addressesOf({ publicUrl, networkUrl, authUrl, audience }: Settings) {
  return {
    base_url: publicUrl,
    network_url: networkUrl,
    auth_url: authUrl,
    authorize_url: `${authUrl}/oauth2/authorize`,
    token_url: `${authUrl}/oauth2/token`,
    audience,
  }
}

/** The text with `{token_url}` and the like replaced by the addresses of this installation. */
export function withAddresses(text: string, settings: Settings): string {
  const addresses: Record<string, string> = addressesOf(settings)
  return text.replace(/\{(\w+)\}/g, (placeholder, name) => addresses[name] ?? placeholder)
}
