import type { ApplicationType, Flow } from './application.ts'

export const typeWords: Record<ApplicationType, { name: string; means: string }> = {
  confidential: { name: 'Confidential', means: 'Can keep a secret: a program on your own server.' },
  public: {
    name: 'Public',
    means: 'Cannot keep a secret: a mobile app, a desktop program or a web page. It signs people in with PKCE.',
  },
}

export const flowWords: Record<Flow, { name: string; means: string }> = {
  authorization_code: { name: 'Authorization code', means: 'People sign in and allow access. Needs a redirect URI.' },
  refresh_token: { name: 'Refresh token', means: 'New access tokens without asking people again, for up to 90 days.' },
  client_credentials: {
    name: 'Client credentials',
    means: 'The application acts on its own behalf: for servers and scheduled jobs.',
  },
  password: { name: 'Password', means: 'The application exchanges people’s passwords for tokens.' },
}

export const flows = Object.keys(flowWords) as Flow[]

/** These flows need the client secret, so a public application cannot have them. */
export const secretFlows: readonly Flow[] = ['client_credentials', 'password']

export const passwordWarning =
  'The application sees people’s passwords, which RFC 9700 advises against. Enable this flow only for a program that cannot open a browser.'

export const pkceWords = {
  means:
    'People can sign in only if the application sends a code challenge. Switch it on when the application supports PKCE.',
  always: 'Public applications always use PKCE.',
}

export const noScopes = 'No scopes selected: the application cannot do anything yet.'
