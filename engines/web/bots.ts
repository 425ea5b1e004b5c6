import assert from 'node:assert/strict'
import { createAtriumClient } from '@atrium/client'
import { connectRealtime } from '@atrium/client/realtime'
import type { Check } from '../engine.ts'
import { eventually } from '../waiting.ts'
import { type BotInRoom, botIn } from './bot-in-room.ts'
import { inviteTokenOf, newPerson, type WebPerson } from './people.ts'
import { pointAt } from './plan.ts'
import { enterRoom, tileOf } from './room-media.ts'
import {
  asVisitor,
  expectAccessible,
  expectFocus,
  expectQuiet,
  newVisitor,
  PERMITTED,
  type Visitor,
  type WebOffice,
} from './visitor.ts'

const PATIENCE = { withinMs: 30_000, everyMs: 100 }

interface Bot {
  id: string
  name: string
  token: string
}

interface Scene {
  office: WebOffice
  /** An administrator. */
  ada: WebPerson
  roomId: string
  minutes: Bot
  scribe: Bot
  atAda: Visitor
  atGrace: Visitor
  inside: BotInRoom[]
}

/** Bots in rooms: shown as what they are, told of before one enters, asked about when they come, put out and called in. */
export async function tryBots(office: WebOffice, check: Check): Promise<void> {
  const ada = await newPerson(office, 'Ada Lovelace', { found: 'Analytical Programs' })
  const grace = await newPerson(office, 'Grace Hopper', { inviteToken: await inviteTokenOf(ada) })
  const { room } = await ada.client.call('createRoom', { name: 'Workshop', kind: 'meeting' })
  const [minutes, scribe] = [await newBot(ada, 'Minutes'), await newBot(ada, 'Scribe')]
  const [atAda, atGrace] = [await newVisitor(office, PERMITTED), await newVisitor(office, PERMITTED)]
  const scene = { ...{ office, ada, roomId: room.id, minutes, scribe, atAda, atGrace }, inside: [] }
  try {
    await ada.enter(atAda)
    await grace.enter(atGrace)
    await tryOnFloor(scene, check)
    await tryTold(scene, check)
    await tryComing(scene, check)
    await tryGuest(scene, check)
    await tryModerating(scene, check)
    await trySettings(scene, check)
    await tryAdministering(office, ada, check)
    for (const visitor of [atAda, atGrace]) expectQuiet(visitor)
  } finally {
    for (const [name, { page, context }] of Object.entries({ ada: atAda, grace: atGrace })) {
      await page.screenshot({ path: `${office.pictures}/bots-${name}.png` }).catch(() => {})
      await context.close()
    }
    for (const bot of scene.inside as BotInRoom[]) await bot.leave()
  }
}

async function newBot({ client }: WebPerson, name: string): Promise<Bot> {
  const { botId, token } = await client.call('createBot', { name })
  return { id: botId, name, token }
}

async function enter({ office, roomId, inside }: Scene, bot: Bot): Promise<BotInRoom> {
  const program = createAtriumClient({ baseUrl: office.url, serviceToken: bot.token })
  const present = await botIn(
    office,
    await program.call('authorizeRoom', { roomId, username: 'x', speaks: false }),
  )
  inside.push(present)
  return present
}

async function tryOnFloor(scene: Scene, check: Check): Promise<void> {
  const { ada, roomId, minutes, atAda, office } = scene
  const { page } = atAda
  await check('bots: on the plan, on the card of a room and in the list, and in no count', async () => {
    await page.goto('/')
    const section = page.locator(`[data-room="${roomId}"]`)
    await section.waitFor()
    await enter(scene, minutes)
    await page.getByRole('region', { name: 'Workshop, meeting, Nobody inside, bot: Minutes' }).waitFor()
    assert.equal(await section.locator('.face').count(), 0)
    assert.deepEqual((await ada.client.call('getRoom', { roomId })).room.people, [])
    assert.equal(await page.locator('[data-zone="atrium"] .face').count(), 1)
    await page.getByText('Nobody else yet').waitFor()
    await expectAccessible(page)
    await pointAt(section.getByRole('button', { name: 'Workshop', exact: true }))
    await page.getByRole('dialog', { name: 'Workshop' }).getByText('bot: Minutes').waitFor()
    await page.screenshot({ path: `${office.pictures}/bots-plan.png` })
    await page.getByRole('button', { name: 'List', exact: true }).click()
    await page.getByRole('list', { name: '1 bot' }).getByText('Minutes').waitFor()
    await page.getByText('Nobody inside').waitFor()
    const group = page.locator('.floor-group').filter({ has: page.getByRole('heading', { name: /^Bots/ }) })
    assert.equal(await group.getByRole('listitem').count(), 2)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Plan', exact: true }).click()
  })
}

