import { SignedOut } from '@lading/sdk/sign-in'
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { Problem } from './problem.ts'
import { leaveToSignIn } from './session.ts'

/** An answer stays fresh for half a minute. A refused request is not repeated; a lost connection, and what an organization had too much under way for, is tried again. */
export function makeQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: (error) => void leaveWhenSignedOut(error) }),
    mutationCache: new MutationCache({ onError: (error) => void leaveWhenSignedOut(error) }),
    defaultOptions: {
      // A write without a connection fails at once and says so; waiting, it would be done at a time that nobody expects.
      mutations: { networkMode: 'always' },
      queries: { staleTime: 30_000, retry: (times, error) => times < 2 && canSucceed(error) },
    },
  })
}

function canSucceed(error: unknown): boolean {
  return error instanceof Problem ? error.status >= 500 || error.status === 429 : !(error instanceof SignedOut)
}

/** Answers whether it did. */
export function leaveWhenSignedOut(error: unknown): boolean {
  const isSignedOut = error instanceof SignedOut || (error instanceof Problem && error.status === 401)
  if (isSignedOut) leaveToSignIn().catch(() => {})
  return isSignedOut
}
