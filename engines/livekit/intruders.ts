import assert from 'node:assert/strict'
import { DisconnectReason } from '@livekit/rtc-node'
import type { Check } from '../engine.ts'
import { browser, colleague, founder } from './office.ts'
import { enter, until } from './people.ts'
import { decide, knock, linkTo, rightsOf, setScene, strongToken, tokenOf, untilCounted } from './scene.ts'

const AT_ONCE = 50
const REMOVED = DisconnectReason.PARTICIPANT_REMOVED

/** Guests who try what they should not. */
export async function tryIntruders(check: Check): Promise<void> {
  const scene = await setScene()
  const { ada, roomId } = scene
  const grace = await colleague(ada)
  const first = await enter(await tokenOf(ada, roomId))
  const link = await linkTo(scene)

  await check('of fifty decisions at once one stands, and the room is as it says', async () => {
    for (const lead of ['admit', 'deny'] as const) {
      const { rtcToken, guestIdentity } = await knock(link)
      const guest = await enter(rtcToken)
      const other = lead === 'admit' ? 'deny' : 'admit'
      const acts = Array.from({ length: AT_ONCE }, (_, at) => (at % 2 === 0 ? lead : other))
      const answers = await Promise.all(
        acts.map((action) => ada.client.request('admitGuest', { roomId, guestIdentity, action })),
      )
      const stood = new Set(acts.filter((_, at) => answers[at]?.status === 200))
      assert.equal(stood.size, 1)
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200, 409]))
      if (stood.has('admit'))
        await until('they may publish', async () => (await rightsOf(scene, guestIdentity)) === true)
      else await until('they are out', () => guest.ended() === REMOVED)
      await guest.leave()
    }
  })

  await check('a guest of all rights who was denied, or has a name appended, is put out', async () => {
    const [denied, admitted] = [await knock(link), await knock(link)]
    await decide(scene, denied.guestIdentity, 'deny')
    await decide(scene, admitted.guestIdentity, 'admit')
    const invented = 'guest:00000000-0000-4000-8000-000000000000'
    for (const identity of [denied.guestIdentity, `${admitted.guestIdentity}#2`, invented]) {
      const intruder = await enter(await strongToken(scene, identity))
      await until(`${identity} is out`, () => intruder.ended() === REMOVED)
    }
  })

  await check('a guest who joins twice is there once, with their rights', async () => {
    const { rtcToken, guestIdentity } = await knock(link)
    const one = await enter(rtcToken)
    await decide(scene, guestIdentity, 'admit')
    await until('they may publish', async () => (await rightsOf(scene, guestIdentity)) === true)
    const two = await enter(rtcToken)
    await until('the first is out', () => one.ended() === DisconnectReason.DUPLICATE_IDENTITY)
    await until('they may publish again', async () => (await rightsOf(scene, guestIdentity)) === true)
    await untilCounted(ada, { rtc_participants_active: 2 })
    await two.leave()
    await untilCounted(ada, { rtc_participants_active: 1 })
  })

  await check('names of a hundred signs are shown as they are; what is no name is refused', async () => {
    const ask = (guestName: string) => browser().request('authorizeGuest', { inviteToken: link, guestName })
    for (const name of ['', '   ', 'x'.repeat(101), '🦊'.repeat(101), 'a\u0000b', 'a\nb', 'a\u001b[31m'])
      assert.equal((await ask(name)).status, 400, JSON.stringify(name))
    const name = '🦊'.repeat(100)
    const { status, body } = await ask(name)
    assert.equal(status, 200)
    const { rtcToken, guestIdentity = '' } = body as { rtcToken: string; guestIdentity?: string }
    const guest = await enter(rtcToken)
    await decide(scene, guestIdentity, 'admit')
    await until('they are seen', () => first.sees(guestIdentity))
    const shown = [...first.room.remoteParticipants.values()].find(
      ({ identity }) => identity === guestIdentity,
    )
    assert.equal(shown?.name, name)
    await guest.leave()
  })

  await check('what belongs to another organization is not there', async () => {
    const stranger = await founder()
    const { guestIdentity } = await knock(link)
    const theirs = { roomId, guestIdentity, action: 'admit' as const }
    assert.equal((await stranger.client.request('admitGuest', theirs)).status, 404)
    assert.equal((await stranger.client.request('listGuests', { roomId })).status, 404)
    assert.equal((await stranger.client.request('authorizeRoom', { username: 'S', roomId })).status, 404)
    const invite = { orgId: stranger.organizationId, roomId, durationSeconds: 60 }
    assert.equal((await stranger.client.request('inviteGuest', invite)).status, 404)
    assert.equal((await grace.client.request('admitGuest', theirs)).status, 403)
    assert.equal(await rightsOf(scene, guestIdentity), undefined)
  })
  await first.leave()
}
