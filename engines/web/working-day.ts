import type { Page } from 'playwright-core'
import type { Check } from '../engine.ts'
import { eventually } from '../waiting.ts'
import { enterCode, signUpByPages } from './people.ts'
import { faceOnPlan, roomOnPlan } from './plan.ts'
import { enterRoom, expectPictures, expectSound, tileOf } from './room-media.ts'
import { choosePicture } from './settings.ts'
import { expectQuiet, newVisitor, type Visitor, type WebOffice } from './visitor.ts'

/** Who comes to work, each with a browser of their own. */
interface Team {
  office: WebOffice
  ada: Visitor
  grace: Visitor
  alan: Visitor
  guest: Visitor
  /** What records a room is there. */
  hasRecorder: boolean
}

/** A day of three people and a guest, by the pages alone: from the first sign-in to the last goodbye. */
export async function tryWorkingDay(
  office: WebOffice,
  check: Check,
  { hasRecorder } = { hasRecorder: true },
): Promise<void> {
  const [ada, grace, alan, guest] = [
    await newVisitor(office),
    await newVisitor(office),
    await newVisitor(office),
    await newVisitor(office),
  ]
  const team: Team = { office, ada, grace, alan, guest, hasRecorder }
  try {
    await morning(team, check)
    await meeting(team, check)
    await guestInMeeting(team, check)
    await evening(team, check)
    for (const visitor of [ada, grace, alan, guest]) expectQuiet(visitor)
  } finally {
    for (const [name, { page, context }] of Object.entries({ ada, grace, alan, guest })) {
      await page.screenshot({ path: `${office.pictures}/day-${name}.png` }).catch(() => {})
      await context.close()
    }
  }
}

async function morning({ office, ada, grace, alan }: Team, check: Check): Promise<void> {
  let link = ''
  await check('day: the first one founds an office, and invites', async () => {
    await signUpByPages(office, ada, 'ada@day.example')
    await ada.page.getByLabel('Name').fill('Ada Lovelace')
    await ada.page.getByRole('button', { name: 'Continue' }).click()
    await ada.page.getByLabel('Name of your organization').fill('Day and Night')
    await ada.page.getByRole('button', { name: 'Set it up' }).click()
    await ada.page.getByLabel('E-mail addresses').fill('Grace Hopper <grace@day.example>')
    link = (await ada.page.locator('code', { hasText: '/join?' }).textContent()) ?? ''
    await ada.page.getByRole('button', { name: 'Send invitations' }).click()
    await ada.page.getByText('The invitation is on its way.').waitFor()
    await ada.page.getByRole('button', { name: 'Open the office' }).click()
    await ada.page.getByRole('heading', { name: 'Floor' }).waitFor()
  })
  await check('day: one comes by the mail, one by the link', async () => {
    await grace.page.goto('/sandbox/mail?to=grace@day.example')
    await grace.page.goto(
      (await grace.page.locator('a[href*=invitation_token]').first().getAttribute('href')) ?? '',
    )
    await grace.page.getByRole('button', { name: 'Accept' }).click()
    await enterCode(office, grace, 'grace@day.example')
    await nameThemselves(grace.page, 'Grace Hopper')
    await alan.page.goto(link)
    await alan.page.getByRole('button', { name: 'Join' }).click()
    await alan.page.getByLabel('E-mail address').fill('alan@day.example')
    await alan.page.getByRole('button', { name: 'Continue' }).click()
    await enterCode(office, alan, 'alan@day.example')
    await nameThemselves(alan.page, 'Alan Turing')
    for (const name of ['Grace Hopper', 'Alan Turing']) await faceOnPlan(ada.page, name).waitFor()
  })
  await check('day: one has a picture, and the others see it', async () => {
    const { page } = grace
    await page.getByRole('link', { name: 'Settings' }).click()
    await choosePicture(page)
    await page.getByRole('button', { name: 'Use this picture' }).press('Enter')
    await page.getByRole('button', { name: 'Remove it' }).waitFor()
    // until then it is a drawn portrait, which is part of the page
    const picture = faceOnPlan(ada.page, 'Grace Hopper').locator('img:not([src^="data:"])')
    const isShown = () =>
      picture.evaluateAll(([shown]) => (shown as HTMLImageElement | undefined)?.naturalWidth)
    await eventually('the picture', async () => ((await isShown()) ?? 0) > 0, { withinMs: 30_000 })
  })
  await check('day: one writes, the other answers', async () => {
    await ada.page.getByRole('button', { name: 'Grace Hopper', exact: true }).click()
    await ada.page.getByRole('dialog').getByRole('button', { name: 'Write' }).click()
    await ada.page.getByRole('textbox', { name: 'Write to Grace Hopper' }).fill('Stand-up in the kitchen?')
    await ada.page.keyboard.press('Enter')
    await grace.page.getByRole('link', { name: /Chat.*1 unread message/ }).click()
    await grace.page.getByRole('link', { name: /Ada Lovelace/ }).click()
    await grace.page.getByRole('textbox', { name: 'Write to Ada Lovelace' }).fill('On my way')
    await grace.page.keyboard.press('Enter')
    await ada.page.getByRole('log').getByText('On my way').waitFor()
  })
}

