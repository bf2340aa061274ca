/** Checked by every TypeScript that the package promises, and by our own on its sources; never run. */
import { createLading, type Lading, type Paths, type Schemas } from '@lading/sdk'
import { createSignIn, NotAllowedIn, SignedOut, type SignIn, type SignInOptions } from '@lading/sdk/sign-in'

const lading: Lading = createLading({ baseUrl: 'https://tms.example.com', token: async () => 'token' })

export async function search(): Promise<Schemas['Bill'][]> {
  const { data, error } = await lading.GET('/api/v1/bills', { params: { query: { status_ids: ['sent'], limit: 5 } } })
  if (error) throw new Error(error.error_message)
  const total: number = data.total
  return total === 0 ? [] : data.bills
}

export async function update(tag: string): Promise<void> {
  await lading.PUT('/api/v1/bills/{billID}', {
    params: { path: { billID: 'ext:TMS-4711' }, header: { 'If-Match': tag } },
    body: { reference_number: 'PO 7' },
  })
}

export async function mistakes(): Promise<void> {
  // @ts-expect-error: there is no such path.
  await lading.GET('/api/v1/nonsense')
  // @ts-expect-error: a limit is a number.
  await lading.GET('/api/v1/bills', { params: { query: { limit: 'ten' } } })
  // @ts-expect-error: there is no such state.
  await lading.GET('/api/v1/bills', { params: { query: { status_ids: ['nonsense'] } } })
}

export type Query = NonNullable<Paths['/api/v1/bills']['get']['parameters']['query']>

export function signIn(options: SignInOptions): SignIn {
  const made = createSignIn(options)
  made.token().catch((error: unknown) => (error instanceof SignedOut ? made.begin('/') : error instanceof NotAllowedIn && error.code))
  return made
}
