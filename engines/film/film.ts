import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type AtriumClient, createAtriumClient, createCookieJar } from '@atrium/client'
import { portraitOf } from '@atrium/web/portrait.ts'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { FAKE_MEDIA, launchChromium } from '../browser/chromium.ts'
import { newPerson, type WebPerson } from '../web/people.ts'
import { joinUnseen } from '../web/plan.ts'
import { expectPictures } from '../web/room-media.ts'
import { userIdOf } from '../web/scene.ts'
import { drawDevices } from './camera.ts'
import { developFilm, openRecorder, type Recorder } from './recorder.ts'

/**
 * `npx node engines/film/film.ts`: the pictures of README, and a film of twenty seconds, from the office of the demo: a
 * colleague walks in, is talked to with one press, and a guest is let in.
 */

const PORT = '18740'
const URL_OF_OFFICE = `http://localhost:${PORT}`
const TARGET = join(import.meta.dirname, '../../docs/screenshots')
const RUN = join(import.meta.dirname, '../../demo/run.ts')
const SIZE = { width: 1280, height: 800 }
const FILM = { width: 960, height: 600, seconds: 20, framesPerSecond: 10, quality: 75 }
const FILM_BYTES_MAX = 2_000_000
const PATIENCE_MS = 60_000

const office = spawn(process.execPath, ['--no-warnings', RUN, '--port', PORT, '--pace', '900'], {
  stdio: ['ignore', 'pipe', 'inherit'],
  // a busy machine is not what is shown
  env: { ...process.env, DATABASE_WAIT_MS: '30000' },
})
const browser = await launchChromium(...FAKE_MEDIA)
try {
  await new Promise<void>((resolve) =>
    office.stdout.on('data', (said) => String(said).includes('are in') && resolve()),
  )
  await takeAll()
} finally {
  await browser.close()
  office.kill('SIGTERM')
}
process.exit(0)

async function takeAll(): Promise<void> {
  const developer = createAtriumClient({ baseUrl: URL_OF_OFFICE, cookies: createCookieJar() })
  await developer.call('devSignIn')
  await developer.call('updateProfile', { displayName: 'Nora Fischer' })
  const { inviteLink } = await developer.call('getInviteLink')
  const inviteToken = new URL(inviteLink).searchParams.get('invite_token') ?? ''
  const rosalind = await newPerson({ url: URL_OF_OFFICE }, 'Rosalind Franklin', { inviteToken })
  const you = await openAs(browser, portraitOf((await developer.call('getCurrentUser')).id))
  await you.goto('/')
  await you.getByRole('button', { name: 'Continue as the developer' }).click()
  await you.locator('.plan [data-face]').first().waitFor()
  await takePictures(you, developer, rosalind)
  await takeFilm(you, developer, rosalind, inviteToken)
}

/** A page of a person who allows microphone and camera. */
async function openAs(of: Browser, portrait: string, more: BrowserContextOptions = {}): Promise<Page> {
  const permissions = ['camera', 'microphone']
  const context = await of.newContext({
    viewport: SIZE,
    baseURL: URL_OF_OFFICE,
    locale: 'en-GB',
    permissions,
    ...more,
  })
  await context.addInitScript(drawDevices, portrait)
  const page = await context.newPage()
  page.setDefaultTimeout(PATIENCE_MS)
  return page
}

/** As few colours as the eye needs: the documents are loaded with it. */
async function shoot(page: Page, name: string): Promise<void> {
  await sharp(await page.screenshot())
    .png({ palette: true, effort: 10 })
    .toFile(join(TARGET, `${name}.png`))
}

async function takePictures(you: Page, developer: AtriumClient, rosalind: WebPerson): Promise<void> {
  const { id: ownId } = await developer.call('getCurrentUser')
  await pause(4_000)
  const message = 'Two minutes for note G?'
  const { knockId } = await rosalind.client.call('knock', { userId: ownId, message })
  await you.getByText('Rosalind Franklin is knocking').waitFor()
  // nothing opens under the mouse, and what comes in has come
  await you.mouse.move(30, 700)
  await pause(1_500)
  await shoot(you, 'floor')
  await you.emulateMedia({ colorScheme: 'dark' })
  await pause(500)
  await shoot(you, 'floor-dark')
  await you.emulateMedia({ colorScheme: 'light' })
  await rosalind.client.request('cancelKnock', { knockId })
  const hers = await pageOf(rosalind)
  for (const page of [hers, you]) await enter(page, 'Kitchen')
  await expectPictures(you, 'Rosalind Franklin')
  await pause(3_000)
  await shoot(you, 'room')
  await hers.getByRole('button', { name: 'Share screen' }).click()
  await expectPictures(you, 'Rosalind Franklin’s screen')
  await expectPictures(you, 'Rosalind Franklin')
  await you.mouse.move(30, 700)
  await pause(2_000)
  await shoot(you, 'room-share')
  for (const page of [hers, you]) {
    await page.getByRole('button', { name: 'Leave', exact: true }).click()
    await page.getByRole('link', { name: 'Floor', exact: true }).click()
  }
  await hers.context().close()
}

