/** A real Chromium, and pages in it that note blocked content, requests to other servers and errors in the page. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import axe from 'axe-core'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type ConsoleMessage,
  chromium,
  type Page,
  type Request,
  type WebError,
} from 'playwright-core'
import { isDeep, isPicked } from '../../server/test/depth.ts'
import { product } from './product.ts'

/** Where `scripts/install-browser.sh` puts it. */
const installed = fileURLToPath(new URL('../../.cache/browser/chromium', import.meta.url))

const places = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  installed,
]

export const missingBrowser =
  'The browser tests need Chromium. None was found, and none could be downloaded. Install it (Debian, as root: apt-get install chromium), or set CHROMIUM_PATH to its path.'

export function findChromium(): string | null {
  const given = process.env.CHROMIUM_PATH
  if (given) return existsSync(given) ? given : null
  return places.find((path) => existsSync(path)) ?? null
}

/** Chromium loads two pages of its own for the address bar of every window, which take longer than most of ours. */
const addressBar = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup']
/** The features that Playwright turns off; of two such lists Chromium uses only the last. */
const turnedOff = [
  ...[
    'AvoidUnnecessaryBeforeUnloadCheckSync',
    'DestroyProfileOnBrowserClose',
    'HttpsUpgrades',
    'HttpsFirstBalancedModeAutoEnable',
    'LensOverlay',
  ],
  ...[
    'MediaRouter',
    'PaintHolding',
    'ThirdPartyStoragePartitioning',
    'AvoidCorsURLLoaderRestartOnRedirect',
    'OptimizationHints',
  ],
  ...['NetworkTimeServiceQuerying', 'AimEnabled', 'PreconnectToSearch'],
]

