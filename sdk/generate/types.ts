/** Writes src/schema.d.ts, the types of the API; with --check it only says whether the committed ones are current. */
import { readFileSync, writeFileSync } from 'node:fs'
import openapiTypes, { astToString, COMMENT_HEADER } from 'openapi-typescript'

const description = JSON.parse(readFileSync(new URL('../../server/openapi.json', import.meta.url), 'utf8'))
// A field with a default may be left out of what is sent.
const types = await openapiTypes(withoutExamples(description) as never, { defaultNonNullable: false })
const text = `${COMMENT_HEADER}${astToString(types)}`
const file = new URL('../src/schema.d.ts', import.meta.url)
if (!process.argv.includes('--check')) writeFileSync(file, text)
else if (readFileSync(file, 'utf8') !== text) {
  process.stderr.write(
    'sdk/src/schema.d.ts is not what server/openapi.json says. Run npm run generate and commit the result.\n',
  )
  process.exitCode = 1
}

/** Examples were a quarter of what an editor reads; the reference has them. In `properties` the names are those of fields. */
function withoutExamples(node: unknown, isMap = false): unknown {
  if (Array.isArray(node)) return node.map((inner) => withoutExamples(inner))
  if (typeof node !== 'object' || node === null) return node
  const kept = Object.entries(node).filter(([key]) => isMap || (key !== 'example' && key !== 'examples'))
  return Object.fromEntries(kept.map(([key, value]) => [key, withoutExamples(value, !isMap && key === 'properties')]))
}
