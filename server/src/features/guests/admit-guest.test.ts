import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { atMedia, guestLink, insideOf, joinRoom, knock, newRoom } from '../../../tests/chapters/rooms.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { auditOf, newFounder, newMember } from '../../../tests/people.ts'
import { type RecordedOutbox, recordOutbox } from '../../../tests/recorded-outbox.ts'
import { until } from '../../../tests/until.ts'
import { GUEST_QUEUE } from './state-store.ts'

const UNKNOWN = 'guest:00000000-0000-4000-8000-000000000000'

describe('admitGuest', () => {
  let office: TestOffice
  let outbox: RecordedOutbox
  beforeAll(async () => {
    office = await openTestOffice()
    outbox = await recordOutbox(office.database)
  })
  afterAll(() => office.close())

  /** A room with a guest before it who has joined it, and two admins. */
  async function scene(
    policy: (ids: { first: string; second: string }) => object = () => ({ allowAll: true }),
  ) {
    const first = await newFounder(office)
    const second = await newMember(office, first, 'admin')
    const { id: roomId } = await newRoom(first)
    const link = await guestLink(first, roomId, policy({ first: first.id, second: second.id }))
    const guest = await knock(link, office.browser(), 'Bob')
    const { guestIdentity } = guest
    const act = (action: 'admit' | 'deny', by = first) =>
      by.browser.request('admitGuest', { roomId, guestIdentity, action })
    const isIn = async () => (await insideOf(office, roomId)).get(guestIdentity)
    const stateOf = async () =>
      (await first.browser.call('listGuests', { roomId })).guests.find(
        (one) => one.guestIdentity === guestIdentity,
      )?.state
    return {
      first,
      second: { ...second, organizationId: first.organizationId },
      roomId,
      link,
      guest,
      guestIdentity,
      act,
      isIn,
      stateOf,
    }
  }

  it('lets a guest in: full rights, seen by the others, at once', async () => {
    const { guest, act, isIn, stateOf, first, guestIdentity } = await scene()
    await joinRoom(office, guest.rtcToken)
    expect(await isIn()).toMatchObject({ mayPublish: false })
    const answer = await act('admit')
    expect([answer.status, answer.body]).toEqual([200, { code: 200 }])
    expect(await isIn()).toMatchObject({ mayPublish: true })
    expect(await stateOf()).toBe('admitted')
    expect((await auditOf(first)).at(-1)).toMatchObject({
      action: 'guest.admitted',
      target: { kind: 'guest', id: guestIdentity },
    })
  })

  it('turns a guest away: out of the room at once', async () => {
    const { guest, act, isIn, stateOf } = await scene()
    await joinRoom(office, guest.rtcToken)
    expect((await act('deny')).status).toBe(200)
    expect(await isIn()).toBeUndefined()
    expect(await stateOf()).toBe('denied')
  })

  it('decides on a guest who is not connected yet', async () => {
    const { act, stateOf } = await scene()
    expect((await act('admit')).status).toBe(200)
    expect(await stateOf()).toBe('admitted')
  })

  it('answers the same decision again with 200, the opposite with 409', async () => {
    const { act, second, stateOf } = await scene()
    await act('admit')
    expect((await act('admit', second)).status).toBe(200)
    expect(await act('deny', second)).toMatchObject({ status: 409, body: { error: 'already-decided' } })
    expect(await stateOf()).toBe('admitted')
    const other = await scene()
    await other.act('deny')
    expect((await other.act('deny')).status).toBe(200)
    expect((await other.act('admit')).status).toBe(409)
  })

  it('has one outcome where two admins decide at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { first, second, act, stateOf, guest, isIn } = await scene()
      await joinRoom(office, guest.rtcToken)
      const answers = await Promise.all([
        act('admit', first),
        act('deny', second),
        act('admit', first),
        act('deny'),
      ])
      const won = answers.filter(({ status }) => status === 200)
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409])
      expect(won).toHaveLength(2)
      const admitted = answers[0]?.status === 200
      expect(await stateOf()).toBe(admitted ? 'admitted' : 'denied')
      expect(Boolean(await isIn())).toBe(admitted)
      const decided = (await outbox.events(`user:${first.organizationId}`)).filter(
        ({ type }) => type === 'guest.decided',
      )
      expect(new Set(decided.map(({ id }) => id)).size).toBe(1)
    }
  })

  it('has one outcome of fifty decisions at once, told once and written down once', async () => {
    const { first, second, act, stateOf, guest, isIn } = await scene()
    await joinRoom(office, guest.rtcToken)
    const acts = Array.from({ length: 50 }, (_, at) => (at % 2 === 0 ? 'admit' : 'deny'))
    const answers = await Promise.all(acts.map((action, at) => act(action, at % 3 === 0 ? first : second)))
    const stood = new Set(acts.filter((_, at) => answers[at]?.status === 200))
    expect(stood.size).toBe(1)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(25)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(25)
    expect(await stateOf()).toBe(stood.has('admit') ? 'admitted' : 'denied')
    expect(Boolean(await isIn())).toBe(stood.has('admit'))
    const events = await outbox.events(`user:${first.organizationId}`)
    const decided = events.filter(({ type }) => type === 'guest.decided')
    expect(new Set(decided.map(({ id }) => id)).size).toBe(1)
    const entries = (await auditOf(first)).filter(({ action }) => /^guest\.(admitted|denied)$/.test(action))
    expect(entries).toHaveLength(1)
  })

  const ofGuests = async ({ organizationId }: { organizationId: string }) =>
    (await outbox.events(`user:${organizationId}`)).filter(({ type }) => type.startsWith('guest.'))

  it('tells everybody who may admit, and nobody else', async () => {
    const { first, second, roomId, guestIdentity, act } = await scene()
    await newMember(office, first, 'moderator')
    await act('deny')
    const events = await ofGuests(first)
    const channels = new Set(events.map(({ channel }) => channel))
    expect(channels.size).toBe(2)
    const members = (await second.browser.call('listMembers')).data.filter(({ role }) => role === 'admin')
    expect([...channels].sort()).toEqual(
      members.map(({ presenceUserId }) => `user:${first.organizationId}:${presenceUserId}`).sort(),
    )
    expect(events.map(({ type }) => type)).toEqual([
      'guest.waiting',
      'guest.waiting',
      'guest.decided',
      'guest.decided',
    ])
    expect(events.at(-1)?.data).toEqual({ roomId, guestIdentity, action: 'deny' })
  })

  it('lets only those decide whom the invite names', async () => {
    const { first, second, act, stateOf } = await scene((ids) => ({ allowedAdmins: [ids.second] }))
    expect(await act('admit', first)).toMatchObject({ status: 403, body: { error: 'not-allowed-to-admit' } })
    expect(await stateOf()).toBe('waiting')
    expect(await ofGuests(first)).toHaveLength(1)
    expect((await act('admit', second)).status).toBe(200)
  })

  it('with neither field: the inviter, where they are an admin', async () => {
    const { first, second, act } = await scene(() => ({}))
    expect((await act('admit', second)).status).toBe(403)
    expect((await act('admit', first)).status).toBe(200)
  })

  it('with neither field: every admin, where the inviter is none', async () => {
    const founder = await newFounder(office)
    const admin = await newMember(office, founder, 'admin')
    const member = await newMember(office, founder, 'member')
    const { id: roomId } = await newRoom(founder)
    const inviter = { browser: member.browser, organizationId: founder.organizationId }
    const link = await guestLink(inviter, roomId)
    const { guestIdentity } = await knock(link, office.browser())
    const asked = { roomId, guestIdentity, action: 'admit' } as const
    expect((await member.browser.request('admitGuest', asked)).status).toBe(403)
    expect((await admin.browser.request('admitGuest', asked)).status).toBe(200)
  })

  it('asks who is an admin when it is decided, not when it was invited', async () => {
    const { first, second, act } = await scene((ids) => ({ allowedAdmins: [ids.second] }))
    expect((await act('admit', first)).status).toBe(403)
    await first.browser.call('updateMember', { id: second.id, role: 'moderator' })
    expect((await act('admit', second)).status).toBe(403)
    await first.browser.call('updateMember', { id: second.id, role: 'admin' })
    expect((await act('admit', first)).status).toBe(403)
    expect((await act('admit', second)).status).toBe(200)
  })

  it.each(['demoted', 'removed'] as const)(
    'is told to all other admins, once, where the named one is %s while somebody waits',
    async (how) => {
      const { first, second, guestIdentity, roomId, act } = await scene((ids) => ({
        allowedAdmins: [ids.second],
      }))
      const { presenceUserId } = await first.browser.call('getCurrentUser')
      const waiting = async () =>
        (await outbox.events(`user:${first.organizationId}:${presenceUserId}`)).filter(
          ({ type }) => type === 'guest.waiting',
        )
      expect(await waiting()).toEqual([])
      if (how === 'demoted') await first.browser.call('updateMember', { id: second.id, role: 'member' })
      else await first.browser.call('removeMember', { id: second.id })
      expect(await waiting()).toMatchObject([
        { data: { roomId, guestIdentity, guestName: 'Bob', since: expect.stringMatching(/^\d{4}-.*Z$/) } },
      ])
      expect((await act('admit')).status).toBe(200)
    },
  )

  it('is for all admins where those who were named are none any more: nobody waits for ever', async () => {
    const { first, second, act } = await scene((ids) => ({ allowedAdmins: [ids.second] }))
    await first.browser.call('updateMember', { id: second.id, role: 'moderator' })
    expect((await act('admit', first)).status).toBe(200)
  })

  it.each(['member', 'moderator', 'guest'] as const)('is not for the role %s', async (role) => {
    const { first, roomId, guestIdentity } = await scene()
    const member = await newMember(office, first, role)
    const asked = { roomId, guestIdentity, action: 'admit' } as const
    expect((await member.browser.request('admitGuest', asked)).status).toBe(403)
  })

  it('finds nothing of other organizations, other rooms and other identities', async () => {
    const { first, roomId, guestIdentity } = await scene()
    const other = await scene()
    const { id: otherRoom } = await newRoom(first)
    const ask = (asked: { roomId: string; guestIdentity: string }) =>
      first.browser.request('admitGuest', { ...asked, action: 'admit' })
    for (const asked of [
      { roomId: other.roomId, guestIdentity: other.guestIdentity },
      { roomId, guestIdentity: other.guestIdentity },
      { roomId: otherRoom, guestIdentity },
      { roomId, guestIdentity: UNKNOWN },
      { roomId, guestIdentity: first.id },
      { roomId, guestIdentity: `${guestIdentity}#2` },
      { roomId, guestIdentity: guestIdentity.toUpperCase() },
      { roomId, guestIdentity: 'EG_abc' },
      { roomId: 'nowhere', guestIdentity },
    ])
      expect((await ask(asked)).status).toBe(404)
    expect(await other.stateOf()).toBe('waiting')
  })

  it.each([
    ['no action', { roomId: 'x', guestIdentity: UNKNOWN }],
    ['another action', { roomId: 'x', guestIdentity: UNKNOWN, action: 'kick' }],
    ['no room', { guestIdentity: UNKNOWN, action: 'admit' }],
    ['no guest', { roomId: 'x', action: 'admit' }],
    ['a guest that is a number', { roomId: 'x', guestIdentity: 5, action: 'admit' }],
  ])('refuses %s', async (_what, input) => {
    const founder = await newFounder(office)
    expect((await founder.browser.request('admitGuest', input as never)).status).toBe(400)
  })

  it('does not let in whose link has expired, whether that is written down or not', async () => {
    const { act, stateOf } = await scene()
    office.clock.advance(3_601)
    expect(await act('admit')).toMatchObject({ status: 410, body: { error: 'guest-expired' } })
    expect(await stateOf()).toBe('expired')
    await office.office.jobs.runNow('expire-guests')
    expect((await act('admit')).status).toBe(410)
  })

  it('decides while the media server is away, and carries it out when it is back', async () => {
    for (const action of ['admit', 'deny'] as const) {
      const { guest, act, isIn, stateOf } = await scene()
      await joinRoom(office, guest.rtcToken)
      await atMedia(office, 'faults', { calls: 'refused' })
      expect((await act(action)).status).toBe(200)
      await atMedia(office, 'faults', { calls: 'answered' })
      expect(await stateOf()).toBe(action === 'admit' ? 'admitted' : 'denied')
      await until(async () => {
        office.clock.advance(6)
        await office.office.work.worker(GUEST_QUEUE).drain()
        const inside = await isIn()
        return action === 'admit' ? inside?.mayPublish === true : inside === undefined
      })
    }
  })
})
