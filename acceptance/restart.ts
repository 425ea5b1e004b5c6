import assert from 'node:assert/strict'
import { expectRefusal, expectStatus } from './expect.ts'
import { fresh, sessionOf, signedUp, startSignIn } from './person.ts'
import type { Walk } from './walk.ts'

/** The office is killed at its work and opened again: what it has acknowledged is there. */
export const restart: Walk = {
  name: 'restart',
  needsOwnOffice: true,
  async run(office, { step, check }) {
    const { own } = office
    assert.ok(own)
    const katherine = await step('somebody signs up', () => signedUp(office, 'katherine'))
    const { client, email } = katherine
    const acknowledged = await step('makes an organization and takes a name', async () => {
      await client.call('createOrganization', { name: fresh('Langley') })
      return await client.call('updateProfile', { displayName: fresh('Katherine') })
    })
    const left = await step('another one signs up and out', async () => {
      const dorothy = await signedUp(office, 'dorothy')
      const session = sessionOf(dorothy)
      assert.ok(session)
      await dorothy.client.call('signOut')
      return { dorothy, session }
    })

    await step('the office is killed (kill -9) with that acknowledged', own.kill)
    await step('it opens again on its data', own.start)

    await check('the session still works, and the profile is as acknowledged', async () => {
      const { body } = expectStatus(await client.request('getCurrentUser'), 200)
      assert.deepEqual(body, acknowledged)
    })
    await check('a session that was ended stays ended', async () => {
      const { dorothy, session } = left
      dorothy.cookies.set(session.name, session.value)
      expectRefusal(await dorothy.client.request('getCurrentUser'), 401)
    })
    await check('signing in by mail works as before', async () => {
      katherine.cookies.clear()
      const code = await startSignIn(office, katherine)
      expectStatus(await client.request('finalizeMagicAuth', { email, code }), 200)
      assert.deepEqual(await client.call('getCurrentUser'), acknowledged)
    })
  },
}
