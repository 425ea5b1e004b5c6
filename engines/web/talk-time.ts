import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { FAKE_MEDIA, launchChromium } from '../browser/chromium.ts'
import { speaking } from '../embedded-media/voice.ts'
import type { Check } from '../engine.ts'
import type { Ends } from '../processes.ts'
import { eventually } from '../waiting.ts'
import { inviteTokenOf, newPerson, type WebPerson } from './people.ts'
import { faceOnPlan } from './plan.ts'
import { enterRoom } from './room-media.ts'
import { expectQuiet, newVisitor, type Visitor, type WebOffice } from './visitor.ts'

const TIMES = 5

/**
 * From a press on Talk to the first sound that the other hears: two browsers, each with the devices of last time, and the
 * other comes as soon as they can. How long it takes is told: a busy machine is no defect.
 */
export async function tryTalkTime(office: Pick<WebOffice, 'url'>, check: Check): Promise<void> {
  const ends: Ends = []
  const speaks = await speaking(ends)
  const browsers = [await launchChromium(...FAKE_MEDIA, speaks), await launchChromium(...FAKE_MEDIA, speaks)]
  try {
    await check(`talk: from a press to the first sound at the other, ${TIMES} times`, async () => {
      const ada = await newPerson(office, 'Ada Lovelace', { found: 'Analytical Words' })
      const grace = await newPerson(office, 'Grace Hopper', { inviteToken: await inviteTokenOf(ada) })
      const { room } = await ada.client.call('createRoom', { name: 'Kitchen' })
      const [atAda, atGrace] = [
        await open({ ...office, browser: browsers[0] as never }, ada, room.id),
        await open({ ...office, browser: browsers[1] as never }, grace, room.id),
      ]
      const took: number[] = []
      for (let time = 0; time < TIMES; time += 1) took.push(await talk(atAda.page, atGrace.page))
      const [middle] = [...took].sort((one, other) => one - other).slice(Math.floor(TIMES / 2))
      process.stdout.write(`  click to sound: ${took.join(', ')} ms; p50 ${middle} ms\n`)
      for (const visitor of [atAda, atGrace]) expectQuiet(visitor)
    })
  } finally {
    for (const browser of browsers) await browser.close()
    for (const end of ends) await end()
  }
}

/** Somebody on the floor, who has been in a room before and listens for the first sound. */
async function open(
  office: Parameters<typeof newVisitor>[0],
  person: WebPerson,
  roomId: string,
): Promise<Visitor> {
  const visitor = await newVisitor(office, { permissions: ['camera', 'microphone'] })
  await person.enter(visitor)
  await visitor.page.addInitScript(listen)
  await visitor.page.goto(`/room/${roomId}`)
  await enterRoom(visitor.page)
  await visitor.page.getByRole('button', { name: 'Stop camera' }).click()
  await toFloor(visitor.page)
  return visitor
}

/** Ada presses, Grace comes. @returns milliseconds until Grace hears Ada */
async function talk(ada: Page, grace: Page): Promise<number> {
  await faceOnPlan(ada, /^Grace Hopper/).click()
  const press = ada.getByRole('dialog', { name: 'Grace Hopper' }).getByRole('button', { name: 'Talk' })
  await press.waitFor()
  await Promise.all([grace.getByRole('button', { name: 'Talk', exact: true }).click(), press.click()])
  const heardAt = await eventually('the first sound', () => grace.evaluate(() => heard().at), {
    withinMs: 30_000,
  })
  const pressedAt = await ada.evaluate(() => heard().pressedAt)
  // of the room before, which does not hold in this one
  assert.equal(await ada.getByText('Your microphone and camera are closed').count(), 0)
  // a table for two has no conversation: none is offered
  assert.equal(await ada.getByRole('button', { name: /^Chat/ }).count(), 0)
  for (const page of [ada, grace]) await toFloor(page)
  return Math.round(heardAt - pressedAt)
}

async function toFloor(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Leave', exact: true }).click()
  await page.getByRole('link', { name: 'Floor', exact: true }).click()
  // nobody is at the table any more, and both are in the atrium
  await page.evaluate(() => Object.assign(heard(), { at: undefined }))
  await faceOnPlan(page, /^(Ada Lovelace|Grace Hopper), you$/).waitFor()
}

interface Heard {
  /** When the first sound came, and when Talk was pressed, by the clock of the machine. */
  at: number | undefined
  pressedAt: number
}
declare function heard(): Heard

/** In the page. */
function listen(): void {
  const state: Heard = { at: undefined, pressedAt: 0 }
  Object.assign(globalThis, { heard: () => state })
  const now = () => performance.timeOrigin + performance.now()
  addEventListener(
    'click',
    ({ target }) => {
      if (target instanceof Element && target.closest('button')?.textContent === 'Talk')
        state.pressedAt = now()
    },
    true,
  )
  const follow = (stream: MediaStream) => {
    const context = new AudioContext()
    const analyser = context.createAnalyser()
    analyser.fftSize = 512
    context.createMediaStreamSource(stream).connect(analyser)
    const samples = new Float32Array(analyser.fftSize)
    const timer = setInterval(() => {
      analyser.getFloatTimeDomainData(samples)
      if (!samples.some((sample) => Math.abs(sample) > 0.005)) return
      state.at ??= now()
      clearInterval(timer)
      void context.close()
    }, 10)
  }
  const known = new WeakSet<MediaStream>()
  setInterval(() => {
    for (const { srcObject } of document.querySelectorAll('audio'))
      if (srcObject instanceof MediaStream && !known.has(srcObject)) {
        known.add(srcObject)
        follow(srcObject)
      }
  }, 10)
}
