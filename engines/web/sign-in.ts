import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { createAtriumClient, createCookieJar } from '@atrium/client'
import type { Page } from 'playwright-core'
import type { Check } from '../engine.ts'
import { tryFirstImpression } from './first-impression.ts'
import { enterCode, newPerson, signUpByPages } from './people.ts'
import {
  asVisitor,
  expectAccessible,
  expectNoSidewaysScroll,
  PHONE,
  tabThrough,
  type WebOffice,
} from './visitor.ts'

/** A page that has asked for nothing for so long has all that it wants. */
const QUIET_MS = 1_000

/** Every way in, by the pages. */
export async function trySignIn(office: WebOffice, check: Check): Promise<void> {
  await check('sign-in: whoever is not signed in is asked to, by keyboard alone as well', () =>
    asVisitor(office, 'sign-in', async ({ page }) => {
      await page.goto('/chat')
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      assert.equal(new URL(page.url()).searchParams.get('next'), '/chat')
      await page.getByRole('button', { name: 'Continue with Google' }).waitFor()
      await expectAccessible(page)
      assert.deepEqual(await tabThrough(page, 5), [
        'button "Continue"',
        'button "Continue with Google"',
        'button "Continue with Microsoft"',
        'button "Continue as the developer"',
        'button "Create an account"',
      ])
    }),
  )
  await check('sign-in: on a phone, in the dark and in German', () =>
    asVisitor(
      office,
      'sign-in-phone',
      async ({ page }) => {
        await page.goto('/')
        await page.getByRole('heading', { name: 'Anmelden' }).waitFor()
        assert.equal(await page.locator('.outside-view').count(), 0)
        await expectAccessible(page)
        await expectNoSidewaysScroll(page)
      },
      { viewport: PHONE, colorScheme: 'dark', locale: 'de-DE' },
    ),
  )
  await check('an address that leads nowhere says so, in words', () =>
    asVisitor(office, 'nowhere', async ({ page }) => {
      const answer = await page.goto('/nonsense')
      assert.equal(answer?.status(), 404)
      await page.getByRole('heading', { name: 'There is nothing here' }).waitFor()
      await expectAccessible(page)
      await page.getByRole('link', { name: 'To the office' }).click()
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      assert.equal(await page.getByText('You are signed out').count(), 0)
    }),
  )
  await refusals(office, check)
  await tryFirstImpression(office, check)
  await providers(office, check)
  await newcomers(office, check)
  await waitingInvitations(office, check)
}

/** No script can read the cookie of a session: whether there is one is known by a mark, or told by the office. */
async function refusals(office: WebOffice, check: Check): Promise<void> {
  await check('sign-in: whoever is not signed in is refused nothing, nor who has signed out elsewhere', () =>
    asVisitor(office, 'nobody', async (visitor) => {
      const { page, context } = visitor
      const refused: string[] = []
      context.on('response', (answer) => answer.status() === 401 && refused.push(answer.url()))
      await page.goto('/')
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      const ada = await newPerson(office, 'Ada Lovelace', { found: 'Two tabs' })
      await ada.enter(visitor)
      // nothing has marked this session: it may be older than the mark
      await page.goto('/')
      await page.getByRole('heading', { name: 'Floor' }).waitFor()
      const other = await context.newPage()
      // what is asked in the moment of the sign-out may be refused
      await openAndRead(other, '/settings')
      await other.getByRole('heading', { name: 'Settings' }).waitFor()
      await openAndRead(page, '/people')
      await page.getByRole('heading', { name: 'People', level: 1 }).waitFor()
      await page.getByRole('button', { name: /Change your status/ }).click()
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByText('You are signed out.').waitFor()
      // they come back to the floor; the other tab, which was put out, to where it was
      assert.equal(new URL(page.url()).search, '')
      await other.getByRole('heading', { name: 'Sign in' }).waitFor()
      assert.equal(new URL(other.url()).search, '?next=%2Fsettings')
      await other.reload()
      await other.getByRole('heading', { name: 'Sign in' }).waitFor()
      assert.deepEqual(refused, [])
    }),
  )
  await check('sign-in: a session is found where a browser keeps nothing', () =>
    asVisitor(office, 'keeps-nothing', async (visitor) => {
      const { page } = visitor
      await page.addInitScript(() => {
        for (const name of ['localStorage', 'sessionStorage'])
          Object.defineProperty(window, name, {
            get: () => {
              throw new DOMException('forbidden', 'SecurityError')
            },
          })
      })
      const ada = await newPerson(office, 'Ada Lovelace', { found: 'Private' })
      await ada.enter(visitor)
      await page.goto('/sign-in')
      await page.getByRole('heading', { name: 'Floor' }).waitFor()
    }),
  )
}

