import assert from 'node:assert/strict'
import { eventually } from '../waiting.ts'
import { type Day, untilSame } from './day.ts'
import type { Device } from './device.ts'
import { fieldOf, rest } from './people.ts'

/** As many of the newest messages as every screen shows. */
const SHOWN = 5

/** Every network is there again, and some time later everything has to be as it should. @throws AssertionError */
export async function expectQuiet(day: Day): Promise<void> {
  const { cast } = day
  for (const { machine } of cast.devices) machine.wire.become('open')
  await eventually('everything written is sent', () => isAllSent(day), {
    withinMs: 120_000,
    everyMs: 500,
  }).catch(async (error: Error) => {
    throw new Error(`${error.message}: ${await unsentOf(day)}`)
  })
  const texts = await textsOf(day)
  assert.deepEqual(
    texts.toSorted(),
    day.written.map(({ text }) => text).toSorted(),
    'nothing is lost or doubled',
  )
  for (const device of cast.devices) {
    const own = day.written.filter((one) => one.device === device).map(({ text }) => text)
    assert.deepEqual(
      texts.filter((text) => own.includes(text)),
      own,
      `nothing of ${device.name} is reordered`,
    )
    await device.page.bringToFront()
    await untilSame(`${device.name} shows what is there`, () => shownOn(device), texts.slice(-SHOWN))
  }
  await expectRead(day)
  await expectRoom(day)
  await expectPresence(day)
}

async function isAllSent(day: Day): Promise<boolean> {
  const { cast, written } = day
  for (const { page } of cast.devices) {
    if (!(await fieldOf(page).isVisible())) await page.goto(`/chat/${cast.conversationId}`).catch(() => {})
    if ((await page.locator('.message-unsent').count()) > 0) return false
  }
  return (await textsOf(day)).length >= written.length
}

/** What each page says of what it has not sent, and what the office has. */
async function unsentOf(day: Day): Promise<string> {
  const pages = day.cast.devices.map(async ({ name, page }) => {
    const unsent = await page.locator('.message-unsent').allInnerTexts()
    return `${name} at ${new URL(page.url()).pathname} has not sent ${JSON.stringify(unsent)}`
  })
  return [...(await Promise.all(pages)), `the office has ${JSON.stringify(await textsOf(day))}`].join('; ')
}

async function textsOf({ office, cast }: Pick<Day, 'office' | 'cast'>): Promise<string[]> {
  const asked = { p_conversation_id: cast.conversationId, p_limit: 100 }
  const rows = await rest(office.url, cast.ada.client, 'rpc/get_conversation_messages', asked)
  return (rows as { content: string }[]).map(({ content }) => content).reverse()
}

async function shownOn({ page }: Device): Promise<string[]> {
  return (await page.locator('.message-text').allInnerTexts()).slice(-SHOWN)
}

/** Read is what was on a screen: both have had everything there. */
async function expectRead({ office, cast }: Day): Promise<void> {
  for (const { client, name } of [cast.ada, cast.bob]) {
    const unread = async () => {
      const rows = (await rest(office.url, client, 'rpc/get_recent_dms', {})) as { unread_count: number }[]
      return rows[0]?.unread_count ?? 0
    }
    await untilSame(`${name} has read everything`, unread, 0)
  }
}

/** Nobody is inside unasked, and each person once. */
async function expectRoom({ cast, inside }: Day): Promise<void> {
  const [laptop, desk, phone] = cast.devices
  const asked = new Set<string>()
  if (inside.has(laptop) || inside.has(phone)) asked.add(cast.adaId)
  if (inside.has(desk)) asked.add(cast.bobId)
  await eventually(
    'nobody is inside unasked, or twice',
    async () => {
      const { room } = await cast.bob.client.call('getRoom', { roomId: cast.roomId })
      const ids = room.people.map(({ userId }) => userId)
      return new Set(ids).size === ids.length && ids.every((id) => asked.has(id))
    },
    // the media server takes a while to give up on a device that sleeps
    { withinMs: 90_000, everyMs: 500 },
  )
}

async function expectPresence({ cast }: Day): Promise<void> {
  const statusOf = async (by: Day['cast']['ada'], id: string) =>
    (await by.client.call('getMember', { id })).presenceStatus
  await untilSame('Bob sees Ada', () => statusOf(cast.bob, cast.adaId), 'online')
  await untilSame('Ada sees Bob', () => statusOf(cast.ada, cast.bobId), 'online')
}
