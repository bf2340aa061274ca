import type { FastifyReply, FastifyRequest } from 'fastify'
import { invalid } from '../../core/refusal.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The query asks for a dry run. */
    isTry: boolean
  }
}

type Asking = Pick<FastifyRequest, 'headers'>

/** `Prefer: handling=strict`: what is unknown is refused instead of ignored. */
export function isStrict(request: Asking): boolean {
  return preferencesOf(request).some(({ name, value }) => name === 'handling' && value === 'strict')
}

/** `Prefer: dry-run` or `?dry_run=true`, of a write: everything is done but kept. */
export function isDryRun(request: Asking & Pick<FastifyRequest, 'isTry'>): boolean {
  const preferred = preferencesOf(request).filter(({ name }) => isDryRunName(name))
  const wrong = preferred.find(({ value }) => !['', 'true', 'false'].includes(value))
  if (wrong) throw invalid('Prefer', 'wrong_type', 'The preference "dry-run" takes no value, or true or false.')
  return request.isTry || preferred.some(({ value }) => value !== 'false')
}

/** Whether a request asks for a dry run, by header or query, in whatever spelling: also one that was refused before anybody looked. */
export function asksForDryRun(request: Asking & Pick<FastifyRequest, 'isTry' | 'query'>): boolean {
  const asks = ([name, value]: [string, unknown]) => isDryRunName(name) && String(value) !== 'false'
  return (
    request.isTry ||
    Object.entries(request.query ?? {}).some(asks) ||
    preferencesOf(request).some(({ name, value }) => asks([name, value]))
  )
}

/** `dry_run`, `dryRun`, `dry-run`, `DRY_RUN[]`: whoever writes any of these must not find the write done. */
export function isDryRunName(name: string): boolean {
  return /^[\W_]*dry[\W_]*run[\W_\d]*$/i.test(name)
}

/** Says in the answer that a preference was followed, next to those that were named before. */
export function namePreference(reply: FastifyReply, preference: string): void {
  const before = reply.getHeader('preference-applied')
  reply.header('preference-applied', before === undefined ? preference : `${before}, ${preference}`)
}

/** RFC 7240: preferences with commas between them, each with parameters behind semicolons, of which none means anything here. */
function preferencesOf({ headers: { prefer } }: Asking): { name: string; value: string }[] {
  if (prefer === undefined) return []
  return String(prefer)
    .toLowerCase()
    .split(/[,;]/)
    .map((part) => {
      const [name = '', value = ''] = part.split('=').map((piece) => piece.trim())
      return { name, value: value.replace(/^"(.*)"$/, '$1') }
    })
}
