import assert from 'node:assert/strict'
import type { Check } from '../engine.ts'
import { newPerson, type WebPerson } from './people.ts'
import { enterRoom, expectPictures, expectSound, reloadInside, tileOf } from './room-media.ts'
import {
  asVisitor,
  expectAccessible,
  expectNoSidewaysScroll,
  expectQuiet,
  newVisitor,
  PHONE,
  type Visitor,
  type WebOffice,
} from './visitor.ts'

interface Scene {
  office: WebOffice
  ada: WebPerson
  atAda: Visitor
  roomId: string
}

/** Guests of a room: from the link to the last goodbye. */
export async function tryGuest(office: WebOffice, check: Check): Promise<void> {
  const ada = await newPerson(office, 'Ada Lovelace', { found: 'Analytical Guests' })
  const { room } = await ada.client.call('createRoom', { name: 'Parlour' })
  const atAda = await newVisitor(office)
  const scene: Scene = { office, ada, atAda, roomId: room.id }
  try {
    await ada.enter(atAda)
    const link = await tryInviting(scene, check)
    await tryAdmitted(scene, link, check)
    await tryRecorded(scene, link, check)
    await tryDenied(scene, link, check)
    await tryLinks(scene, check)
    expectQuiet(atAda)
  } finally {
    await atAda.page.screenshot({ path: `${office.pictures}/guest-host.png` }).catch(() => {})
    await atAda.context.close()
  }
}

async function tryInviting({ office, atAda, roomId }: Scene, check: Check): Promise<string> {
  let link = ''
  await check('guest: somebody inside makes a link', async () => {
    await atAda.page.goto(`/room/${roomId}`)
    await enterRoom(atAda.page)
    await atAda.page.getByRole('button', { name: 'More' }).click()
    await atAda.page
      .getByRole('dialog', { name: 'More' })
      .getByRole('button', { name: 'Invite a guest' })
      .click()
    await atAda.page.getByRole('button', { name: 'Create a link' }).click()
    link = await atAda.page.getByLabel('Guest link').inputValue()
    await expectAccessible(atAda.page)
    await atAda.page.screenshot({ path: `${office.pictures}/guest-invite.png` })
    await atAda.page.getByRole('button', { name: 'Done' }).click()
  })
  return link
}

async function ask({ page }: Visitor, link: string, name: string): Promise<void> {
  await page.goto(link)
  await page.getByRole('heading', { name: 'You are invited to Parlour' }).waitFor()
  const field = page.getByLabel('Your name')
  // the browser's own words would be in another language
  await page.getByRole('button', { name: 'Ask to join' }).click()
  await page.getByText('Enter your name: nobody is let in without one.').waitFor()
  await field.and(page.locator(':focus')).fill(name)
  await page.getByRole('button', { name: 'Ask to join' }).dblclick()
  await page.getByRole('heading', { name: 'You are waiting at the door' }).waitFor()
}

