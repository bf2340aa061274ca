import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { findChromium, missingBrowser } from './browser.ts'

const installer = fileURLToPath(new URL('../../scripts/install-browser.sh', import.meta.url))

/** Ends the process where there is no browser and none could be installed. */
export function requireBrowser(): void {
  if (findChromium()) return
  // Nothing is installed where CHROMIUM_PATH names a browser, even a wrong one.
  if (!process.env.CHROMIUM_PATH) spawnSync('bash', [installer], { stdio: 'inherit' })
  if (findChromium()) return
  process.stderr.write(`${missingBrowser}\n`)
  process.exit(1)
}

if (import.meta.main) requireBrowser()
