import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import type { CompressedText } from '../../platform/http/answers/prepared.ts'

/** What a visitor may fetch of the console: its page and that of the partner portal, and the files they ask for, by their names. */
export type ConsoleFiles = {
  page: string
  portal: string
  assets: ReadonlyMap<string, { type: string } & CompressedText>
}

const built = new URL('../../../../console/dist/', import.meta.url)
const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json; charset=utf-8',
}

/** What to do where there is no console to serve; null where there is one. */
export function missingConsole(): string | null {
  return existsSync(new URL('index.html', built))
    ? null
    : 'The console is not built, so only the API is served. Run "npm ci && npm run build", then start again.'
}

/** Read together, so that a page and its files belong together even where a new build takes the place of the old one while we run. */
export function readConsole(): ConsoleFiles {
  try {
    const names = readdirSync(new URL('assets/', built)).filter((name) => extname(name) in types)
    return {
      page: readFileSync(new URL('index.html', built), 'utf8'),
      portal: readFileSync(new URL('portal.html', built), 'utf8'),
      assets: new Map(names.map((name) => [name, readAsset(name)])),
    }
  } catch (error) {
    if ((error as { code?: string }).code !== 'ENOENT') throw error
    return { page: unbuilt, portal: unbuilt, assets: new Map() }
  }
}

/** As the build compressed it. Its name contains a hash of its content, so the name is its tag. */
function readAsset(name: string): { type: string } & CompressedText {
  const read = (ending: string) => readFileSync(new URL(`assets/${name}${ending}`, built))
  return { type: types[extname(name)] as string, tag: name, br: read('.br'), gzip: read('.gz') }
}

/** `landing.html` and what it needs: plain files, good without a build. */
export function readPublic(name: string): string {
  return readFileSync(new URL(`../../../../console/public/${name}`, import.meta.url), 'utf8')
}

const unbuilt = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>Lading</title></head>
<body><h1>The console is not built</h1><p>Run <code>npm ci &amp;&amp; npm run build</code> where Lading is installed, then start it again.</p></body></html>
`
