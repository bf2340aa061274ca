import { readFileSync } from 'node:fs'

/** An example of the README, by the name behind its fence. */
export function exampleIn(name: string): string {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const code = readme.split(`\`\`\`ts ${name}\n`)[1]?.split('\n```\n')[0]
  if (!code) throw new Error(`the README has no example ${name}`)
  return code
}
