import { SignedOut } from '@lading/sdk/sign-in'
import { useCallback, useEffect, useState } from 'react'
import { Problem, wordsFor } from '../../app/api/problem.ts'
import { leaveToSignIn, readSecret } from './session.ts'

export type PortalReading<T> = { data: T | undefined; problem: string | null; again: () => Promise<void> }

/** What a page shows, read when it opens and again when something was done. `key` says when it is something else. */
export function useAsked<T>(key: string, ask: () => Promise<T>): PortalReading<T> {
  const [state, setState] = useState<{ key: string; data?: T; problem: string | null }>({ key, problem: null })
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is asked is what the key says
  const again = useCallback(async () => {
    try {
      const data = await ask()
      setState({ key, data, problem: null })
    } catch (error) {
      if (!leftWhenSignedOut(error)) setState((before) => ({ ...before, key, problem: wordsFor(error) }))
    }
  }, [key])
  useEffect(() => void again(), [again])
  const current = state.key === key ? state : { problem: null, data: undefined }
  return { data: current.data, problem: current.problem, again }
}

export type PortalChange = {
  run: (work: () => Promise<unknown>) => Promise<boolean>
  isBusy: boolean
  problem: string | null
}

/** A change: one at a time, and nothing is shown as done before the server has done it. */
export function useDoing(): PortalChange {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const run = async (work: () => Promise<unknown>) => {
    setBusy(true)
    setProblem(null)
    try {
      await work()
      return true
    } catch (error) {
      if (!leftWhenSignedOut(error)) setProblem(wordsFor(error))
      return false
    } finally {
      setBusy(false)
    }
  }
  return { run, isBusy, problem }
}

function leftWhenSignedOut(error: unknown): boolean {
  const isSignedOut = error instanceof SignedOut || (error instanceof Problem && error.status === 401)
  if (!isSignedOut || readSecret() !== null) return false
  leaveToSignIn().catch(() => {})
  return true
}
