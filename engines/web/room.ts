import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Check } from '../engine.ts'
import { eventually } from '../waiting.ts'
import { inviteTokenOf, newPerson, type WebPerson } from './people.ts'
import { roomOnPlan } from './plan.ts'
import { enterRoom, expectPictures, expectSound, record, reloadInside, tileOf } from './room-media.ts'
import { tryQuestions } from './room-questions.ts'
import {
  asVisitor,
  expectAccessible,
  expectNoSidewaysScroll,
  expectQuiet,
  newVisitor,
  PERMITTED,
  PHONE,
  tabThrough,
  type Visitor,
  type WebOffice,
} from './visitor.ts'

interface Scene {
  office: WebOffice
  ada: WebPerson
  grace: WebPerson
  atAda: Visitor
  /** On a phone. */
  atGrace: Visitor
  roomId: string
}

/** Two people in a room: what each sees and hears of the other. */
export async function tryRoom(office: WebOffice, check: Check): Promise<void> {
  const ada = await newPerson(office, 'Ada Lovelace', { found: 'Analytical Rooms' })
  const { room } = await ada.client.call('createRoom', { name: 'Kitchen' })
  const grace = await newPerson(office, 'Grace Hopper', { inviteToken: await inviteTokenOf(ada) })
  const [atAda, atGrace] = [
    await newVisitor(office),
    await newVisitor(office, { viewport: PHONE, ...PERMITTED }),
  ]
  const scene: Scene = { office, ada, grace, atAda, atGrace, roomId: room.id }
  try {
    await ada.enter(atAda)
    await grace.enter(atGrace)
    await tryEntering(scene, check)
    await tryControls(scene, check)
    await tryReload(scene, check)
    await tryRecording(scene, check)
    await tryQuestions(scene, check)
    await tryElsewhere(scene, check)
    await tryTakingOver(scene, check)
    expectQuiet(atAda)
    expectQuiet(atGrace)
  } finally {
    await atAda.page.screenshot({ path: `${office.pictures}/room.png` }).catch(() => {})
    await atGrace.page.screenshot({ path: `${office.pictures}/room-phone.png` }).catch(() => {})
    await atAda.context.close()
    await atGrace.context.close()
  }
}

async function tryEntering({ office, ada, atAda, atGrace, roomId }: Scene, check: Check): Promise<void> {
  await check('room: one knows what one goes into, and how one looks and sounds', async () => {
    await atAda.page.goto('/')
    await roomOnPlan(atAda.page, 'Kitchen').click()
    await atAda.page.getByRole('heading', { name: 'Kitchen' }).waitFor()
    await atAda.page.getByText('Nobody is inside yet.').waitFor()
    await atAda.page
      .getByText('Colleagues see that you are in this room, whatever your status says.')
      .waitFor()
    await atAda.page.locator('.preview video').waitFor()
    const meter = atAda.page.getByRole('meter', { name: 'Microphone level' })
    await eventually('a level', async () => Number(await meter.getAttribute('aria-valuenow')) > 0, {
      withinMs: 20_000,
      everyMs: 50,
    })
    await atAda.page.getByRole('button', { name: /Microphone/ }).waitFor()
    await expectAccessible(atAda.page)
    await atAda.page.screenshot({ path: `${office.pictures}/room-before.png` })
  })
  await check('room: before it, in German and on a phone', async () => {
    const settings = { locale: 'de-DE', viewport: PHONE, colorScheme: 'dark' } as const
    await asVisitor(
      office,
      'room-before-german',
      async (visitor) => {
        await ada.enter(visitor)
        await visitor.page.goto(`/room/${roomId}`)
        await visitor.page.getByRole('button', { name: 'Raum betreten' }).waitFor()
        await visitor.page.locator('.preview video').waitFor()
        await expectAccessible(visitor.page)
        await expectNoSidewaysScroll(visitor.page)
      },
      settings,
    )
  })
  await check('room: two people see and hear each other', async () => {
    await enterRoom(atAda.page)
    await atGrace.page.goto(`/room/${roomId}`)
    await atGrace.page.getByText('Ada Lovelace is inside.').waitFor()
    await enterRoom(atGrace.page)
    await expectPictures(atAda.page, 'Grace Hopper')
    await expectPictures(atGrace.page, 'Ada Lovelace')
    await expectSound(atAda.page)
    await expectSound(atGrace.page)
    await expectAccessible(atAda.page)
    await expectAccessible(atGrace.page)
    await expectNoSidewaysScroll(atGrace.page)
    await atAda.page.screenshot({ path: `${office.pictures}/room-two.png` })
    await atGrace.page.screenshot({ path: `${office.pictures}/room-two-phone.png` })
  })
}