async function providers(office: WebOffice, check: Check): Promise<void> {
  await check('sign-in: a provider signs in; its code is gone from the address bar', () =>
    asVisitor(office, 'provider', async ({ page }) => {
      await page.goto('/sign-in')
      await page.getByRole('button', { name: 'Continue with Google' }).click()
      await logIn(page, 'edsger@people.example')
      await page.getByRole('heading', { name: 'Show your face' }).waitFor()
      assert.equal(new URL(page.url()).search, '')
      // no script can read the cookie
      assert.equal(await page.evaluate(() => document.cookie), '')
    }),
  )
  await check('sign-in: single sign-on takes over from the address, and enters its organization', () =>
    asVisitor(office, 'single-sign-on', async ({ page }) => {
      await page.goto('/sign-in')
      await page.getByLabel('E-mail address').fill('grace@sso.example')
      await page.getByRole('button', { name: 'Continue', exact: true }).click()
      await page.waitForURL('**/sandbox/sso/login/**')
      await logIn(page, 'grace@sso.example')
      await page.getByRole('heading', { name: 'Floor' }).waitFor()
    }),
  )
  await check('sign-in: an address of another organization is refused, and said so', () =>
    asVisitor(office, 'foreign-address', async ({ page }) => {
      await page.goto('/sign-in')
      await page.getByLabel('E-mail address').fill('grace@sso.example')
      await page.getByRole('button', { name: 'Continue', exact: true }).click()
      await logIn(page, 'mallory@elsewhere.example')
      await page.getByRole('heading', { name: 'Not signed in' }).waitFor()
      await expectAccessible(page)
    }),
  )
}