async function tryTold({ atAda, atGrace, roomId, office }: Scene, check: Check): Promise<void> {
  const { page } = atAda
  await check('bots: are told of before one enters, and stand apart in the room', async () => {
    for (const visitor of [atAda, atGrace]) {
      await visitor.page.goto(`/room/${roomId}`)
      await visitor.page.getByText('Minutes is a bot in this room').waitFor()
      await visitor.page.locator('.preview video').waitFor()
      await expectAccessible(visitor.page)
      await enterRoom(visitor.page)
    }
    await tileOf(page, 'Minutes').getByText('bot', { exact: true }).waitFor()
    await page.getByText('2 here · 1 bot').waitFor()
    // it was told of on the screen before
    assert.equal(await page.getByRole('button', { name: 'All right' }).count(), 0)
    await page.getByRole('button', { name: 'Mute', exact: true }).waitFor()
    await expectAccessible(page)
    await page.screenshot({ path: `${office.pictures}/bots-room.png` })
  })
  await check('bots: are told of where one enters at once', async () => {
    await atGrace.page.reload()
    await atGrace.page.getByRole('toolbar', { name: 'Controls' }).waitFor()
    await atGrace.page.getByText('Minutes is a bot in this room').waitFor()
    await atGrace.page.getByRole('button', { name: 'All right' }).click()
    await atGrace.page.getByRole('button', { name: 'Mute', exact: true }).waitFor()
  })
}

/** On the screens of others it is closed as well. */
async function expectMuted(page: Visitor['page'], name: string, isMuted: boolean): Promise<void> {
  const muted = tileOf(page, name).getByText('muted:')
  await eventually(
    `${name} is ${isMuted ? 'muted' : 'heard'}`,
    async () => (await muted.count()) > 0 === isMuted,
    PATIENCE,
  )
}

async function tryComing(scene: Scene, check: Check): Promise<void> {
  const { atAda, atGrace, scribe, office } = scene
  const { page } = atAda
  const said = /^Scribe is a bot, and is in this room now/
  await check('bots: one that comes closes the microphones of all, until each goes on', async () => {
    await expectMuted(page, 'Grace Hopper', false)
    await enter(scene, scribe)
    for (const visitor of [atAda, atGrace]) await visitor.page.getByText(said).waitFor()
    await expectMuted(page, 'Grace Hopper', true)
    await atGrace.page.getByRole('button', { name: 'Unmute' }).click()
    await page.screenshot({ path: `${office.pictures}/bots-came.png` })
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Go on' }).click()
    await page.getByRole('button', { name: 'Mute', exact: true }).waitFor()
    // one who has not gone on is not heard, whatever is pressed
    await expectMuted(page, 'Grace Hopper', true)
    await atGrace.page.getByRole('button', { name: 'Go on' }).click()
    await expectMuted(page, 'Grace Hopper', false)
    await scene.inside.pop()?.leave()
    await tileOf(page, 'Scribe').waitFor({ state: 'detached' })
  })
  await check('bots: one that comes while another screen is shown is told of there', async () => {
    await atGrace.page.getByRole('link', { name: 'To the floor' }).click()
    await atGrace.page.getByRole('region', { name: 'Your call' }).waitFor()
    await enter(scene, scribe)
    await atGrace.page.getByText('Scribe is a bot, and has come into your call').waitFor()
    await expectMuted(page, 'Grace Hopper', true)
    await expectAccessible(atGrace.page)
    await atGrace.page.getByRole('button', { name: 'Go on' }).click()
    await expectMuted(page, 'Grace Hopper', false)
    await page.getByRole('button', { name: 'Go on' }).click()
  })
  await check('bots: one that comes while a laptop is away is asked about when it is back', async () => {
    await scene.inside.pop()?.leave()
    await tileOf(page, 'Scribe').waitFor({ state: 'detached' })
    await atGrace.page.getByRole('link', { name: 'Back to the room' }).click()
    await atGrace.page.getByRole('toolbar', { name: 'Controls' }).waitFor()
    await atGrace.context.setOffline(true)
    await enter(scene, scribe)
    await page.getByRole('button', { name: 'Go on' }).click()
    await atGrace.context.setOffline(false)
    await atGrace.page.getByText(said).waitFor()
    await expectMuted(page, 'Grace Hopper', true)
    await atGrace.page.getByRole('button', { name: 'Go on' }).click()
    await expectMuted(page, 'Grace Hopper', false)
    // the console tells of the lost network, and of nothing else
    const others = atGrace.complaints.filter((text) => !text.includes('ERR_INTERNET_DISCONNECTED'))
    atGrace.complaints.splice(0, Number.POSITIVE_INFINITY, ...others)
  })
}