/** A colleague in a browser of their own, on the floor. */
async function pageOf(person: WebPerson): Promise<Page> {
  const page = await openAs(browser, portraitOf(await userIdOf(person)))
  await person.enter({ context: page.context() })
  await page.goto('/')
  await page.locator('.plan [data-face]').first().waitFor()
  return page
}

async function enter(page: Page, room: string): Promise<void> {
  await page.locator('.plan').getByRole('button', { name: room, exact: true }).click()
  const go = page.getByRole('button', { name: 'Enter the room' })
  const controls = page.getByRole('toolbar', { name: 'Controls' })
  await go.or(controls).first().waitFor()
  if (await go.isVisible()) await go.click()
  await controls.waitFor()
}

async function takeFilm(
  you: Page,
  developer: AtriumClient,
  rosalind: WebPerson,
  inviteToken: string,
): Promise<void> {
  const emmy = await newPerson({ url: URL_OF_OFFICE }, 'Emmy Noether', { inviteToken })
  const recorder = await openRecorder(you, FILM)
  let hers = undefined as Page | undefined
  await openFloor(you)
  await recorder.take(async () => {
    await pause(1_000)
    hers = await pageOf(rosalind)
    await onPlan(you, /^Rosalind Franklin/).waitFor()
    await pause(1_000)
    await joinUnseen({ url: URL_OF_OFFICE }, emmy, await emptyRoom(developer))
    await onPlan(you, /^Emmy Noether/).waitFor()
    await pause(2_000)
  })
  await recorder.take(async () => {
    await press(you, onPlan(you, /^Rosalind Franklin/), { moves: true })
    const card = you.getByRole('dialog', { name: 'Rosalind Franklin' })
    await press(you, card.getByRole('button', { name: 'Talk' }))
    await hers?.getByRole('button', { name: 'Talk', exact: true }).click()
    // her browser is a fresh one, which looks at its devices first
    await hers?.getByRole('button', { name: 'Enter the room' }).click()
    await you.locator('.tile', { hasText: 'Rosalind Franklin' }).locator('video').waitFor()
    await pause(2_500)
  })
  await you.getByRole('button', { name: 'Leave', exact: true }).click()
  await takeGuest(you, developer, recorder)
  const film = await developFilm(recorder.frames(), FILM)
  if (film.byteLength > FILM_BYTES_MAX) throw new Error(`the film has ${film.byteLength} bytes`)
  await writeFile(join(TARGET, 'office.webp'), film)
  console.log(`office.webp: ${Math.round(film.byteLength / 1_000)} kB of ${recorder.frames().length} frames`)
}

/** A guest knocks at the kitchen, and is let in by who looks at the floor. */
async function takeGuest(you: Page, developer: AtriumClient, recorder: Recorder): Promise<void> {
  const { rooms } = await developer.call('listRooms')
  const { currentOrganizationId: orgId } = await developer.call('getCurrentUser')
  const roomId = rooms.find(({ name }) => name === 'Kitchen')?.id ?? ''
  const { inviteUrl } = await developer.call('inviteGuest', { orgId, roomId, durationSeconds: 3_600 })
  const guest = await openAs(browser, portraitOf('a guest'))
  await guest.goto(inviteUrl)
  await guest.getByLabel('Your name').fill('Charles Babbage')
  await openFloor(you)
  await recorder.take(async () => {
    await pause(500)
    await guest.getByRole('button', { name: 'Ask to join' }).click()
    const letIn = you.getByRole('button', { name: 'Let in' })
    await letIn.waitFor()
    await pause(1_500)
    await press(you, letIn)
    await you.locator(`[data-room="${roomId}"]`).getByRole('button', { name: /guest/i }).waitFor()
    await pause(2_500)
  })
}

function onPlan(page: Page, name: RegExp): Locator {
  return page.locator('.plan').getByRole('button', { name })
}

/** Where the light goes on when a person comes in. */
async function emptyRoom(developer: AtriumClient): Promise<string> {
  const { rooms } = await developer.call('listRooms')
  const room = rooms.find(({ kind, people, locked }) => kind !== 'kitchen' && people.length === 0 && !locked)
  if (!room) throw new Error('no room is empty')
  return room.id
}

/** Afresh: those who came before are not "just in" for a page that has just opened, and nothing opens under the mouse. */
async function openFloor(page: Page): Promise<void> {
  await page.goto('/')
  await page.locator('.plan [data-face]').first().waitFor()
  await page.mouse.move(30, 700)
  await pause(1_000)
}

/** As a hand does: to it, then on it. */
async function press(page: Page, what: Locator, { moves = false } = {}): Promise<void> {
  const box = await what.boundingBox()
  if (box) await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 8 })
  await pause(300)
  // people move: it is where it is
  await what.click({ force: moves })
}