async function tryAdmitted({ office, atAda }: Scene, link: string, check: Check): Promise<void> {
  await check('guest: waits, is let in, sees and is seen, and survives a reload', async () => {
    await asVisitor(office, 'guest-left', async (guest) => {
      const { page } = guest
      await page.goto(link)
      await page.getByText('Ada Lovelace of Analytical Guests has invited you.').waitFor()
      await page.locator('.preview video').waitFor()
      await expectAccessible(page)
      await page.screenshot({ path: `${office.pictures}/guest-before.png` })
      await ask(guest, link, 'Linus')
      await page.getByText('Somebody who can let you in is around and has been told.').waitFor()
      await expectAccessible(page)
      await page.screenshot({ path: `${office.pictures}/guest-waiting.png` })
      await atAda.page.locator('.at-door strong').getByText('Linus').waitFor()
      await expectAccessible(atAda.page)
      await atAda.page.screenshot({ path: `${office.pictures}/guest-at-the-door.png` })
      // who presses twice asks once
      assert.equal(await atAda.page.locator('.at-door').count(), 1)
      await atAda.page.getByRole('button', { name: 'Let in Linus' }).click()
      await page.getByRole('toolbar', { name: 'Controls' }).waitFor()
      await expectPictures(page, 'Ada Lovelace')
      await expectPictures(atAda.page, 'Linus')
      await expectSound(page)
      await expectSound(atAda.page)
      await expectAccessible(page)
      await page.reload()
      await page.getByRole('toolbar', { name: 'Controls' }).waitFor()
      await expectPictures(page, 'Ada Lovelace')
      await page.screenshot({ path: `${office.pictures}/guest-inside.png` })
      await writeInRoom(office, guest, atAda)
      await page.keyboard.press('m')
      await tileOf(atAda.page, 'Linus').getByText('muted').waitFor()
      await reloadInside(page)
      await expectPictures(atAda.page, 'Linus')
      await page.getByRole('button', { name: 'Unmute' }).waitFor()
      await page.getByRole('button', { name: 'Leave' }).click()
      await page.getByRole('heading', { name: 'You have left the room' }).waitFor()
    })
    await tileOf(atAda.page, 'Linus').waitFor({ state: 'detached' })
  })
}

const SEND = '**/guest/messages/send'

/** The guest sees that something was written, and nothing that they write is lost while the office does not take it. */
async function writeInRoom(office: WebOffice, { page }: Visitor, { page: atAda }: Visitor): Promise<void> {
  const write = async (text: string) => {
    await page.getByRole('textbox', { name: 'Write to the room' }).fill(text)
    await page.keyboard.press('Enter')
  }
  await atAda.getByRole('button', { name: 'Chat', exact: true }).click()
  await atAda.getByRole('textbox', { name: 'Write to the room' }).fill('Hello **Linus**')
  await atAda.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Chat 1 unread message' }).click()
  await page.getByRole('list', { name: 'Room chat' }).locator('strong').getByText('Linus').waitFor()
  const tried = Promise.withResolvers<void>()
  await page.route(SEND, async (route) => {
    await tried.promise
    await route.fulfill({ status: 429, headers: { 'retry-after': '2' }, json: { message: 'Later' } })
  })
  await write('First of all')
  await write('Second of all')
  tried.resolve()
  await page.getByText('Not sent yet').first().waitFor()
  await expectAccessible(page)
  await page.screenshot({ path: `${office.pictures}/guest-chat.png` })
  await page.unroute(SEND)
  for (const text of ['First of all', 'Second of all']) await atAda.getByRole('log').getByText(text).waitFor()
  await page.getByText('Not sent yet').waitFor({ state: 'detached' })
  // what a member takes back is gone for the guest too
  await atAda.getByRole('log').locator('.message', { hasText: 'Hello Linus' }).hover()
  await atAda.getByRole('log').getByRole('button', { name: 'Delete' }).click()
  await atAda.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('list', { name: 'Room chat' }).getByText('Hello').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Close the chat' }).click()
  await atAda.getByRole('button', { name: 'Close the chat' }).click()
}