async function newcomers(office: WebOffice, check: Check): Promise<void> {
  const admin = createAtriumClient({ baseUrl: office.url, cookies: createCookieJar() })
  await admin.call('devSignIn')
  await check('join: an invite link brings somebody new in', async () => {
    const { inviteLink } = await admin.call('getInviteLink')
    await asVisitor(office, 'join', async (visitor) => {
      const { page } = visitor
      await page.goto(inviteLink)
      await page.getByRole('heading', { name: 'Join Atrium Development' }).waitFor()
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Join' }).click()
      await page.getByLabel('E-mail address').fill('new@people.example')
      await page.getByRole('button', { name: 'Continue' }).click()
      await enterCode(office, visitor, 'new@people.example')
      await page.getByLabel('Name').fill('Newcomer')
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByRole('heading', { name: 'Floor' }).waitFor()
    })
  })
  await check('join: a link that leads nowhere says so, and asks for no address', () =>
    asVisitor(office, 'join-nowhere', async ({ page }) => {
      // whether it leads anywhere is not known where the office cannot be asked
      const asked = '**/auth/invite-link*'
      await page.route(asked, (route) =>
        route.fulfill({ status: 429, json: { code: 429, message: 'Later' } }),
      )
      await page.goto('/join?invite_token=nonsense')
      await page.getByRole('button', { name: 'Try again' }).waitFor()
      await expectAccessible(page)
      await page.unroute(asked)
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.getByRole('heading', { name: 'This link does not work' }).waitFor()
      assert.equal(await page.getByRole('button', { name: 'Join' }).count(), 0)
    }),
  )
  await check('invitation: it is shown, and accepted by a press of its button only', async () => {
    const email = 'invited@people.example'
    await admin.call('sendInvitation', { email, role: 'moderator' })
    const { data } = await admin.call('listInvitation', { email })
    await asVisitor(office, 'invitation', async (visitor) => {
      const { page } = visitor
      await page.goto(data[0]?.acceptInvitationUrl ?? '')
      await page.getByText(`for ${email}, to join as moderator`).waitFor()
      await expectAccessible(page)
      assert.equal((await admin.call('listInvitation', { email })).data[0]?.state, 'pending')
      await page.getByRole('button', { name: 'Accept' }).click()
      await enterCode(office, visitor, email)
      await page.getByRole('heading', { name: 'Show your face' }).waitFor()
    })
    assert.equal((await admin.call('listInvitation', { email })).data[0]?.state, 'accepted')
  })
  await check('invitation: whoever works elsewhere accepts it, and is there', async () => {
    const grace = await newPerson(office, 'Grace Hopper', { found: 'Elsewhere' })
    await admin.call('sendInvitation', { email: grace.email })
    const { data } = await admin.call('listInvitation', { email: grace.email })
    await asVisitor(office, 'invitation-second', async (visitor) => {
      await grace.enter(visitor)
      await visitor.page.goto(data[0]?.acceptInvitationUrl ?? '')
      await visitor.page.getByRole('button', { name: 'Accept' }).click()
      await visitor.page.getByRole('heading', { name: 'Floor' }).waitFor()
      await visitor.page.getByRole('banner').getByText('Atrium Development').waitFor()
    })
  })
}

/** Signing up plainly joins nobody: what waits is shown, and accepted by a press of its button only. */
async function waitingInvitations(office: WebOffice, check: Check): Promise<void> {
  const inviter = await newPerson(office, 'Grace Hopper', { found: 'Compilers' })
  await check('invitation: whoever signs up plainly is told that one waits, and accepts it', () =>
    asVisitor(office, 'invitation-waits', async (visitor) => {
      const { page } = visitor
      await inviter.client.call('sendInvitation', { email: 'plainly@people.example' })
      await signUpByPages(office, visitor, 'plainly@people.example')
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Accept the invitation of Compilers' }).click()
      await page.getByRole('heading', { name: 'Floor' }).waitFor()
      await page.getByRole('banner').getByText('Compilers').waitFor()
    }),
  )
  await check('invitation: one that waits for somebody at work stands in their menu, in German too', () =>
    asVisitor(
      office,
      'invitation-waits-at-work',
      async (visitor) => {
        const { page } = visitor
        const ada = await newPerson(office, 'Ada Lovelace', { found: 'Engines' })
        await inviter.client.call('sendInvitation', { email: ada.email })
        await ada.enter(visitor)
        await page.goto('/')
        await page.getByRole('button', { name: /Status ändern/ }).click()
        assert.equal(await page.getByRole('button', { name: 'Wechseln zu Compilers' }).count(), 0)
        await page.getByRole('button', { name: 'Einladung von Compilers annehmen' }).click()
        await page.getByRole('banner').getByText('Compilers').waitFor()
      },
      { locale: 'de-DE' },
    ),
  )
}

async function logIn(page: Page, email: string): Promise<void> {
  await page.waitForURL('**/login/**')
  await page.getByLabel('E-mail address').fill(email)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Until the page has its connection, has read who belongs to the organization, and asks for nothing more. */
async function openAndRead(page: Page, path: string): Promise<void> {
  let asked = 0
  const count = () => {
    asked += 1
  }
  page.on('request', count)
  await Promise.all([page.waitForResponse('**/members/list'), page.goto(path)])
  for (let before = -1; before !== asked; await pause(QUIET_MS)) before = asked
  page.off('request', count)
}
