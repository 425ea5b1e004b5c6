import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import type { Check } from '../engine.ts'
import { expectText } from './expected-text.ts'
import { expectEverythingByKeyboard } from './keyboard.ts'
import { roomOnPlan } from './plan.ts'
import { openScene, type Scene } from './scene.ts'
import {
  asVisitor,
  expectAccessible,
  expectNoSidewaysScroll,
  PHONE,
  type Visitor,
  type WebOffice,
} from './visitor.ts'

/** A screen as somebody finds it who has opened its address. */
export interface Screen {
  /** Also of the file with its text. */
  name: string
  path(scene: Scene): string
  /** Shown as soon as everything is read. */
  ready(page: Page): Locator
  /** What the office refuses in the course of things, as `status path`. */
  refused?: readonly string[]
  /** Left out: Ada, who administers. */
  as?: 'nobody' | 'newcomer'
}

const heading = (name: string) => (page: Page) => page.getByRole('heading', { name, level: 1 })

export const SCREENS: readonly Screen[] = [
  {
    name: 'sign-in',
    path: () => '/sign-in',
    ready: (page) => page.getByRole('button', { name: 'Create an account' }),
    as: 'nobody',
  },
  { name: 'first-run', path: () => '/welcome', ready: heading('Show your face'), as: 'newcomer' },
  { name: 'accessibility', path: () => '/accessibility', ready: heading('Accessibility'), as: 'nobody' },
  {
    name: 'auth-complete',
    path: () => '/auth/complete',
    ready: heading('Not signed in'),
    as: 'nobody',
  },
  {
    name: 'join',
    path: ({ inviteToken }) => `/join?invite_token=${inviteToken}`,
    ready: heading('Join Analytical Screens'),
    as: 'nobody',
  },
  {
    name: 'invitation',
    path: ({ invitationPath }) => invitationPath,
    ready: heading('Ada Lovelace invites you to Analytical Screens'),
    as: 'nobody',
  },
  {
    name: 'recovery',
    path: () => '/recovery',
    ready: (page) => page.getByRole('heading', { level: 1 }),
    as: 'nobody',
  },
  {
    name: 'sign-on-complete',
    path: () => '/single-sign-on/complete',
    ready: (page) => page.getByRole('heading', { level: 1 }),
  },
  {
    name: 'guest',
    path: ({ guestPath }) => guestPath,
    ready: (page) => page.locator('.preview video'),
    as: 'nobody',
  },
  { name: 'floor', path: () => '/', ready: (page) => roomOnPlan(page, 'Kitchen') },
  {
    name: 'room',
    path: ({ roomId }) => `/room/${roomId}`,
    ready: (page) => page.locator('.preview video'),
  },
  { name: 'chat', path: () => '/chat', ready: (page) => page.getByRole('link', { name: /Grace Hopper/ }) },
  {
    name: 'conversation',
    path: ({ conversationId }) => `/chat/${conversationId}`,
    ready: (page) => page.getByRole('log').getByText('Lunch?'),
  },
  {
    name: 'calendar',
    path: () => '/agenda',
    ready: (page) => page.getByRole('button', { name: 'Connect Google' }),
    // none is connected
    refused: ['a', 'b'].map((letter) => `409 /api/v1/calendar/provider-${letter}/calendars`),
  },
  {
    name: 'calendar-complete',
    path: () => '/calendar/complete',
    ready: heading('Not connected'),
  },
  {
    name: 'members',
    path: () => '/people',
    ready: (page) => page.getByText('new@screens.example').first(),
  },
  {
    name: 'settings',
    path: () => '/settings',
    ready: (page) => page.getByText('This session'),
  },
  {
    name: 'administration',
    path: () => '/administration',
    ready: (page) => page.getByRole('tab', { name: 'Office', selected: true }),
  },
  {
    name: 'administration-trail',
    path: () => '/administration?part=trail',
    ready: (page) => page.getByText('Invitation sent').filter({ visible: true }).first(),
  },
  {
    name: 'health',
    path: () => '/office-health',
    ready: (page) => page.getByText('The office works.'),
    as: 'nobody',
  },
  {
    name: 'nowhere',
    path: () => '/nowhere',
    ready: heading('There is nothing here'),
    refused: ['404 /nowhere'],
    as: 'nobody',
  },
]

/** What holds for every screen: in a window of a desk and of a phone, read aloud, by keyboard, and with large letters. */
export async function tryScreens(office: WebOffice, check: Check): Promise<void> {
  const scene = await openScene(office)
  for (const screen of SCREENS) {
    await check(`${screen.name}: it says what it should, is reached by keyboard, and is well formed`, () =>
      asVisitor(office, `screen-${screen.name}`, async (visitor) => {
        const failed = watchRequests(visitor.page, screen.refused)
        await openScreen(visitor, screen, scene)
        await expectText(visitor.page, screen.name)
        await expectAccessible(visitor.page)
        await expectNothingMoves(visitor.page)
        await expectEverythingByKeyboard(visitor.page)
        await expectLargeText(visitor.page)
        assert.deepEqual(failed, [])
      }),
    )
    await check(
      `${screen.name}: on a phone, in the dark, and in English where the browser speaks French`,
      () =>
        asVisitor(
          office,
          `screen-${screen.name}-phone`,
          async (visitor) => {
            await openScreen(visitor, screen, scene)
            await expectAccessible(visitor.page)
            await expectNoSidewaysScroll(visitor.page)
            await chooseGerman(visitor.page)
            await expectLargeText(visitor.page)
          },
          { viewport: PHONE, colorScheme: 'dark', locale: 'fr-FR' },
        ),
    )
  }
}

export async function openScreen(visitor: Visitor, { as, path, ready }: Screen, scene: Scene): Promise<void> {
  if (as === undefined) await scene.ada.enter(visitor)
  if (as === 'newcomer') await scene.newcomer.enter(visitor)
  await visitor.page.goto(path(scene))
  await ready(visitor.page).waitFor()
}

/** Requests that fail without a reason: nor is anybody refused who is not signed in. */
function watchRequests(page: Page, refused: readonly string[] = []): string[] {
  const failed: string[] = []
  page.on('response', (answer) => {
    const said = `${answer.status()} ${new URL(answer.url()).pathname}`
    if (answer.status() >= 400 && !refused.includes(said)) failed.push(said)
  })
  page.on('requestfailed', (request) => failed.push(`${request.failure()?.errorText} ${request.url()}`))
  return failed
}

/** The visitor wants less movement: nothing is under way that takes longer than a blink. */
async function expectNothingMoves(page: Page): Promise<void> {
  const moving = await page.evaluate(() =>
    document.getAnimations().flatMap((animation) => {
      const { duration = 0, iterations = 1 } = animation.effect?.getComputedTiming() ?? {}
      const isLong = Number(duration) > 50 || iterations === Number.POSITIVE_INFINITY
      return animation.playState === 'running' && isLong ? [String(duration)] : []
    }),
  )
  assert.deepEqual(moving, [])
}

/** Its words are longer than the English ones. */
async function chooseGerman(page: Page): Promise<void> {
  await page.evaluate(() => localStorage.setItem('atrium-preferences', JSON.stringify({ language: 'de' })))
  await page.reload()
  await page.getByRole('heading', { level: 1 }).first().waitFor()
}

/** Letters of twice the size, in the same window. */
async function expectLargeText(page: Page): Promise<void> {
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%'
  })
  await expectNoSidewaysScroll(page)
  await page.evaluate(() => {
    document.documentElement.style.fontSize = ''
  })
}
