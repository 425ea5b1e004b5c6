import assert from 'node:assert/strict'
import type { Check } from '../engine.ts'
import { inviteTokenOf, newPerson } from './people.ts'
import {
  asVisitor,
  expectAccessible,
  expectFocus,
  expectNoSidewaysScroll,
  expectQuiet,
  newVisitor,
  PHONE,
  type Visitor,
  type WebOffice,
} from './visitor.ts'

/** An administrator with the members of an office. */
export async function tryMembers(office: WebOffice, check: Check): Promise<void> {
  const ada = await newPerson(office, 'Ada Lovelace', { found: 'Analytical Engines' })
  const grace = await newPerson(office, 'Grace Hopper', { inviteToken: await inviteTokenOf(ada) })
  const [atAda, atGrace] = [await newVisitor(office), await newVisitor(office, { viewport: PHONE })]
  const { page } = atAda
  try {
    await ada.enter(atAda)
    await grace.enter(atGrace)
    await check('members: several are invited, with the outcome of each', async () => {
      await page.goto('/people')
      await page.getByRole('listitem').filter({ hasText: grace.email }).waitFor()
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Invite', exact: true }).click()
      await page.getByLabel('E-mail addresses').fill(`new@people.example, ${grace.email}`)
      await page.getByRole('button', { name: 'Send invitations' }).click()
      await page.getByText('new@people.example: invited').waitFor()
      await page
        .getByRole('dialog')
        .getByText(new RegExp(`${grace.email}: .*member`))
        .waitFor()
      await page.getByText('Whoever has it can join as a member.').waitFor()
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Done' }).click()
      await page.getByRole('button', { name: 'Revoke new@people.example' }).click()
      await page.getByText('Nobody is invited at the moment.').waitFor()
    })
    await check('members: what another does to invitations is seen without a reload', async () => {
      await ada.client.call('sendInvitation', { email: 'later@people.example' })
      const row = page.getByRole('listitem').filter({ hasText: 'later@people.example' })
      await row.waitFor()
      // behind a page of those that were accepted
      await page.route('**/list-invitation', async (route) => {
        const { after, ...input } = route.request().postDataJSON()
        if (after) await route.continue({ postData: JSON.stringify(input) })
        else await route.fulfill({ json: { data: [], before: null, after: 'older' } })
      })
      await page.reload()
      await row.waitFor()
      const { data } = await ada.client.call('listInvitation', { email: 'later@people.example' })
      await ada.client.call('revokeInvitation', { invitationId: data[0]?.id ?? '' })
      await row.waitFor({ state: 'detached' })
    })
    await check('members: another role, and out', async () => {
      await atGrace.page.goto('/people')
      await atGrace.page.getByRole('heading', { name: 'People', level: 1 }).waitFor()
      await expectAccessible(atGrace.page)
      await expectNoSidewaysScroll(atGrace.page)
      const menu = page.getByRole('button', { name: 'Actions for Grace Hopper' })
      await menu.press('Enter')
      await page.getByRole('menuitem', { name: 'Make a moderator' }).press('Enter')
      await page.getByRole('listitem').filter({ hasText: 'Moderator' }).waitFor()
      await page.getByText('Grace Hopper is a moderator now.').waitFor()
      await menu.click()
      await page
        .getByRole('menuitem', { name: 'Make an administrator' })
        .getByText('May do everything')
        .waitFor()
      await page.getByRole('menuitem', { name: 'Make an administrator' }).click()
      await page.getByRole('alertdialog', { name: 'Make Grace Hopper an administrator?' }).waitFor()
      await page.getByRole('button', { name: 'Cancel' }).click()
      await menu.click()
      await page.getByRole('menuitem', { name: 'Remove' }).click()
      await page.getByRole('alertdialog', { name: 'Remove Grace Hopper?' }).waitFor()
      await expectAccessible(page)
      await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
      await menu.waitFor({ state: 'detached' })
      await expectFocus(page)
      // whoever is removed stands outside, without a reload
      await atGrace.page.getByRole('heading', { name: 'Sign in' }).waitFor()
      await atGrace.page.getByText('You are no longer in the office of Analytical Engines').waitFor()
      await assert.rejects(grace.client.call('getCurrentUser'), { status: 401 })
      expectQuiet(atAda)
    })
    await check('members: whoever is removed and belongs to another organization goes on there', async () => {
      const alan = await newPerson(office, 'Alan Turing', { found: 'Bletchley' })
      const { organizationId } = await alan.client.call('joinOrganization', {
        inviteToken: await inviteTokenOf(ada),
      })
      await alan.client.call('switchOrganization', { email: alan.email, organizationId })
      const { id: alansId } = await alan.client.call('getCurrentUser')
      await asVisitor(office, 'members-elsewhere', async (visitor) => {
        await alan.enter(visitor)
        await expectClosedBySwitch(visitor)
        await visitor.page.goto('/')
        await visitor.page.getByRole('heading', { name: 'Floor' }).waitFor()
        await ada.client.call('removeMember', { id: alansId })
        await visitor.page.getByText('You are no longer a member of Analytical Engines.').waitFor()
        await expectAccessible(visitor.page)
        await visitor.page.getByRole('button', { name: 'Go to Bletchley' }).click()
        await visitor.page.getByRole('banner').getByText('Bletchley').waitFor()
      })
    })
  } finally {
    await page.screenshot({ path: `${office.pictures}/members.png` }).catch(() => {})
    await atGrace.page.screenshot({ path: `${office.pictures}/members-phone.png` }).catch(() => {})
    await atAda.context.close()
    await atGrace.context.close()
  }
}

/** What is open in one tab belongs to its organization: another tab switches to another one, and it is gone. */
async function expectClosedBySwitch({ page, context }: Visitor): Promise<void> {
  await page.goto('/people')
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  await page.getByLabel('E-mail addresses').fill('secret@people.example')
  const other = await context.newPage()
  await other.goto('/')
  for (const organization of ['Bletchley', 'Analytical Engines']) {
    await other.getByRole('button', { name: /Change your status/ }).click()
    await other.getByRole('button', { name: `Switch to ${organization}` }).click()
    await page.getByRole('banner').getByText(organization).waitFor()
    assert.equal(await page.getByRole('dialog').count(), 0)
  }
  await other.close()
}
