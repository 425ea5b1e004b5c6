import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import type { Locator, Page } from 'playwright-core'
import type { ModelOffice } from '../model/office.ts'
import { eventually } from '../waiting.ts'
import type { Device } from './device.ts'
import { type Cast, fieldOf } from './people.ts'
import { networks } from './wire.ts'

/** What is drawn for a step of a day. */
export interface Step {
  act: (typeof acts)[number]
  /** Laptop, desk, phone. */
  device: number
  amount: number
}

export const acts = [
  'write',
  'lose the network',
  'find the network',
  'go to another network',
  'sleep',
  'sleep for long',
  'reload',
  'look elsewhere and come back',
  'open another tab',
  'enter the room',
  'restart the office',
  'end the other sessions',
  'wait',
] as const

/** A day as far as it has gone. */
export interface Day {
  office: ModelOffice
  cast: Cast
  /** In the order of each device. */
  written: { device: Device; text: string }[]
  /** Devices that a person has gone into the room with, and not put to sleep for long since. */
  inside: Set<Device>
  /** What was done, for people to read. */
  story: string[]
}

const WITHIN = { withinMs: 30_000, everyMs: 250 }
const SLEPT_MS = 11 * 60_000

export async function take(day: Day, { act, device: place, amount }: Step): Promise<void> {
  const device = day.cast.devices[place % 3] as Device
  const { page, machine } = device
  day.story.push(`${device.name}: ${act} ${amount}`)
  if (process.env.LAPTOP_TELL) console.log(`    ${day.story.at(-1)}`)
  switch (act) {
    case 'write':
      return await write(day, device, 1 + (amount % 3))
    case 'lose the network':
      return machine.wire.become(networks[1 + (amount % (networks.length - 1))] ?? 'cut')
    case 'find the network':
      return machine.wire.become('open')
    case 'go to another network':
      return machine.wire.change()
    case 'sleep':
      return await sleep(device, 1 + (amount % 4))
    case 'sleep for long':
      await sleep(device, 2)
      day.inside.delete(device)
      return await page.evaluate((ms) => {
        ;(globalThis as unknown as { sleptMs: number }).sleptMs += ms
      }, SLEPT_MS)
    case 'reload':
      await untilKept(day, device)
      day.inside.delete(device)
      return await openChat(day, device, () => page.reload())
    case 'look elsewhere and come back':
      return await lookElsewhere(day, device)
    case 'open another tab':
      return await openTab(device)
    case 'enter the room':
      return await goInside(day, device)
    case 'restart the office':
      return await day.office.reopen()
    case 'end the other sessions':
      return await endOthers(day)
    case 'wait':
      return await pause(500 * (amount % 5))
  }
}

async function write(day: Day, device: Device, times: number): Promise<void> {
  const { page } = device
  for (let time = 0; time < times; time++) {
    const text = `Word ${day.written.length + 1}`
    await fieldOf(page).fill(text)
    await fieldOf(page).press('Enter')
    day.written.push({ device, text })
    await page.locator('.message-text').getByText(text, { exact: true }).first().waitFor()
  }
}

async function sleep({ machine }: Device, seconds: number): Promise<void> {
  await machine.sleep()
  await pause(seconds * 1_000)
  await machine.wake()
}

/**
 * Where a browser stores nothing, its page asks before it goes with what is not sent. That of this trial would say "go":
 * its people wait, with the network there, until the page would not ask, whatever it shows.
 */
async function untilKept({ cast }: Day, { page, machine }: Device): Promise<void> {
  machine.wire.become('open')
  if (cast.storing === 'whole') return
  const asks = () => page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })))
  await eventually('what a reload would lose is sent', async () => !(await asks()), {
    withinMs: 90_000,
    everyMs: 250,
  })
}

/** The conversation is on the screen again, whatever stands in between. */
async function openChat({ cast }: Day, { page }: Device, way: () => Promise<unknown>): Promise<void> {
  await way().catch(() => {})
  await eventually(
    'the conversation is there',
    async () => {
      if (await fieldOf(page).isVisible()) return true
      await page.goto(`/chat/${cast.conversationId}`, { timeout: 10_000 }).catch(() => {})
      return await fieldOf(page)
        .waitFor({ timeout: 8_000 })
        .then(() => true)
        .catch(() => false)
    },
    { withinMs: 90_000, everyMs: 500 },
  )
}

async function lookElsewhere(day: Day, device: Device): Promise<void> {
  const { page } = device
  if (await page.getByRole('link', { name: 'Floor', exact: true }).isVisible()) {
    await page.getByRole('link', { name: 'Floor', exact: true }).click()
    await pause(300)
    await page.goBack()
    if (
      await fieldOf(page)
        .waitFor({ timeout: 8_000 })
        .then(() => true)
        .catch(() => false)
    )
      return
  }
  await untilKept(day, device)
  await openChat(day, device, () => page.reload())
  day.inside.delete(device)
}

async function openTab({ context, page }: Device): Promise<void> {
  const other = await context.newPage()
  await other.bringToFront()
  await pause(800)
  await other.close()
  await page.bringToFront()
}

/** A person is inside by one device at a time here: taking over is asked for by a question of its own. */
async function goInside(day: Day, device: Device): Promise<void> {
  const { cast, inside } = day
  const isOwn = (one: Device) => (one === cast.devices[1]) === (device === cast.devices[1])
  if (device.machine.browser !== device.context.browser() || [...inside].some(isOwn)) return
  await untilKept(day, device)
  await device.page.goto(`/room/${cast.roomId}`).catch(() => {})
  await comeIn(device.page)
  inside.add(device)
  // the call goes on in a corner of the page
  await device.page.evaluate((path) => {
    history.pushState({}, '', path)
    dispatchEvent(new PopStateEvent('popstate'))
  }, `/chat/${cast.conversationId}`)
  await fieldOf(device.page).waitFor()
}

/** Of a device that sleeps the office still says for a while that it is inside: who comes by another one is asked. */
async function comeIn(page: Page): Promise<void> {
  const [enter, takeOver] = ['Enter the room', 'Take over here'].map((name) =>
    page.getByRole('button', { name }),
  ) as [Locator, Locator]
  const controls = page.getByRole('toolbar', { name: 'Controls' })
  await enter.or(controls).first().waitFor()
  if (await enter.isVisible()) await enter.click()
  await takeOver.or(controls).first().waitFor()
  if (await takeOver.isVisible()) await takeOver.click()
  await controls.waitFor()
}

/** The phone is signed out from the laptop, and signs in again. */
async function endOthers(day: Day): Promise<void> {
  const { cast } = day
  const [, , phone] = cast.devices
  await untilKept(day, phone)
  await cast.ada.client.call('endSessions', { others: true })
  day.inside.delete(phone)
  await pause(1_000)
  const again = await cast.ada.signInAgain()
  await again.enter(phone)
  await openChat(day, phone, () => phone.page.reload())
}

export async function untilSame<Value>(
  what: string,
  find: () => Promise<Value>,
  expected: Value,
): Promise<void> {
  let found: Value | undefined
  const is = async () => {
    found = await find().catch(() => undefined)
    return JSON.stringify(found) === JSON.stringify(expected)
  }
  await eventually(what, is, WITHIN).catch(() => assert.deepEqual(found, expected, what))
}
