/**
 * Says which of the expressions that it is given, as JSON, take more than their input's length explains. A process of its own: the library leaves one of
 * its own running. What was found to be linear is kept, since looking at one takes up to some seconds.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { json } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { check } from 'recheck'
import type { Expression } from './expressions.test.ts'

// Whatever the machine has: the library else looks for Java and for programs of its own, 52 MB that are not installed.
process.env.RECHECK_BACKEND = 'pure'

const kept = fileURLToPath(new URL('../../.cache/expressions.json', import.meta.url))
/** No limit by the clock, and nothing is tried out: what a busy machine finds is what any other finds. */
const unhurried = {
  timeout: null,
  attackTimeout: null,
  incubationTimeout: null,
  seedingTimeout: null,
  recallTimeout: -1,
} as const

const linear = new Set<string>(known())
const wrong: string[] = []
for (const { place, source, flags } of (await json(process.stdin)) as Expression[]) {
  const written = `/${source}/${flags}`
  if (linear.has(written)) continue
  const found = await check(source, flags.replace('v', 'u'), unhurried)
  if (found.status === 'safe') linear.add(written)
  else wrong.push(`${place} ${written}: ${found.status === 'vulnerable' ? found.complexity.summary : found.error.kind}`)
}
mkdirSync(dirname(kept), { recursive: true })
writeFileSync(kept, JSON.stringify([...linear].sort(), null, 1))
process.stdout.write(JSON.stringify(wrong), () => process.exit())

function known(): string[] {
  try {
    return JSON.parse(readFileSync(kept, 'utf8'))
  } catch {
    return []
  }
}
