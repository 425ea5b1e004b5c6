import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core'
import type { FreshOffice } from '../fresh-office.ts'
import { eventually } from '../waiting.ts'

/** The office that is tried, and the browser that it is tried in. */
export interface WebOffice extends FreshOffice {
  browser: Browser
  /** Folder for what the browser shows. */
  pictures: string
}

/** Somebody with a browser of their own. */
export interface Visitor {
  page: Page
  context: BrowserContext
  /** What the console, the policy and the network have complained about. */
  complaints: string[]
}

const WITHIN_MS = 30_000
/**
 * What the office refuses is shown in the console as well; nobody is signed in on a first visit. A last word may cross the
 * office's own end of the connection.
 */
const EXPECTED = /status of (400|401|403|404|409|410|422|429)|already in CLOSING or CLOSED/
const DESKTOP = { width: 1280, height: 800 }
export const PHONE = { width: 360, height: 740 }
/** As browsers have it that were asked before. */
export const PERMITTED = { permissions: ['camera', 'microphone'] }

/** A browser of its own, as a person has it. @param options such as `{ viewport: PHONE, colorScheme: 'dark' }` */
export async function newVisitor(
  office: Pick<WebOffice, 'url' | 'browser'>,
  options: BrowserContextOptions = {},
): Promise<Visitor> {
  const context = await office.browser.newContext({
    ...{
      viewport: DESKTOP,
      baseURL: office.url,
      reducedMotion: 'reduce',
      locale: 'en-GB',
      timezoneId: 'UTC',
    },
    ...options,
  })
  const page = await context.newPage()
  page.setDefaultTimeout(WITHIN_MS)
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' && !EXPECTED.test(message.text())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  return { page, context, complaints }
}

/** Does something as a fresh visitor, who must hear no complaint; the picture is taken also where it fails. */
export async function asVisitor(
  office: WebOffice,
  picture: string,
  work: (visitor: Visitor) => Promise<void>,
  options: BrowserContextOptions = {},
): Promise<void> {
  const visitor = await newVisitor(office, options)
  try {
    await work(visitor)
    expectQuiet(visitor)
  } finally {
    await visitor.page.screenshot({ path: `${office.pictures}/${picture}.png` }).catch(() => {})
    await visitor.context.close()
  }
}

/** No error in the console, none that nobody caught, and no report of the content security policy. */
export function expectQuiet({ complaints }: Visitor): void {
  assert.deepEqual(complaints, [])
}

let axe: Promise<string> | undefined

/** What axe finds wrong with the page as it is now: nothing. */
export async function expectAccessible(page: Page): Promise<void> {
  axe ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  await page.evaluate(await axe)
  const violations = await page.evaluate(async () => {
    const { axe: tool } = globalThis as unknown as { axe: { run(): Promise<AxeResults> } }
    const found = await tool.run()
    return found.violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html}: ${failureSummary}`),
    )
  })
  assert.deepEqual(violations, [])
}

interface AxeResults {
  violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[]
}

/** Nothing sticks out of the window. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const [content, window] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ])
  assert.ok((content ?? 0) <= (window ?? 0), `the page is ${content} wide, the window ${window}`)
}

/** None of them lies on another one. */
export async function expectApart(elements: Locator): Promise<void> {
  const boxes = await elements.evaluateAll((all) =>
    all.map((element) => {
      const { left, top, right, bottom } = element.getBoundingClientRect()
      return { left, top, right, bottom }
    }),
  )
  assert.ok(boxes.length > 1, 'there is nothing to compare')
  const onAnother = boxes.filter((one) =>
    boxes.some(
      (other) =>
        one !== other &&
        one.left < other.right &&
        other.left < one.right &&
        one.top < other.bottom &&
        other.top < one.bottom,
    ),
  )
  assert.deepEqual(onAnother, [])
}

/** All of it is between the left and the right edge of what it stands in. */
export async function expectWithin(element: Locator, place: Locator): Promise<void> {
  const [inner, outer] = [await element.boundingBox(), await place.boundingBox()]
  assert.ok(inner && outer, 'one of them is not shown')
  assert.ok(
    inner.x >= outer.x - 1 && inner.x + inner.width <= outer.x + outer.width + 1,
    `${inner.x} to ${inner.x + inner.width} is not within ${outer.x} to ${outer.x + outer.width}`,
  )
}

/** Something on the page has the focus: who uses the keyboard goes on from there, and not from the top. */
export async function expectFocus(page: Page): Promise<void> {
  await eventually('the focus is on the page', () =>
    page.evaluate(() => ![null, document.body].includes(document.activeElement as HTMLElement | null)),
  )
}

/** Presses Tab so often, and answers what has the focus each time: role and name, as a screen reader says them. */
export async function tabThrough(page: Page, times: number): Promise<string[]> {
  const said: string[] = []
  for (let turn = 0; turn < times; turn++) {
    await page.keyboard.press('Tab')
    const [first = ''] = (await page.locator(':focus').ariaSnapshot()).split('\n')
    said.push(first.replace(/^- /, '').replace(/:( .*)?$/, ''))
  }
  return said
}

/** Megabytes of the page's scripts, without what is let go already. */
export async function heapOf({ context, page }: Visitor): Promise<number> {
  const session = await context.newCDPSession(page)
  await session.send('HeapProfiler.enable')
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return usedSize / 1_000_000
}

/** @returns what answers how many milliseconds of script the page has run since this was called */
export async function scriptClockOf({ context, page }: Visitor): Promise<() => Promise<number>> {
  const session = await context.newCDPSession(page)
  await session.send('Performance.enable')
  const now = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return (metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? 0) * 1_000
  }
  const begun = await now()
  return async () => (await now()) - begun
}
