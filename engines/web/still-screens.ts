import assert from 'node:assert/strict'
import type { BrowserContextOptions, Page } from 'playwright-core'
import type { Check } from '../engine.ts'
import { openScene, type Scene } from './scene.ts'
import { openScreen, SCREENS, type Screen } from './screens.ts'
import { asVisitor, PHONE, type WebOffice } from './visitor.ts'

/** Of a screen that is opened by its address: what is read late takes a place that was kept for it. */
const CLS_MAX = 0.02
/** What comes in late has come. */
const SETTLED_MS = 1_500

const WINDOWS: Record<string, BrowserContextOptions> = {
  'on a desk': {},
  'on a phone': { viewport: PHONE },
}

/** The scene has events in a calendar here. */
const CONNECTED: Screen = {
  name: 'calendar with events',
  path: () => '/agenda',
  ready: (page) => page.getByRole('button', { name: 'Disconnect Google' }),
}

/** Every screen stays where it is while it is read. */
export async function tryStill(office: WebOffice, check: Check): Promise<void> {
  const scene = await openScene(office)
  for (const [where, options] of Object.entries(WINDOWS))
    for (const screen of SCREENS)
      await check(`vitals: ${screen.name} stays where it is ${where}`, () =>
        expectStill(office, scene, screen, options),
      )
  await connectCalendar(office, scene)
  for (const [where, options] of Object.entries(WINDOWS))
    await check(`vitals: ${CONNECTED.name} stays where it is ${where}`, () =>
      expectStill(office, scene, CONNECTED, options),
    )
}

async function expectStill(
  office: WebOffice,
  scene: Scene,
  screen: Screen,
  options: BrowserContextOptions,
): Promise<void> {
  await asVisitor(
    office,
    `still-${screen.name}`,
    async (visitor) => {
      const { page } = visitor
      await page.addInitScript(watchShifts)
      await openScreen(visitor, screen, scene)
      await page.waitForTimeout(SETTLED_MS)
      const { sum, moved } = await shiftsOf(page)
      console.log(`    ${screen.name}: CLS ${sum.toFixed(3)}`)
      assert.ok(sum <= CLS_MAX, `CLS ${sum}\n${moved.join('\n')}`)
    },
    options,
  )
}

async function connectCalendar(office: WebOffice, { ada }: Scene): Promise<void> {
  await asVisitor(office, 'still-connecting', async (visitor) => {
    const { page } = visitor
    await ada.enter(visitor)
    await page.goto('/agenda')
    await page.getByRole('button', { name: 'Connect Google' }).click()
    await page.getByLabel('E-mail address').fill('planner@people.example')
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByRole('heading', { name: 'Calendar connected' }).waitFor()
  })
}

interface Shifts {
  sum: number
  /** What was moved, from where to where. */
  moved: string[]
}

async function shiftsOf(page: Page): Promise<Shifts> {
  return await page.evaluate(() => (globalThis as unknown as { shifts: Shifts }).shifts)
}

/** In the page. */
function watchShifts(): void {
  interface Shift extends PerformanceEntry {
    value: number
    sources: { node?: Node; previousRect: DOMRect; currentRect: DOMRect }[]
  }
  const shifts: Shifts = { sum: 0, moved: [] }
  Object.assign(globalThis, { shifts })
  const inShort = ({ x, y, width, height }: DOMRect) => [x, y, width, height].map(Math.round).join(' ')
  new PerformanceObserver((list) => {
    for (const { value, startTime, sources } of list.getEntries() as Shift[]) {
      shifts.sum += value
      for (const { node, previousRect, currentRect } of sources) {
        const element = node instanceof Element ? node : node?.parentElement
        shifts.moved.push(
          `${value.toFixed(3)} at ${Math.round(startTime)} ms: ${element?.tagName}.${element?.className} ${inShort(previousRect)} → ${inShort(currentRect)}`,
        )
      }
    }
  }).observe({ type: 'layout-shift', buffered: true })
}