async function tryControls({ office, atAda, atGrace }: Scene, check: Check): Promise<void> {
  await check('room: keys mute and close the camera, and the other sees it', async () => {
    await atAda.page.keyboard.press('m')
    await tileOf(atGrace.page, 'Ada Lovelace').getByText('muted').waitFor()
    await atAda.page.keyboard.press('v')
    await tileOf(atGrace.page, 'Ada Lovelace').locator('video').waitFor({ state: 'detached' })
    await atAda.page.keyboard.press('m')
    await tileOf(atGrace.page, 'Ada Lovelace').getByText('muted').waitFor({ state: 'detached' })
    await atAda.page.keyboard.press('v')
    await expectPictures(atGrace.page, 'Ada Lovelace')
    await atAda.page.getByRole('heading', { name: 'Kitchen' }).focus()
    assert.deepEqual(await tabThrough(atAda.page, 5), [
      'button "Picture in picture"',
      'button "Full screen"',
      'button "Mute"',
      'button "Stop camera"',
      'button "Share screen"',
    ])
  })
  await check('room: a screen that is shared is large at the other', async () => {
    await atAda.page.getByRole('button', { name: 'Share screen' }).click()
    await atGrace.page.locator('.stage-large').getByText('Ada Lovelace’s screen').waitFor()
    await expectPictures(atGrace.page, 'Ada Lovelace’s screen')
    await atAda.page.getByText('You are sharing your screen').waitFor()
    assert.equal(await atAda.page.locator('.stage-large').count(), 0)
    await atAda.page.screenshot({ path: `${office.pictures}/room-share.png` })
    await atGrace.page.screenshot({ path: `${office.pictures}/room-share-phone.png` })
    await atAda.page.getByRole('button', { name: 'Stop sharing' }).click()
    await atGrace.page.locator('.stage-large').waitFor({ state: 'detached' })
  })
  await check('room: what is written is read by the other, and letters are no keys there', async () => {
    await atAda.page.getByRole('button', { name: 'Chat' }).click()
    // at once: what is sent before the chat is open waits for it
    await fieldOf(atAda.page).pressSequentially('mvsl https://example.com/plan')
    await atAda.page.keyboard.press('Enter')
    await atGrace.page.getByRole('button', { name: 'Chat 1 unread message' }).click()
    await atGrace.page.getByRole('log').getByText('mvsl').waitFor()
    await atGrace.page.getByRole('link', { name: 'https://example.com/plan' }).waitFor()
    await atGrace.page.getByRole('button', { name: 'Chat', exact: true }).waitFor()
    await atAda.page.getByRole('button', { name: 'Mute' }).waitFor()
    await expectAccessible(atAda.page)
    await atAda.page.screenshot({ path: `${office.pictures}/room-chat.png` })
    await fieldOf(atAda.page).press('Escape')
    await fieldOf(atAda.page).waitFor({ state: 'detached' })
    // whoever goes on by keyboard goes on from there
    assert.match((await atAda.page.locator(':focus').textContent()) ?? '', /^Chat/)
    await atGrace.page.getByRole('button', { name: 'Close the chat' }).click()
  })
}

function fieldOf(page: Page) {
  return page.getByRole('textbox', { name: 'Write to the room' })
}