const quiet = [
  ...[
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
  `--disable-features=${[...turnedOff, ...addressBar].join(',')}`,
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
  const browser = await chromium.launch({
    executablePath,
    args: process.getuid?.() === 0 ? ['--no-sandbox', ...quiet] : quiet,
  })
  after(() => browser.close())
  return browser
}

/** Long, because the server's tests may run on the same machine at the same time, and that machine may be slow. Only what fails waits for it. */
const patienceMs = 180_000

/**
 * SLOW_ANSWERS=500 lets every answer of the API take up to half a second longer, each as long as chance wants: what only works because an answer comes
 * quickly, or before another, fails then, as it does now and then on a busy machine.
 */
const slowestMs = Number(process.env.SLOW_ANSWERS ?? 0)
const isAnswer = ({ pathname }: URL) => pathname.startsWith('/api/') && !pathname.endsWith('/events/stream')

type Options = BrowserContextOptions & {
  /** Other servers that the page may send requests to. */
  mayAsk?: string[]
}

/**
 * A page of somebody who is not signed in. When the test ends, nothing may have been blocked, have failed in the page, or have been requested from
 * other servers.
 */
export async function visit(
  t: TestContext,
  browser: Browser,
  { mayAsk = [], viewport, ...options }: Options = {},
): Promise<Page> {
  const canShare = Object.keys(options).length === 0
  const profile = (canShare && idle.pop()) || (await newProfile(browser, options))
  const { context, page } = profile
  if (viewport) await page.setViewportSize(viewport)
  const { problems, stop } = watch(context, [product().url, ...mayAsk])
  t.after(async () => {
    stop()
    if (canShare) idle.push(await emptied(profile))
    else await context.close()
    assert.deepEqual(problems, [])
  })
  return page
}

/** A style sheet made so is not for the content security policy to judge. */
const standStill = `{
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('*, *::before, *::after { animation: none !important; transition: none !important }')
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
}`

type Profile = { context: BrowserContext; page: Page }

/**
 * Profiles that no test uses now. Chromium needs four times as long for the first page of a new profile as for the next one, whose scripts and
 * accessibility checker it has compiled already.
 */
const idle: Profile[] = []

async function newProfile(browser: Browser, options: BrowserContextOptions): Promise<Profile> {
  // Animations would only take time: without a graphics card, each of their sixty frames a second is drawn by the processor.
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  await context.addInitScript(standStill)
  if (slowestMs > 0)
    await context.route(
      isAnswer,
      (route) => void sleep(Math.random() * slowestMs).then(() => route.continue().catch(() => {})),
    )
  const page = await context.newPage()
  page.setDefaultTimeout(patienceMs)
  return { context, page }
}

/** As good as new: signed out, without anything stored, routed, typed or opened by the test before. */
async function emptied(profile: Profile): Promise<Profile> {
  const { context, page } = profile
  page.removeAllListeners()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  // A page of the same site, so that Chromium keeps the process and what it has compiled.
  await page.goto(`${product().url}/favicon.svg`)
  await page.evaluate('sessionStorage.clear(), localStorage.clear()')
  await context.clearCookies()
  await page.emulateMedia({ colorScheme: null })
  await page.setViewportSize({ width: 1280, height: 720 })
  return profile
}

function watch(context: BrowserContext, servers: readonly string[]): { problems: string[]; stop: () => void } {
  const allowed = servers.map((url) => new URL(url).origin)
  const problems: string[] = []
  const onRequest = (request: Request) => {
    const { origin, protocol } = new URL(request.url())
    if (/^https?:$/.test(protocol) && !allowed.includes(origin)) problems.push(`requested ${request.url()}`)
  }
  // Browsers log every answer with an error status, also those that the page expects.
  const onConsole = (message: ConsoleMessage) => {
    if (['error', 'warning'].includes(message.type()) && !message.text().startsWith('Failed to load resource'))
      problems.push(message.text())
  }
  const onError = (error: WebError) => problems.push(String(error.error()))
  context.on('request', onRequest).on('console', onConsole).on('weberror', onError)
  return { problems, stop: () => context.off('request', onRequest).off('console', onConsole).off('weberror', onError) }
}

const rules = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice']

/** How often each address was looked at, ids left out. */
const visits = new Map<string, number>()

/**
 * Nothing wider than the smallest phone; and WCAG 2.2 AA as far as a program can check it. That takes longer than most of what the tests do: a run looks
 * at a tenth of the pages, in the light or in the dark colours; at full depth, at every page in both.
 */
export async function assertGoodPage(page: Page, { except = [] }: { except?: string[] } = {}): Promise<void> {
  const address = new URL(page.url()).pathname.replace(/[0-9a-f-]{36}/g, 'id')
  const visit = visits.get(address) ?? 0
  visits.set(address, visit + 1)
  if (!isPicked(`${address} ${visit}`)) return
  await assertAccessibleIn(isDeep || visit % 2 === 0 ? 'light' : 'dark', page, { type: 'tag', values: rules }, except)
  if (isDeep) await assertAccessibleIn('dark', page, { type: 'rule', values: ['color-contrast'] })
  const before = page.viewportSize()
  await page.setViewportSize({ width: 320, height: 800 })
  // An open list or a chart takes its new place some time after the screen has changed.
  let [width, seen] = await widths(page)
  for (const since = Date.now(); width > seen && Date.now() - since < patienceMs; [width, seen] = await widths(page))
    await page.evaluate(settled)
  assert.ok(width <= seen, `${await page.title()} is ${width} wide on a screen of ${seen}`)
  if (before) await page.setViewportSize(before)
}

function widths(page: Page): Promise<[page: number, screen: number]> {
  return page.evaluate('[document.documentElement.scrollWidth, document.documentElement.clientWidth]')
}

/** Waits until what is read from a page is what it should be: a page is drawn some time after what caused it, and nobody can say how long after. */
export async function becomes<T>(read: () => Promise<T>, expected: T): Promise<void> {
  for (const since = Date.now(); ; await sleep(50)) {
    const found = await read()
    if (isDeepStrictEqual(found, expected)) return
    if (Date.now() - since > patienceMs) assert.deepEqual(found, expected)
  }
}

/** The page is drawn again and all transitions of colours are over: in between, the contrast is that of neither scheme. */
const settled = `new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))).then(() =>
  Promise.all(document.getAnimations().filter(({ effect }) => effect.getComputedTiming().iterations !== Infinity).map(({ finished }) => finished.catch(() => {}))).then(() => {}))`

async function assertAccessibleIn(
  scheme: 'light' | 'dark',
  page: Page,
  runOnly: axe.RunOnly,
  except: readonly string[] = [],
): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme })
  // What is wrong while a page is still being drawn is not a fault of it: a list may arrive late, and the router scrolls back to where somebody was only then.
  for (let pauseMs = 250; ; pauseMs *= 2) {
    // Scrolled, a row can be half under the head of its table, where the checker finds it too small to click.
    await page.evaluate('window.scrollTo({ top: 0, behavior: "instant" })')
    await page.evaluate(settled)
    const found = await violationsOf(page, runOnly, except)
    if (found.length === 0) return
    if (pauseMs > 10_000) assert.deepEqual(found, [], `${await page.title()} at ${page.url()}`)
    await sleep(pauseMs)
  }
}

/** Loads the checker into a page once, and answers only the violations: it is half a megabyte, and its full report is large. */
async function violationsOf(page: Page, runOnly: axe.RunOnly, except: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source)
  const off = Object.fromEntries(except.map((rule) => [rule, { enabled: false }]))
  const options: axe.RunOptions = {
    runOnly,
    rules: off,
    resultTypes: ['violations'],
    iframes: false,
    performanceTimer: false,
  }
  const violations = await page.evaluate<axe.Result[]>(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  )
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('; ')}`,
  )
}
