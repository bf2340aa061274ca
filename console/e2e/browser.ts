/** A real Chromium, and a visitor in it who notices what a person would not: blocked content, foreign requests, errors in the page. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import axe from 'axe-core'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { product } from './product.ts'

/** Where `scripts/install-browser.sh` puts one of our own. */
const brought = fileURLToPath(new URL('../../.cache/browser/chromium', import.meta.url))

const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  brought,
]

export const missingBrowser =
  'The browser tests need Chromium; there is none here, and none could be brought. Install it (Debian, as root: apt-get install chromium), or say where it is with CHROMIUM_PATH.'

export function findChromium(): string | null {
  const given = process.env.CHROMIUM_PATH
  if (given) return existsSync(given) ? given : null
  return places.find((path) => existsSync(path)) ?? null
}

/** Chromium loads two pages of its own for the address bar of every window, which take longer than most of ours. */
const unseen = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup']
/** What Playwright turns off; of two such lists Chromium takes the last. */
const turnedOff = [
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades', 'HttpsFirstBalancedModeAutoEnable', 'LensOverlay'],
  ...['MediaRouter', 'PaintHolding', 'ThirdPartyStoragePartitioning', 'AvoidCorsURLLoaderRestartOnRedirect', 'OptimizationHints'],
  ...['NetworkTimeServiceQuerying', 'AimEnabled', 'PreconnectToSearch'],
]

const quiet = [
  ...['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  `--disable-features=${[...turnedOff, ...unseen].join(',')}`,
]

let opened: Promise<Browser> | undefined

/** One browser for all files of a process, closed when they are done. */
export function openBrowser(): Promise<Browser> {
  opened ??= launch()
  return opened
}

async function launch(): Promise<Browser> {
  const executablePath = findChromium()
  if (!executablePath) throw new Error(missingBrowser)
  // Chromium's own sandbox does not work for root.
  const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox', ...quiet] : quiet })
  after(() => browser.close())
  return browser
}

/** A browser profile of its own. When the test ends, nothing may have been blocked, have failed in the page, or have been asked of anyone but `mayAsk`. */
export async function visit(t: TestContext, browser: Browser, { mayAsk = [], ...options }: BrowserContextOptions & { mayAsk?: string[] } = {}): Promise<Page> {
  // Nobody watches, so nothing has to glide: what moves costs time and says nothing.
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  const page = await context.newPage()
  // Patience for a machine that runs the tests of the server beside these.
  page.setDefaultTimeout(180_000)
  const allowed = [product().url, ...mayAsk].map((url) => new URL(url).origin)
  const troubles: string[] = []
  context.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    if (/^https?:$/.test(protocol) && !allowed.includes(origin)) troubles.push(`asked ${request.url()}`)
  })
  // A refusal of ours is an answer, not a fault of the page; browsers log it all the same.
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !message.text().startsWith('Failed to load resource')) troubles.push(message.text())
  })
  context.on('weberror', (error) => troubles.push(String(error.error())))
  t.after(async () => {
    await context.close()
    assert.deepEqual(troubles, [])
  })
  return page
}

/** WCAG 2.2 AA as far as a machine can tell, with the contrast of the dark colours too; and nothing to scroll to sideways on the smallest phone. */
export async function assertGoodPage(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' })
  await assertAccessible(page, { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'] })
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.evaluate(settled)
  await assertAccessible(page, { type: 'rule', values: ['color-contrast'] })
  const before = page.viewportSize()
  await page.setViewportSize({ width: 320, height: 800 })
  const [width, seen] = (await page.evaluate('[document.documentElement.scrollWidth, document.documentElement.clientWidth]')) as [number, number]
  assert.ok(width <= seen, `${await page.title()} is ${width} wide on a screen of ${seen}`)
  if (before) await page.setViewportSize(before)
}

/** The page has taken in what changed, and every colour that passes into another has arrived: in between, none has the contrast of either. */
const settled = `new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))).then(() =>
  Promise.all(document.getAnimations().filter(({ effect }) => effect.getComputedTiming().iterations !== Infinity).map(({ finished }) => finished.catch(() => {}))).then(() => {}))`

/** Brings the checker into a page once, and out of it only what is wrong: it is half a megabyte, and finds thousands of things in order. */
async function assertAccessible(page: Page, runOnly: axe.RunOnly): Promise<void> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source)
  const options: axe.RunOptions = { runOnly, resultTypes: ['violations'], iframes: false, performanceTimer: false }
  const violations = await page.evaluate<axe.Result[]>(`axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`)
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('; ')}`)
  assert.deepEqual(found, [], `${await page.title()} at ${page.url()}`)
}
