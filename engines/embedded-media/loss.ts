import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Check } from '../engine.ts'
import type { Ends } from '../processes.ts'
import { eventually } from '../waiting.ts'
import { openLossyWay, withoutFirstHandshakes } from './lossy-way.ts'
import type { OpenVisitor, Visitor } from './pages.ts'
import type { Figures } from './room-media.ts'
import { bring, type Scene } from './scene.ts'

const LOSS = 0.05
/** Of some thousands that pass in that time. */
const LOST_MIN = 100
const WATCHED_SECONDS = 20
/** Of these, each brings something new: no picture stays for good. */
const WINDOW_SECONDS = 5
/** Half of what a microphone gives: what comes late is made up. */
const SAMPLES_MIN = 120_000

/** Two people on a network that loses packets in both directions. */
export async function tryLoss(
  scene: Scene,
  { visitor, ends }: { visitor: OpenVisitor; ends: Ends },
  check: Check,
): Promise<void> {
  await check(`with ${LOSS * 100} % of the packets lost each way, pictures and sound go on`, async () => {
    const way = await openLossyWay(LOSS, ends)
    const pages = [await visitor('first', way.lead), await visitor('second', way.lead)] as const
    const [adas, graces] = pages
    await bring(adas, scene.ada, scene.roomId, 'Ada')
    await bring(graces, scene.grace, scene.roomId, 'Grace')
    for (const page of pages) {
      await page.publish('camera')
      await page.publish('microphone')
    }
    for (const [page, of] of [
      [adas, scene.grace],
      [graces, scene.ada],
    ] as const)
      for (const source of ['camera', 'microphone']) await page.receives(`${of.id} ${source}`)
    const before = await figuresOf(pages)
    for (let second = 0; second < WATCHED_SECONDS; second += WINDOW_SECONDS) await goOn(pages)
    const after = await figuresOf(pages)
    console.log(`    ${way.counts.lost} of ${way.counts.lost + way.counts.passed} packets lost`)
    for (const [at, now] of after.entries()) console.log(`    ${summary(now, before[at] as Figures)}`)
    assert.ok(way.counts.lost > LOST_MIN, 'the packets go that way')
    const cameras = after.filter(({ media }) => media.endsWith('camera'))
    assert.ok(
      cameras.some(({ nacks }) => nacks > 0),
      'what is lost is asked for again',
    )
    for (const page of pages) await page.leave()
  })
}

/**
 * A client with two connections that receives nothing and cannot know: all that it watches is the connection it publishes
 * on. A client with one, as today's is by default, watches all of it.
 */
export async function tryLostHandshake(
  scene: Scene,
  { visitor, ends }: { visitor: OpenVisitor; ends: Ends },
  check: Check,
): Promise<void> {
  await check('whoever cannot receive at first does so a moment later, by themselves', async () => {
    const way = await openLossyWay(withoutFirstHandshakes, ends)
    const leadOlder = async (page: Page) => {
      await page.addInitScript(() => Object.assign(globalThis, { twoConnections: true }))
      await way.lead(page)
    }
    const [adas, graces] = [await visitor('first'), await visitor('second', leadOlder)]
    await bring(adas, scene.ada, scene.roomId, 'Ada')
    await adas.publish('camera')
    await bring(graces, scene.grace, scene.roomId, 'Grace')
    await graces.publish('microphone')
    await graces.until('begun anew', ({ events }) => events.includes('reconnected'))
    await graces.receives(`${scene.ada.id} camera`)
    await adas.receives(`${scene.grace.id} microphone`)
    assert.ok(way.counts.lost > 0, 'the handshake went that way')
    for (const page of [adas, graces]) await page.leave()
  })
}

/** Something new of everything, within a window. @throws Error with what of each is new */
async function goOn(pages: readonly Visitor[]): Promise<void> {
  const before = await figuresOf(pages)
  let left: string[] = []
  const isOn = async () => {
    const now = await figuresOf(pages)
    left = now.flatMap((figures, at) => {
      const { media, frames, samples } = figures
      const then = before[at] as Figures
      const isNew = media.endsWith('camera')
        ? sinceThen(frames, then.frames) >= WINDOW_SECONDS
        : sinceThen(samples, then.samples) >= SAMPLES_MIN
      return isNew ? [] : [`${media}: ${summary(figures, then)}`]
    })
    return left.length === 0
  }
  await eventually('all of it goes on', isOn, { everyMs: 250 }).catch((error: Error) => {
    throw new Error(`${error.message}: ${left.join('; ')}`)
  })
}

/** A connection that has begun anew counts from nothing. */
function sinceThen(now: number, then: number): number {
  return now < then ? now : now - then
}

async function figuresOf(pages: readonly Visitor[]): Promise<Figures[]> {
  return (await Promise.all(pages.map((page) => page.figures()))).flat()
}

function summary(now: Figures, then: Figures): string {
  const { packetsLost, nacks, plis, freezes, frozenSeconds } = now
  const what = now.media.split(' ').at(-1)
  const amount =
    what === 'camera' ? `${now.frames - then.frames} pictures` : `${now.samples - then.samples} samples`
  return `${what}: ${amount}; ${packetsLost} lost for good, ${nacks} times asked again, ${plis} whole pictures asked for, ${freezes} freezes (${frozenSeconds.toFixed(1)} s)`
}