async function tryReload({ atAda, atGrace, roomId }: Scene, check: Check): Promise<void> {
  await check(
    'room: whoever was muted and unseen is so after a reload, which leads straight in',
    async () => {
      const { page } = atGrace
      const atHers = tileOf(atAda.page, 'Grace Hopper')
      await page.getByRole('button', { name: 'Mute' }).click()
      await page.getByRole('button', { name: 'Stop camera' }).click()
      await page.getByRole('button', { name: 'Start camera' }).waitFor()
      await reloadInside(page)
      await page.getByRole('button', { name: 'Unmute' }).waitFor()
      await atHers.getByText('muted').waitFor()
      await atHers.locator('video').waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Unmute' }).click()
      await page.getByRole('button', { name: 'Start camera' }).click()
      await expectPictures(atAda.page, 'Grace Hopper')
    },
  )
  await check('room: devices are behind a gear, and come by themselves where one is gone', async () => {
    const { page } = atGrace
    await page.getByRole('button', { name: 'Leave', exact: true }).click()
    await page.getByRole('heading', { name: 'Floor', level: 1 }).waitFor()
    await page.goto(`/room/${roomId}?devices=1`)
    await page.getByRole('button', { name: 'Enter the room' }).waitFor()
    await page.getByRole('button', { name: 'Test the speaker' }).waitFor()
    await expectAccessible(page)
    await page.evaluate(() => {
      const kept = JSON.parse(localStorage.getItem('atrium-preferences') ?? '{}') as object
      localStorage.setItem('atrium-preferences', JSON.stringify({ ...kept, microphoneId: 'sold last year' }))
    })
    await page.goto(`/room/${roomId}`)
    await page.getByRole('button', { name: 'Enter the room' }).waitFor()
    await page.evaluate(() => localStorage.removeItem('atrium-preferences'))
    await page.goto(`/room/${roomId}`)
    await page.getByRole('toolbar', { name: 'Controls' }).waitFor()
    await expectPictures(atAda.page, 'Grace Hopper')
  })
}

async function tryRecording({ office, grace, atAda, atGrace, roomId }: Scene, check: Check): Promise<void> {
  await check('room: a recording is told inside, and before one comes in', async () => {
    await record(atAda, 'Start recording')
    await atGrace.page.getByText('This room is being recorded from now on').waitFor()
    await atGrace.page.getByRole('button', { name: 'Agree and stay' }).click()
    await asVisitor(office, 'room-recorded', async (visitor) => {
      await grace.enter(visitor)
      await visitor.page.goto(`/room/${roomId}`)
      await visitor.page.getByText('This room is being recorded').waitFor()
      assert.equal(await visitor.page.getByRole('button', { name: 'Enter the room' }).isDisabled(), true)
      assert.equal(await visitor.page.locator('.preview video').count(), 0)
      await visitor.page.getByText('I agree to be recorded').click()
      await visitor.page.locator('.preview video').waitFor()
      assert.equal(await visitor.page.getByRole('button', { name: 'Enter the room' }).isDisabled(), false)
    })
    // she has said so inside: this browser asks her no more, also after a reload
    await atGrace.page.reload()
    await atGrace.page.getByRole('toolbar', { name: 'Controls' }).waitFor()
    await expectPictures(atAda.page, 'Grace Hopper')
    await record(atAda, 'Stop recording')
    await atAda.page.locator('.in-room-recording').waitFor({ state: 'detached' })
  })
  await check('room: the next recording is asked about anew', async () => {
    await atGrace.page.getByRole('button', { name: 'Leave', exact: true }).click()
    await atGrace.page.getByText('You have left the room').waitFor()
    await atGrace.page.getByRole('heading', { name: 'Floor', level: 1 }).waitFor()
    await record(atAda, 'Start recording')
    await atAda.page.locator('.in-room-recording').waitFor()
    await roomOnPlan(atGrace.page, 'Kitchen').click()
    await atGrace.page.getByText('I agree to be recorded').click()
    await enterRoom(atGrace.page)
    await record(atAda, 'Stop recording')
    await atGrace.page.locator('.in-room-recording').waitFor({ state: 'detached' })
  })
}

