import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import type { Check } from '../engine.ts'
import { openMachine } from '../laptop/device.ts'
import type { Ends } from '../processes.ts'
import { eventually } from '../waiting.ts'
import { enterRoom, expectPictures, tileOf } from '../web/room-media.ts'
import { newVisitor } from '../web/visitor.ts'
import { otherWords, type Scene, sameWords, wordsOn } from './scene.ts'
import { listenTo, type Wiretap } from './wiretap.ts'

/** After more than a minute away a page asks before it comes back. */
const SLEPT_MS = 70_000
const PATIENCE = { withinMs: 120_000, everyMs: 250 }

/** Ada and the guest are inside: the first one leaves, a second device comes, the office is killed, a laptop wakes. */
export async function tryComingBack(scene: Scene, wires: Wiretap[], check: Check): Promise<void> {
  await tryFirstLeaves(scene, check)
  await trySecondDevice(scene, wires, check)
  await tryRestart(scene, check)
  await tryWakingLaptop(scene, wires, check)
}

/** @param lose ends the media server, the office or both, and begins it again @param endsMedia whether it ends connections */
export async function tryLost(
  at: Scene['at'],
  lose: () => Promise<void>,
  { endsMedia }: { endsMedia: boolean },
): Promise<void> {
  const visitors = Object.values(at)
  const heard = visitors.map(({ complaints }) => complaints.length)
  const before = await sameWords(at.ada.page, at.guest.page)
  await lose()
  const since = performance.now()
  if (endsMedia) await otherWords(before, at.ada.page, at.guest.page)
  else assert.equal(await sameWords(at.ada.page, at.guest.page), before)
  console.log(`    one key after ${((performance.now() - since) / 1_000).toFixed(1)} s`)
  await expectPictures(at.guest.page, 'Ada Lovelace')
  await expectPictures(at.ada.page, 'Linus')
  // a browser complains of each address that does not answer
  for (const [place, { complaints }] of visitors.entries()) complaints.splice(heard[place] ?? 0)
}

async function tryFirstLeaves({ at, roomId }: Scene, check: Check): Promise<void> {
  await check('sealed: who was inside longest leaves: the next one makes the key', async () => {
    await at.grace.page.goto(`/room/${roomId}`)
    await enterRoom(at.grace.page)
    const before = await sameWords(at.ada.page, at.grace.page, at.guest.page)
    await at.ada.page.getByRole('button', { name: 'Leave' }).click()
    await tileOf(at.grace.page, 'Ada Lovelace').waitFor({ state: 'detached' })
    await eventually('other words', async () => (await wordsOn(at.grace.page)) !== before, PATIENCE)
    await sameWords(at.grace.page, at.guest.page)
    await expectPictures(at.guest.page, 'Grace Hopper')
    await at.ada.page.goto(`/room/${roomId}`)
    await enterRoom(at.ada.page)
    await expectPictures(at.ada.page, 'Grace Hopper')
  })
}

async function trySecondDevice(
  { office, at, grace, roomId }: Scene,
  wires: Wiretap[],
  check: Check,
): Promise<void> {
  await check('sealed: the same person comes by another device, with a key of its own', async () => {
    const second = await newVisitor(office)
    let before: string | undefined
    try {
      wires.push(await listenTo(second))
      await (await grace.signInAgain()).enter(second)
      await second.page.goto(`/room/${roomId}`)
      await comeIn(second.page)
      await expectPictures(second.page, 'Ada Lovelace')
      await expectPictures(at.ada.page, 'Grace Hopper')
      before = await sameWords(second.page, at.ada.page, at.guest.page)
      assert.equal(await wordsOn(at.grace.page), undefined)
    } finally {
      await second.page.screenshot({ path: `${office.pictures}/second.png` }).catch(() => {})
      await second.context.close()
    }
    await tileOf(at.ada.page, 'Grace Hopper').waitFor({ state: 'detached', timeout: PATIENCE.withinMs })
    await otherWords(before, at.ada.page, at.guest.page)
  })
}

async function tryRestart({ office, at, hasOwnMedia }: Scene, check: Check): Promise<void> {
  await check(
    'sealed: the office is killed and opened again: those inside are back, with one key',
    async () => {
      await tryLost(at, office.reopen, { endsMedia: hasOwnMedia })
    },
  )
}

async function tryWakingLaptop(
  { office, at, grace, roomId }: Scene,
  wires: Wiretap[],
  check: Check,
): Promise<void> {
  await check(
    'sealed: a laptop wakes, asks, and gets the key of now: none of those it slept through',
    async () => {
      const ends: Ends = []
      try {
        const machine = await openMachine(Number(new URL(office.url).port), ends)
        const laptop = await newVisitor({ url: office.url, browser: machine.browser })
        const wire = await listenTo(laptop)
        await grace.enter(laptop)
        await laptop.page.goto(`/room/${roomId}`)
        await comeIn(laptop.page)
        await expectPictures(laptop.page, 'Ada Lovelace')
        await sameWords(laptop.page, at.ada.page, at.guest.page)
        const [adas] = wires as [Wiretap]
        const before = new Set(adas.keys)
        await machine.sleep()
        await pause(SLEPT_MS)
        const sleptThrough = [...adas.keys].filter((key) => !before.has(key))
        await machine.wake()
        await laptop.page.getByRole('heading', { name: 'You were away. Come back?' }).waitFor()
        await laptop.page.getByRole('button', { name: 'Enter again' }).click()
        await comeIn(laptop.page)
        const since = performance.now()
        await expectPictures(laptop.page, 'Ada Lovelace')
        console.log(`    pictures again after ${((performance.now() - since) / 1_000).toFixed(1)} s`)
        await sameWords(laptop.page, at.ada.page, at.guest.page)
        console.log(`    ${sleptThrough.length} keys while it slept`)
        assert.ok(sleptThrough.length > 0, 'those inside have another key')
        assert.ok(!sleptThrough.some((key) => wire.keys.has(key)), 'it never gets the key of meanwhile')
        wires.push(wire)
        await laptop.context.close()
      } finally {
        for (let end = ends.pop(); end; end = ends.pop()) await end()
      }
    },
  )
}

/** What is left of an earlier connection may still be inside, and is taken over. */
async function comeIn(page: Page): Promise<void> {
  const buttons = ['Take over here', 'Enter the room'].map((name) => page.getByRole('button', { name }))
  const controls = page.getByRole('toolbar', { name: 'Controls' })
  const isIn = async () => {
    for (const button of buttons)
      if (await button.isVisible()) await button.click({ timeout: 5_000 }).catch(() => {})
    return await controls.isVisible()
  }
  await eventually('inside', isIn, PATIENCE)
}
