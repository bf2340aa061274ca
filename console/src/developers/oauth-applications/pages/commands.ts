import type { Application, Flow } from '../application.ts'

type Addresses = { publicUrl: string; authUrl: string; audience: string }
type FlowCommands = { flow: Flow; lead: string; commands: { label: string; text: string }[] }

/** Shell commands for each flow of the application. Secrets are left as variables. */
export function commandsFor(application: Application, addresses: Addresses): FlowCommands[] {
  return application.grant_types.map((flow) => ({ flow, ...makers[flow](application, addresses) }))
}

export function commandOfFirstCall({ publicUrl }: Addresses): string {
  return `curl -s '${publicUrl}/api/v1/me' -H "Authorization: Bearer $TOKEN"`
}

type Maker = (application: Application, addresses: Addresses) => Omit<FlowCommands, 'flow'>

const makers: Record<Flow, Maker> = {
  client_credentials: (application, addresses) => ({
    lead: 'Set CLIENT_SECRET to the client secret first.',
    commands: [{ label: 'Get a token', text: tokenRequest(application, addresses, ['grant_type=client_credentials']) }],
  }),
  authorization_code: (application, addresses) => ({
    lead: 'Open the address in a browser, sign in and allow access. The address that you are sent to contains the code, which works for one minute.',
    commands: [
      { label: 'Print the address', text: `${proofKey}\n\necho "${authorizeUrl(application, addresses)}"` },
      {
        label: 'Exchange the code for tokens',
        text: tokenRequest(application, addresses, [
          'grant_type=authorization_code',
          `redirect_uri=${redirectOf(application)}`,
          { variable: 'code', name: 'CODE' },
          { variable: 'code_verifier', name: 'VERIFIER' },
        ]),
      },
    ],
  }),
  refresh_token: (application, addresses) => ({
    lead: 'A refresh token works once; the answer contains the next one. If one is used twice, all of them stop working.',
    commands: [
      {
        label: 'Get new tokens',
        text: tokenRequest(application, addresses, [
          'grant_type=refresh_token',
          { variable: 'refresh_token', name: 'REFRESH_TOKEN' },
        ]),
      },
    ],
  }),
  password: (application, addresses) => ({
    lead: 'Only for programs that cannot open a browser.',
    commands: [
      {
        label: 'Get a token for a person',
        text: tokenRequest(application, addresses, [
          'grant_type=password',
          { variable: 'username', name: 'EMAIL' },
          { variable: 'password', name: 'PASSWORD' },
        ]),
      },
    ],
  }),
}

const proofKey = `VERIFIER=$(openssl rand -hex 32)
CHALLENGE=$(printf %s "$VERIFIER" | openssl dgst -sha256 -binary | openssl base64 -A | tr '+/' '-_' | tr -d '=')`

function authorizeUrl(application: Application, { authUrl, audience }: Addresses): string {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: application.client_id,
    redirect_uri: redirectOf(application),
    audience,
    state: 'anything',
    code_challenge_method: 'S256',
  })
  return `${authUrl}/oauth2/authorize?${query}&code_challenge=$CHALLENGE`
}

function tokenRequest(
  { type, client_id }: Application,
  { authUrl, audience }: Addresses,
  fields: (string | { variable: string; name: string })[],
): string {
  const who = type === 'public' ? [`-d 'client_id=${client_id}'`] : [`-u "${client_id}:$CLIENT_SECRET"`]
  const written = fields.map((field) =>
    typeof field === 'string' ? `--data-urlencode '${field}'` : `--data-urlencode "${field.variable}=$${field.name}"`,
  )
  return [`curl -s '${authUrl}/oauth2/token'`, ...who, ...written, `--data-urlencode 'audience=${audience}'`].join(
    ' \\\n  ',
  )
}

/** The apostrophe is the only character of a registered address that needs quoting in a shell. */
function redirectOf({ redirect_uris }: Application): string {
  return (redirect_uris[0] ?? 'https://example.com/callback').replaceAll("'", '%27')
}
