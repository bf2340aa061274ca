import { fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import type { CompressedText } from '../../platform/http/answers/prepared.ts'
import type { Settings } from '../../settings.ts'

export type Reference = { pages: { path: string; html: string }[]; script: CompressedText }

/** The pages of the reference, one for each area, and their script, as draw-reference.ts makes them. */
export async function drawReference({ publicUrl }: Settings): Promise<Reference> {
  const child = fork(new URL('./draw-reference.ts', import.meta.url), [publicUrl], {
    serialization: 'advanced',
    execArgv: [],
  })
  const ended = once(child, 'exit').then(([code]) =>
    Promise.reject(new Error(`the API reference could not be drawn (exit code ${code})`)),
  )
  const [drawn] = await Promise.race([once(child, 'message'), ended])
  child.kill()
  return drawn
}

/**
 * The page starts itself with one inline script, which the policy names by its hash, and it may call this installation only. Its styles are made
 * while it runs, so they cannot be named.
 */
export function referencePolicy(html: string, { publicUrl, networkUrl, authUrl }: Settings): string {
  const scripts = [...html.matchAll(/<script type="text\/javascript">([\s\S]*?)<\/script>/g)].map(
    ([, inline = '']) => `'sha256-${sha256(inline)}'`,
  )
  const ours = new Set([publicUrl, networkUrl, authUrl].map((url) => new URL(url).origin))
  return `default-src 'none'; script-src 'self' ${scripts.join(' ')}; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self' ${[...ours].join(' ')}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}