async function tryElsewhere({ atAda, atGrace, roomId }: Scene, check: Check): Promise<void> {
  const { page } = atAda
  const bar = page.getByRole('region', { name: 'Your call' })
  await check('room: whoever looks at another screen stays inside, and finds back', async () => {
    await page.getByRole('link', { name: /^Chat/ }).click()
    await page.getByRole('heading', { name: 'Chat', level: 1 }).waitFor()
    await bar.getByText('You are in Kitchen').waitFor()
    await expectDaylight(page)
    await expectAccessible(page)
    await expectPictures(atGrace.page, 'Ada Lovelace')
    await expectSound(page)
    await bar.getByRole('button', { name: 'Mute' }).click()
    await tileOf(atGrace.page, 'Ada Lovelace').getByText('muted').waitFor()
    await bar.getByRole('button', { name: 'Unmute' }).click()
    await tileOf(atGrace.page, 'Ada Lovelace').getByText('muted').waitFor({ state: 'detached' })
    await bar.getByRole('link', { name: 'Back to the room' }).click()
    await page.getByRole('toolbar', { name: 'Controls' }).waitFor()
    await bar.waitFor({ state: 'detached' })
    await expectPictures(page, 'Grace Hopper')
  })
  await check('room: and leaves from there', async () => {
    // on a phone it stands above
    await atGrace.page.getByRole('link', { name: 'To the floor' }).click()
    await atGrace.page.getByRole('link', { name: /^Chat/ }).click()
    const graces = atGrace.page.getByRole('region', { name: 'Your call' })
    await graces.getByText('You are in Kitchen').waitFor()
    await expectDaylight(atGrace.page)
    await expectAccessible(atGrace.page)
    await expectNoSidewaysScroll(atGrace.page)
    await graces.getByRole('button', { name: 'Leave' }).click()
    await graces.waitFor({ state: 'detached' })
    await tileOf(page, 'Grace Hopper').waitFor({ state: 'detached' })
    await atGrace.page.goto(`/room/${roomId}`)
    await enterRoom(atGrace.page)
    await expectPictures(page, 'Grace Hopper')
  })
}

/** A room is dark, the office as one has it: the change of colours takes a few frames. */
async function expectDaylight(page: Page): Promise<void> {
  await page.locator('.in-room').waitFor({ state: 'detached' })
  await page.waitForFunction(() => document.getAnimations().length === 0)
}

async function tryTakingOver({ office, ada, atAda, atGrace, roomId }: Scene, check: Check): Promise<void> {
  await check('room: a second tab is asked before it takes over, and the first one is told', async () => {
    await asVisitor(office, 'room-taken-over', async (visitor) => {
      await ada.enter(visitor)
      await visitor.page.goto(`/room/${roomId}`)
      await visitor.page.getByRole('button', { name: 'Enter the room' }).click()
      const question = visitor.page.getByRole('alertdialog', { name: 'You are in this room already' })
      await question.waitFor()
      await expectAccessible(visitor.page)
      await question.getByRole('button', { name: 'Cancel' }).click()
      await atAda.page.getByRole('toolbar', { name: 'Controls' }).waitFor()
      await visitor.page.getByRole('button', { name: 'Enter the room' }).click()
      await question.getByRole('button', { name: 'Take over here' }).click()
      await visitor.page.getByRole('toolbar', { name: 'Controls' }).waitFor()
      await atAda.page.getByRole('heading', { name: 'You are in this room elsewhere' }).waitFor()
      await expectAccessible(atAda.page)
      await expectPictures(visitor.page, 'Grace Hopper')
      await visitor.page.keyboard.press('Shift+L')
      await visitor.page.getByText('You have left the room').waitFor()
    })
    await tileOf(atGrace.page, 'Ada Lovelace').waitFor({ state: 'detached' })
  })
  await check('room: one that is deleted says so to whoever is inside', async () => {
    await ada.client.call('deleteRoom', { roomId })
    await atGrace.page.getByRole('heading', { name: 'The room is gone' }).waitFor()
    await atAda.page.getByRole('button', { name: 'Enter again' }).click()
    await atAda.page.getByRole('heading', { name: 'There is no such room' }).waitFor()
  })
}
