import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Check } from '../engine.ts'
import { newPerson } from './people.ts'
import { roomOnPlan } from './plan.ts'
import { tryStill } from './still-screens.ts'
import { newVisitor, type Visitor, type WebOffice } from './visitor.ts'

/** Of each time the middle one is told: a machine that does other things too is no defect. */
const LOADS = 5
/** Nothing moves. When the font comes in, the letters of a line are a hair wider or narrower. */
const CLS_MAX = 0.000_5
/** The page, its chunks and styles, the font, an icon, who one is, and what the office offers. */
const SIGN_IN_REQUESTS = 30
/** Scripts and styles within their budget, a font, and the answers. */
const SIGN_IN_BYTES = 250_000

/** 1.6 Mbit/s with 150 ms, and a quarter of this processor. */
const SLOW_NETWORK = {
  ...{ offline: false, latency: 150 },
  ...{ downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 },
}
const SLOW_PROCESSOR = 4

/** What somebody waits for, and what moves under their finger. Times are told; what no other program can change is held. */
export async function tryVitals(office: WebOffice, check: Check): Promise<void> {
  await check('vitals: the sign-in, from here', async () => {
    const loads = await signInTimes(office, async () => {})
    tell('sign-in', loads)
    for (const { cls, requests, bytes } of loads) {
      assert.ok(cls < CLS_MAX, `CLS ${cls}`)
      assert.ok(requests <= SIGN_IN_REQUESTS, `${requests} requests`)
      assert.ok(bytes <= SIGN_IN_BYTES, `${bytes} bytes`)
    }
  })
  await check('vitals: the sign-in, at 1.6 Mbit/s and with a slow processor', async () => {
    const loads = await signInTimes(office, async ({ context, page }) => {
      const session = await context.newCDPSession(page)
      await session.send('Network.emulateNetworkConditions', SLOW_NETWORK)
      await session.send('Emulation.setCPUThrottlingRate', { rate: SLOW_PROCESSOR })
    })
    tell('sign-in, slow', loads)
    for (const { cls } of loads) assert.ok(cls < CLS_MAX, `CLS ${cls}`)
  })
  await check('vitals: a walk through the office', () => tryWalk(office))
  await tryStill(office, check)
}

interface Load extends Vitals {
  requests: number
  /** As they came over the network, in every answer. */
  bytes: number
}

function tell(what: string, loads: readonly Load[]): void {
  const lcp = median(loads.map((load) => load.lcp))
  const [{ requests, bytes }] = loads as [Load]
  console.log(
    `    ${what}: LCP ${Math.round(lcp)} ms (median of ${loads.length}: ${loads.map((load) => Math.round(load.lcp)).join(', ')}), CLS ${Math.max(...loads.map(({ cls }) => cls)).toFixed(3)}, ${requests} requests, ${(bytes / 1_000).toFixed(0)} kB`,
  )
}

/** First visits, each with a browser of its own. */
async function signInTimes(office: WebOffice, prepare: (visitor: Visitor) => Promise<void>): Promise<Load[]> {
  const loads: Load[] = []
  for (let turn = 0; turn < LOADS; turn += 1) {
    const visitor = await newVisitor(office)
    const { page, context } = visitor
    try {
      await prepare(visitor)
      await page.addInitScript(watchVitals)
      const counted = await countRequests(visitor)
      await page.goto('/sign-in')
      await page.getByRole('button', { name: 'Create an account' }).waitFor()
      await page.waitForLoadState('networkidle')
      loads.push({ ...(await vitalsOf(page)), ...counted })
    } finally {
      await context.close()
    }
  }
  return loads
}

async function countRequests({ context, page }: Visitor): Promise<{ requests: number; bytes: number }> {
  const counted = { requests: 0, bytes: 0 }
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  // a picture that stands in the page itself comes over no network
  const inPage = new Set<string>()
  session.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (request.url.startsWith('data:')) inPage.add(requestId)
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (inPage.has(requestId)) return
    counted.requests += 1
    counted.bytes += encodedDataLength
  })
  return counted
}

/** What somebody presses who looks around: how long each press takes until its effect is painted. */
async function tryWalk(office: WebOffice): Promise<void> {
  const ada = await newPerson(office, 'Ada Lovelace', { found: 'Analytical Vitals' })
  for (const name of ['Kitchen', 'Workshop', 'Library']) await ada.client.call('createRoom', { name })
  const visitor = await newVisitor(office)
  const { page, context } = visitor
  try {
    await page.addInitScript(watchVitals)
    await ada.enter(visitor)
    await page.goto('/')
    await roomOnPlan(page, 'Kitchen').waitFor()
    const { lcp, cls } = await vitalsOf(page)
    console.log(`    floor: LCP ${Math.round(lcp)} ms, CLS ${cls.toFixed(3)}`)
    assert.ok(cls < CLS_MAX, `CLS ${cls}`)
    const pressed: number[] = []
    for (let turn = 0; turn < LOADS; turn += 1) {
      await walk(page)
      pressed.push((await vitalsOf(page)).slowest)
      await page.evaluate(() => ((globalThis as unknown as Watched).vitals.slowest = 0))
    }
    console.log(`    slowest press of a walk: ${Math.round(median(pressed))} ms (median of ${LOADS} walks)`)
  } finally {
    await context.close()
  }
}

async function walk(page: Page): Promise<void> {
  await page.keyboard.press('Control+k')
  const found = page.getByRole('list', { name: 'Found' })
  await found.getByRole('button', { name: 'Workshop' }).waitFor()
  await page.getByRole('searchbox').pressSequentially('kit')
  await found.getByRole('button', { name: 'Workshop' }).waitFor({ state: 'detached' })
  // the first press empties the field
  for (const press of ['Escape', 'Escape']) await page.keyboard.press(press)
  await found.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: /Change your status/ }).click()
  await page.getByRole('button', { name: 'Away', exact: true }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  for (const [link, heading] of [
    ['Chat', 'Chat'],
    ['People', 'People'],
    ['Settings', 'Settings'],
    ['Floor', 'Floor'],
  ] as const) {
    await page.getByRole('link', { name: link, exact: true }).click()
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
  }
  await roomOnPlan(page, 'Workshop').waitFor()
}

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
}

interface Vitals {
  lcp: number
  cls: number
  /** From the press of a key or a button until its effect is painted: the slowest one, in milliseconds. */
  slowest: number
}

interface Watched {
  vitals: Vitals
}

async function vitalsOf(page: Page): Promise<Vitals> {
  return await page.evaluate(() => (globalThis as unknown as Watched).vitals)
}

/** In the page. */
function watchVitals(): void {
  const vitals: Vitals = { lcp: 0, cls: 0, slowest: 0 }
  Object.assign(globalThis, { vitals })
  const watch = (type: string, note: (entry: PerformanceEntry) => void, more: object = {}) =>
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) note(entry)
    }).observe({ type, buffered: true, ...more })
  watch('largest-contentful-paint', ({ startTime }) => {
    vitals.lcp = startTime
  })
  watch('layout-shift', (entry) => {
    const { value, hadRecentInput } = entry as unknown as { value: number; hadRecentInput: boolean }
    if (!hadRecentInput) vitals.cls += value
  })
  watch(
    'event',
    (entry) => {
      const { interactionId } = entry as unknown as { interactionId: number }
      if (interactionId > 0) vitals.slowest = Math.max(vitals.slowest, entry.duration)
    },
    { durationThreshold: 16 },
  )
}
