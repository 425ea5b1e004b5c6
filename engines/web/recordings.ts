import assert from 'node:assert/strict'
import type { Check } from '../engine.ts'
import { eventually } from '../waiting.ts'
import { inviteTokenOf, newPerson, type WebPerson } from './people.ts'
import { enterRoom } from './room-media.ts'
import {
  asVisitor,
  expectAccessible,
  expectFocus,
  expectNoSidewaysScroll,
  PHONE,
  type WebOffice,
} from './visitor.ts'

/** An administrator who looks after recordings: what is under legal hold cannot be deleted, by nobody. */
export async function tryRecordings(office: WebOffice, check: Check): Promise<void> {
  const ada = await newPerson(office, 'Ada Lovelace', { found: 'Analytical Records' })
  const { room } = await ada.client.call('createRoom', { name: 'Kitchen' })
  await check(
    'recordings: legal hold is switched on and off, and takes deleting away meanwhile',
    async () => {
      const recordingId = await record(ada, room.id)
      await asVisitor(
        office,
        'recordings-phone',
        async (visitor) => {
          const { page } = visitor
          await ada.enter(visitor)
          await page.goto('/administration?part=rooms')
          const hold = page.getByRole('switch', { name: 'Legal hold' })
          const remove = page.getByRole('button', { name: 'Delete the recording Kitchen' })
          await remove.waitFor()
          assert.equal(await hold.isChecked(), false)
          const title = await page.locator('.list-title', { hasText: 'Kitchen' }).boundingBox()
          assert.ok(title && title.width > 120, `the name has ${title?.width} pixels`)
          await hold.press('Space')
          await remove.waitFor({ state: 'detached' })
          await expectFocus(page)
          assert.equal(await hold.isChecked(), true)
          const refused = await ada.client.request('deleteRecording', { recordingId })
          assert.equal(refused.status, 409)
          await expectAccessible(page)
          await expectNoSidewaysScroll(page)
          await page.getByRole('tab', { name: 'Trail and limits' }).click()
          await page.getByRole('cell', { name: 'Recording put under legal hold' }).first().waitFor()
          // another page knows of it too
          await page.goto('/administration?part=rooms')
          await hold.waitFor()
          assert.equal(await hold.isChecked(), true)
          assert.equal(await remove.count(), 0)
          await hold.press('Space')
          await remove.press('Enter')
          await expectAccessible(page)
          await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).press('Enter')
          await page.getByText('No recordings yet.').waitFor()
          await expectFocus(page)
        },
        { viewport: PHONE },
      )
    },
  )
}

/** A recording is watched with its chapters, named and shared. */
export async function tryWatching(office: WebOffice, check: Check): Promise<void> {
  const ada = await newPerson(office, 'Ada Lovelace', { found: 'Analytical Films' })
  const grace = await newPerson(office, 'Grace Hopper', { inviteToken: await inviteTokenOf(ada) })
  const { room } = await ada.client.call('createRoom', { name: 'Kitchen' })
  const recordingId = await recordOneself(office, ada, room.id)
  const path = `/recordings/${recordingId}`
  await check('recordings: a film is watched from its chapters on, at another speed, and named', () =>
    asVisitor(office, 'recording', async (visitor) => {
      const { page } = visitor
      await ada.enter(visitor)
      await page.goto(path)
      await page.getByRole('heading', { name: 'Kitchen', level: 1 }).waitFor()
      const player = page.locator('video')
      const isReady = () => player.evaluate((video: HTMLVideoElement) => video.readyState >= 1)
      await eventually('the film is there', isReady)
      await page.getByRole('button', { name: /Ada Lovelace came$/ }).press('Enter')
      const plays = () => player.evaluate((video: HTMLVideoElement) => video.currentTime > 0.2)
      await eventually('it plays', plays)
      await page.getByRole('button', { name: /Speed/ }).press('Enter')
      await page.getByRole('option', { name: '2×' }).click()
      assert.equal(await player.evaluate((video: HTMLVideoElement) => video.playbackRate), 2)
      await page.getByLabel('Name of the recording').fill('The first film')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'The first film', level: 1 }).waitFor()
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
    }),
  )
  await check('recordings: what was said is searched, and gone to, by keyboard', () =>
    asVisitor(office, 'transcript', async (visitor) => {
      const { page } = visitor
      await ada.enter(visitor)
      await eventually(
        'it is written down',
        async () => (await ada.client.call('getRecording', { recordingId })).transcript === 'made',
      )
      await page.goto(path)
      await page.getByLabel('Search what was said').fill('BUDGET of')
      await page.getByText(/^Found in /).waitFor()
      assert.equal(await page.locator('mark').first().textContent(), 'budget of')
      assert.equal(await page.getByRole('button', { name: 'We begin' }).count(), 0)
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      const player = page.locator('video')
      const plays = () => player.evaluate((video: HTMLVideoElement) => video.currentTime > 0.2)
      await eventually('it plays', plays)
      await page.getByLabel('Search what was said').press('Escape')
      // what a transcriber answers is text
      await page.getByRole('button', { name: 'We begin with <b>it</b>.' }).first().waitFor()
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
      await page.setViewportSize(PHONE)
      await expectNoSidewaysScroll(page)
    }),
  )
  await check('recordings: what is shared says until when, and opens for colleagues', () =>
    asVisitor(office, 'recording-shared', async (visitor) => {
      const { page } = visitor
      await grace.enter(visitor)
      await page.goto(path)
      await page.getByRole('heading', { name: 'The first film', level: 1 }).waitFor()
      await page.getByRole('button', { name: 'Share and copy the link' }).press('Enter')
      await page.getByText('Everyone in the organization can watch it until').waitFor()
      const { sharedUntil } = await ada.client.call('getRecording', { recordingId })
      assert.ok(Date.parse(sharedUntil ?? '') > Date.now())
      await page.getByRole('button', { name: 'End sharing' }).press('Enter')
      await page.getByText('Members and above can watch it.').waitFor()
    }),
  )
}

/** @returns the id of a film of a person alone in a room */
async function recordOneself(office: WebOffice, person: WebPerson, roomId: string): Promise<string> {
  let recordingId = ''
  await asVisitor(office, 'recorded', async (visitor) => {
    await person.enter(visitor)
    await visitor.page.goto(`/room/${roomId}`)
    await enterRoom(visitor.page)
    recordingId = await record(person, roomId)
  })
  return recordingId
}

/** @returns the id of a recording that can be watched */
async function record({ client }: WebPerson, roomId: string): Promise<string> {
  const place = { roomName: roomId, zoneId: '' }
  await client.call('startRecording', { ...place, conferenceTopic: 'Kitchen', participants: '' })
  const newest = async () => (await client.call('listRecordings', { roomName: roomId })).data[0]
  await eventually('it runs', async () => (await newest())?.state === 'active')
  await client.call('stopRecording', { ...place, egressId: (await newest())?.egressId ?? '' })
  await eventually('it is ready', async () => (await newest())?.state === 'completed')
  return (await newest())?.id ?? ''
}
