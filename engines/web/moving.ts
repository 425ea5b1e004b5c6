import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '@atrium/embedded-postgres/free-port.ts'
import type { Check } from '../engine.ts'
import { eventually } from '../waiting.ts'
import { asVisitor, expectAccessible, scriptClockOf, type Visitor, type WebOffice } from './visitor.ts'

const DEMO = fileURLToPath(new URL('../../demo/run.ts', import.meta.url))
const PEOPLE = 40
const SECONDS = 20
/** Five things happen in a second, as at nine in the morning. */
const PACE_MS = 200

/** The floor of the demo while forty people come, go and sit down: nothing on it is pushed aside. */
export async function tryMoving(office: WebOffice, check: Check): Promise<void> {
  const port = String(await freePort())
  const options = ['--port', port, '--people', String(PEOPLE), '--pace', String(PACE_MS)]
  const demo = spawn(process.execPath, ['--no-warnings', DEMO, ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => demo.once('exit', () => resolve()))
  let said = ''
  demo.stdout.on('data', (more) => {
    said += more
  })
  try {
    await check(
      `moving: ${PEOPLE} people move for ${SECONDS} s, and the layout shifts by nothing`,
      async () => {
        await eventually('the demo is there', () => said.includes('are in'), {
          withinMs: 180_000,
          everyMs: 250,
        })
        const there = { ...office, url: `http://localhost:${port}` }
        await asVisitor(there, 'moving', lookOn, { reducedMotion: 'no-preference' })
      },
    )
  } finally {
    demo.kill('SIGTERM')
    await ended
  }
}

async function lookOn(visitor: Visitor): Promise<void> {
  const { page } = visitor
  await page.addInitScript(watchShifts)
  await page.goto('/')
  await page.getByRole('button', { name: 'Continue as the developer' }).click()
  await page.locator('.plan [data-face]').first().waitFor()
  // nothing opens under the mouse
  await page.mouse.move(30, 700)
  await pause(3_000)
  await page.evaluate(() => seen().begin())
  const scriptSince = await scriptClockOf(visitor)
  await pause(SECONDS * 1_000)
  const script = await scriptSince()
  const { shift, moves, shifted } = await page.evaluate(() => seen().now())
  console.log(
    `    ${moves} moves in ${SECONDS} s: layout shift ${shift}, ${(script / Math.max(1, moves)).toFixed(1)} ms of script each`,
  )
  assert.ok(moves > 0, 'nobody moved')
  // to three places, as Lighthouse says it: where a face is of another size in another room, its name moves by pixels
  assert.equal(Number(shift.toFixed(3)), 0, shifted)
  await expectAccessible(page)
}

interface Seen {
  begin(): void
  /** Since then. `shifted`: what was pushed aside. */
  now(): { shift: number; moves: number; shifted: string }
}
declare function seen(): Seen

/** In the page. */
function watchShifts(): void {
  let [shift, moves, shifted] = [0, 0, '']
  type Shift = PerformanceEntry & { value: number; sources?: { node?: Node }[] }
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as Shift[]) {
      shift += entry.value
      shifted += (entry.sources ?? [])
        .map(({ node }) =>
          node instanceof Element ? `${node.localName}.${node.getAttribute('class')} ` : '',
        )
        .join(' ')
    }
  }).observe({ type: 'layout-shift', buffered: true })
  const Original = globalThis.WebSocket
  globalThis.WebSocket = class extends Original {
    constructor(...given: ConstructorParameters<typeof Original>) {
      super(...given)
      this.addEventListener('message', ({ data }) => {
        moves += String(data).match(/"room\.(entered|left)"/g)?.length ?? 0
      })
    }
  }
  const begin = () => {
    ;[shift, moves, shifted] = [0, 0, '']
  }
  Object.assign(globalThis, { seen: () => ({ begin, now: () => ({ shift, moves, shifted }) }) })
}