async function meeting({ ada, grace, alan }: Team, check: Check): Promise<void> {
  await check('day: three meet in a room, and one was fetched by a knock', async () => {
    for (const { page } of [ada, grace]) {
      await page.getByRole('link', { name: 'Floor', exact: true }).click()
      await roomOnPlan(page, 'Kitchen').click()
      await enterRoom(page)
    }
    await alan.page.getByRole('button', { name: /Change your status/ }).click()
    await alan.page.getByRole('button', { name: 'Away', exact: true }).click()
    await alan.page.getByRole('button', { name: 'Save' }).click()
    await roomOnPlan(alan.page, 'Kitchen').click()
    await alan.page.getByText('Ada Lovelace and Grace Hopper are inside.').waitFor()
    await enterRoom(alan.page)
    await expectPictures(ada.page, 'Grace Hopper')
    await expectPictures(ada.page, 'Alan Turing')
    await expectPictures(alan.page, 'Ada Lovelace')
    for (const { page } of [ada, grace, alan]) await expectSound(page)
    await grace.page.keyboard.press('m')
    await tileOf(ada.page, 'Grace Hopper').getByText('muted').waitFor()
  })
}

async function guestInMeeting({ ada, grace, alan, guest, hasRecorder }: Team, check: Check): Promise<void> {
  await check('day: a guest waits, and is let in', async () => {
    await ada.page.getByRole('button', { name: 'More' }).click()
    await ada.page
      .getByRole('dialog', { name: 'More' })
      .getByRole('button', { name: 'Invite a guest' })
      .click()
    await ada.page.getByRole('button', { name: 'Create a link' }).click()
    await guest.page.goto(await ada.page.getByLabel('Guest link').inputValue())
    await ada.page.getByRole('button', { name: 'Done' }).click()
    await guest.page.getByLabel('Your name').fill('Linus')
    await guest.page.getByRole('button', { name: 'Ask to join' }).click()
    await ada.page.getByRole('button', { name: 'Let in Linus' }).click()
    await expectPictures(guest.page, 'Ada Lovelace')
    await expectPictures(ada.page, 'Linus')
  })
  if (!hasRecorder) return
  await check('day: all of them are recorded, and told', async () => {
    await ada.page.getByRole('button', { name: 'More' }).click()
    await record(ada.page, 'Start recording')
    for (const { page } of [grace, alan, guest]) {
      await page.getByText('This room is being recorded from now on').waitFor()
      await page.getByRole('button', { name: 'Agree and stay' }).click()
    }
    await ada.page.getByRole('button', { name: 'More' }).click()
    await record(ada.page, 'Stop recording')
    await ada.page.locator('.in-room-recording').waitFor({ state: 'detached' })
  })
}

async function record(page: Page, button: string): Promise<void> {
  await page.getByRole('dialog', { name: 'More' }).getByRole('button', { name: button }).click()
  await page.getByRole('dialog').getByRole('button', { name: button }).click()
}

async function evening({ ada, grace, alan, guest, hasRecorder }: Team, check: Check): Promise<void> {
  await check(
    hasRecorder ? 'day: everybody leaves, and the recording is found' : 'day: everybody leaves',
    async () => {
      for (const { page } of [guest, alan, grace, ada]) {
        await page.getByRole('button', { name: 'Leave', exact: true }).click()
        await page.getByText('You have left the room').waitFor()
      }
      await ada.page.getByRole('link', { name: 'Administration' }).click()
      await ada.page.getByRole('tab', { name: 'Rooms and recordings' }).click()
      if (hasRecorder) await ada.page.getByRole('button', { name: 'Download Kitchen' }).waitFor()
      await ada.page.getByRole('link', { name: 'Floor', exact: true }).click()
      await ada.page.getByRole('region', { name: 'Kitchen, kitchen, Nobody inside' }).waitFor()
    },
  )
  await check('day: the last one signs out', async () => {
    for (const { page } of [alan, grace, ada]) {
      await page.getByRole('link', { name: 'Settings' }).click()
      await page.getByRole('button', { name: 'Sign out here' }).click()
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    }
  })
}

async function nameThemselves(page: Page, name: string): Promise<void> {
  await page.getByLabel('Name').fill(name)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'Floor' }).waitFor()
}