async function tryGuest(scene: Scene, check: Check): Promise<void> {
  const { office, ada, atAda, roomId, scribe } = scene
  await check('bots: a guest is told at the door, and asked inside like everybody', async () => {
    await scene.inside.pop()?.leave()
    // one that the office still takes for present is told of at the door
    await eventually(
      'the office has noticed',
      async () => (await ada.client.call('getRoom', { roomId })).room.agents.length === 1,
    )
    const { id: orgId = '' } =
      (await ada.client.call('getCurrentUser')).organizationMemberships[0]?.organization ?? {}
    const link = { orgId, roomId, durationSeconds: 3_600, allowAll: true }
    const { inviteUrl } = await ada.client.call('inviteGuest', link)
    await asVisitor(
      office,
      'bots-guest',
      async ({ page }) => {
        await page.goto(inviteUrl)
        await page.getByLabel('Your name').fill('Linus')
        await page.getByRole('button', { name: 'Ask to join' }).click()
        await page.getByText('Minutes is a bot in this room').waitFor()
        await expectAccessible(page)
        await atAda.page.getByRole('button', { name: 'Let in Linus' }).click()
        await page.getByRole('button', { name: 'Mute', exact: true }).waitFor()
        await tileOf(page, 'Minutes').getByText('bot', { exact: true }).waitFor()
        await enter(scene, scribe)
        await page.getByText(/^Scribe is a bot, and is in this room now/).waitFor()
        await expectMuted(atAda.page, 'Linus', true)
        await page.getByRole('button', { name: 'Go on' }).click()
        await expectMuted(atAda.page, 'Linus', false)
        await page.getByRole('button', { name: 'Leave' }).click()
      },
      PERMITTED,
    )
    for (const visitor of [atAda, scene.atGrace])
      await visitor.page.getByRole('button', { name: 'Go on' }).click()
  })
}

async function tryModerating(scene: Scene, check: Check): Promise<void> {
  const { office, atAda, atGrace, scribe } = scene
  const { page } = atAda
  await check('bots: everybody inside calls one in', async () => {
    await scene.inside.pop()?.leave()
    const live = await connectRealtime(
      createAtriumClient({ baseUrl: office.url, serviceToken: scribe.token }),
    )
    try {
      const asked: string[] = []
      live.on('event', ({ type }) => asked.push(type))
      await eventually('it is connected', () => live.state === 'connected', PATIENCE)
      await atGrace.page.keyboard.press('p')
      await atGrace.page.getByRole('button', { name: 'Call in Scribe' }).click()
      await atGrace.page.getByText('Scribe was called in').waitFor()
      await eventually('it is asked', () => asked.includes('agent.dispatched'), PATIENCE)
    } finally {
      live.close()
    }
  })
  await check('bots: a moderator puts one out; others cannot', async () => {
    await atGrace.page.getByRole('list', { name: 'Bots' }).getByText('Minutes').waitFor()
    assert.equal(await atGrace.page.getByRole('button', { name: /^Remove .* from the room$/ }).count(), 0)
    await page.keyboard.press('p')
    await expectAccessible(page)
    await page.screenshot({ path: `${office.pictures}/bots-people.png` })
    await page.getByRole('button', { name: 'Remove Minutes from the room' }).click()
    const [present] = scene.inside
    await eventually('it is out', () => present?.isOut(), PATIENCE)
    await tileOf(page, 'Minutes').waitFor({ state: 'detached' })
  })
}