async function tryRecorded({ office, ada, atAda, roomId }: Scene, link: string, check: Check): Promise<void> {
  const recording = { roomName: roomId, zoneId: '' }
  await check('guest: is asked before anybody records them', async () => {
    await ada.client.call('startRecording', { ...recording, conferenceTopic: 'Parlour', participants: '' })
    await atAda.page.getByRole('button', { name: 'Agree and stay' }).click()
    for (const [name, when] of [
      ['Margaret', 'at the door'],
      ['Barbara', 'inside'],
    ] as const)
      await asVisitor(office, `guest-recorded-${name}`, async (guest) => {
        const { page } = guest
        await ask(guest, link, name)
        const agree = page.getByRole('button', { name: 'I agree to be recorded' })
        await agree.waitFor()
        await page.getByText(/An administrator of Analytical Guests will let you into Parlour/).waitFor()
        await expectAccessible(page)
        if (when === 'at the door') await agree.click()
        await atAda.page.getByRole('button', { name: `Let in ${name}` }).click()
        await page.getByRole('toolbar', { name: 'Controls' }).waitFor()
        if (when === 'inside') {
          await tileOf(atAda.page, name).getByText('muted').waitFor()
          // a key opens nothing either
          await page.keyboard.press('m')
          await page.keyboard.press('m')
          await agree.waitFor()
          assert.equal(await tileOf(atAda.page, name).locator('video').count(), 0)
          await expectAccessible(page)
          await agree.click()
        }
        await expectPictures(atAda.page, name)
        await agree.waitFor({ state: 'detached' })
        await page.getByRole('button', { name: 'Leave', exact: true }).click()
        await page.getByRole('heading', { name: 'You have left the room' }).waitFor()
      })
    const { data } = await ada.client.call('listRecordings', { roomName: roomId })
    await ada.client.call('stopRecording', { ...recording, egressId: data[0]?.egressId ?? '' })
    await atAda.page.locator('.in-room-recording').waitFor({ state: 'detached' })
  })
}

async function tryDenied({ office, atAda }: Scene, link: string, check: Check): Promise<void> {
  await check('guest: is turned away in words, on a phone', async () => {
    const settings = { viewport: PHONE }
    await asVisitor(
      office,
      'guest-denied',
      async (guest) => {
        await ask(guest, link, 'Mallory')
        await expectNoSidewaysScroll(guest.page)
        await atAda.page.getByRole('button', { name: 'Not now Mallory' }).click()
        await guest.page.getByRole('heading', { name: 'You were not let in' }).waitFor()
        await expectAccessible(guest.page)
      },
      settings,
    )
    await atAda.page.locator('.at-door', { hasText: 'Mallory' }).waitFor({ state: 'detached' })
  })
  await check('guest: is seen by whoever may let them in, whatever of the office they look at', async () => {
    await atAda.page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Chat' }).click()
    await asVisitor(office, 'guest-noticed', async (guest) => {
      await ask(guest, link, 'Trent')
      const notice = atAda.page.getByRole('region', { name: 'Notices' }).locator('.toast')
      await notice.getByText('Trent is waiting at the door').waitFor()
      await atAda.page.screenshot({ path: `${office.pictures}/guest-noticed.png` })
      // who comes later, or again, finds those who wait
      await atAda.page.reload()
      await notice.getByText('Trent is waiting at the door').waitFor()
      await notice.getByText('Parlour').waitFor()
      await notice.getByRole('button', { name: 'Not now' }).click()
      await guest.page.getByRole('heading', { name: 'You were not let in' }).waitFor()
      await notice.waitFor({ state: 'detached' })
    })
    await atAda.page.goBack()
  })
}

async function tryLinks({ office, ada, roomId }: Scene, check: Check): Promise<void> {
  await check('guest: a link that was taken back, and one that is none, say so', async () => {
    const { id: orgId } =
      (await ada.client.call('getCurrentUser')).organizationMemberships[0]?.organization ?? {}
    const { inviteUrl, inviteId } = await ada.client.call('inviteGuest', {
      ...{ orgId: orgId ?? '', roomId, durationSeconds: 3_600 },
    })
    await ada.client.call('revokeGuestInvite', { inviteId })
    await asVisitor(office, 'guest-revoked', async ({ page }) => {
      await page.goto(inviteUrl)
      await page.getByRole('heading', { name: 'This link no longer works' }).waitFor()
      await expectAccessible(page)
    })
    await asVisitor(
      office,
      'guest-no-link',
      async ({ page }) => {
        await page.goto('/guest')
        await page.getByRole('heading', { name: 'Dieser Link führt nirgends hin' }).waitFor()
        await expectAccessible(page)
      },
      { locale: 'de-DE' },
    )
  })
}