async function trySettings(scene: Scene, check: Check): Promise<void> {
  const { ada, atAda, office, roomId } = scene
  const { page } = atAda
  const room = async () => (await ada.client.call('getRoom', { roomId })).room
  await check(
    'bots: a moderator has a room without them, which is not sealed while somebody is inside',
    async () => {
      await page.getByRole('button', { name: 'More', exact: true }).click()
      await page.getByRole('button', { name: 'Settings of the room' }).click()
      const dialog = page.getByRole('dialog', { name: 'Settings of Workshop' })
      await dialog.getByText('It can be changed while nobody is inside.').waitFor()
      assert.equal(await dialog.getByRole('switch', { name: /^Sealed/ }).isDisabled(), true)
      await expectAccessible(page)
      await dialog.getByRole('button', { name: /Bots$/ }).click()
      await page.getByRole('option', { name: 'None come in' }).click()
      await eventually('none come in', async () => (await room()).agentDispatch === 'none', PATIENCE)
      await dialog.getByRole('button', { name: 'Done' }).click()
      await page.getByRole('button', { name: 'Leave', exact: true }).click()
    },
  )
  await check(
    'bots: a moderator seals a room that nobody is in, and the floor says that it is sealed',
    async () => {
      const { room: vault } = await ada.client.call('createRoom', { name: 'Vault' })
      await page.goto('/')
      const section = page.locator(`[data-room="${vault.id}"]`)
      await pointAt(section.getByRole('button', { name: 'Vault', exact: true }))
      await page.getByRole('button', { name: 'Settings of the room' }).click()
      const dialog = page.getByRole('dialog', { name: 'Settings of Vault' })
      await dialog.getByRole('switch', { name: /^Sealed/ }).press('Space')
      await dialog.getByText('Bots cannot come into a sealed room.').waitFor()
      await expectAccessible(page)
      await page.screenshot({ path: `${office.pictures}/bots-settings.png` })
      await dialog.getByRole('button', { name: 'Done' }).click()
      await page.getByRole('region', { name: 'Vault, meeting, Nobody inside, sealed' }).waitFor()
      await page.getByRole('button', { name: 'List', exact: true }).click()
      await page.locator('.room-card').getByText('Sealed', { exact: true }).waitFor()
    },
  )
}

async function tryAdministering(office: WebOffice, ada: WebPerson, check: Check): Promise<void> {
  await check('bots: an administrator makes one, whose token is shown once, renames and deletes it', () =>
    asVisitor(office, 'bots-administration', async (visitor) => {
      const { page } = visitor
      await ada.enter(visitor)
      await page.goto('/administration?part=connections')
      const card = page.locator('.card').filter({ has: page.getByRole('heading', { name: 'Bots' }) })
      await card.getByText('Scribe').waitFor()
      await card.getByRole('button', { name: 'New bot' }).click()
      await page.getByRole('dialog').getByLabel('Name').fill('Porter')
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Create', exact: true }).click()
      await page.getByText(/^atrbot_/).waitFor()
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Done' }).click()
      await card
        .getByText(/^since .* · never used$/)
        .first()
        .waitFor()
      await card.getByRole('button', { name: 'Rename Porter' }).click()
      await page.getByRole('dialog').getByLabel('Name').fill('Doorman')
      await page.getByRole('button', { name: 'Save' }).click()
      await card.getByRole('button', { name: 'Delete Doorman' }).press('Enter')
      // what is under way is not given up
      const cancel = page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' })
      let isKept = false
      await page.route('**/bots/delete', async (route) => {
        isKept = await cancel.isDisabled()
        await route.continue()
      })
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
      await card.getByText('Doorman').waitFor({ state: 'detached' })
      assert.equal(isKept, true)
      await expectFocus(page)
      const { bots } = await ada.client.call('listBots')
      assert.deepEqual(bots.map(({ name }) => name).sort(), ['Minutes', 'Scribe'])
      await expectAccessible(page)
    }),
  )
}
