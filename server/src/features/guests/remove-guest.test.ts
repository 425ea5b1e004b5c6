import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { atMedia, guestLink, insideOf, joinRoom, knock, newRoom } from '../../../tests/chapters/rooms.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { auditOf, newFounder, newMember } from '../../../tests/people.ts'
import { type RecordedOutbox, recordOutbox } from '../../../tests/recorded-outbox.ts'
import { guestConnected } from './connections.ts'
import { GUEST_QUEUE } from './state-store.ts'

describe('removeGuest', () => {
  let office: TestOffice
  let outbox: RecordedOutbox
  beforeAll(async () => {
    office = await openTestOffice()
    outbox = await recordOutbox(office.database)
  })
  afterAll(() => office.close())

  /** A guest who waits before a room, and the admin who may let them in. */
  async function waiting(durationSeconds = 3_600) {
    const founder = await newFounder(office)
    const { id: roomId } = await newRoom(founder)
    const link = await guestLink(founder, roomId, { durationSeconds, allowedAdmins: [founder.id] })
    const guest = await knock(link, office.browser(), 'Bob')
    const named = { roomId, guestIdentity: guest.guestIdentity }
    const remove = (by = founder) => by.browser.request('removeGuest', named)
    const isIn = async () => (await insideOf(office, roomId)).has(guest.guestIdentity)
    const stateOf = async () => (await founder.browser.call('listGuests', { roomId })).guests[0]?.state
    return { founder, roomId, link, guest, named, remove, isIn, stateOf }
  }

  /** The same, let in and inside. */
  async function admitted(durationSeconds?: number) {
    const scene = await waiting(durationSeconds)
    await joinRoom(office, scene.guest.rtcToken)
    await scene.founder.browser.call('admitGuest', { ...scene.named, action: 'admit' })
    return scene
  }

  it('puts out whoever was admitted, at once; tells and writes it down once; again is right too', async () => {
    const { founder, named, remove, isIn, stateOf } = await admitted()
    expect(await isIn()).toBe(true)
    expect((await remove()).status).toBe(204)
    expect([await isIn(), await stateOf()]).toEqual([false, 'denied'])
    expect((await remove()).status).toBe(204)
    const events = await outbox.events(`user:${founder.organizationId}`)
    expect(events.filter(({ type }) => type === 'guest.left').map(({ data }) => data)).toEqual([named])
    const entries = (await auditOf(founder)).filter(({ action }) => action === 'guest.removed')
    expect(entries).toMatchObject([{ target: { kind: 'guest', id: named.guestIdentity } }])
  })

  it('has one outcome of many removals at once', async () => {
    const { founder, remove } = await admitted()
    const answers = await Promise.all(Array.from({ length: 10 }, () => remove()))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]))
    expect((await auditOf(founder)).filter(({ action }) => action === 'guest.removed')).toHaveLength(1)
  })

  it('keeps the same browser out for as long as the link lasts, however long it waits', async () => {
    const { founder, link, guest, remove, roomId } = await admitted(7_200)
    await remove()
    const ask = () => guest.browser.request('authorizeGuest', { inviteToken: link, guestName: 'Bob' })
    for (const seconds of [0, 3_700]) {
      office.clock.advance(seconds)
      expect(await ask()).toMatchObject({ status: 403, body: { error: 'guest-removed' } })
    }
    const { guests } = await founder.browser.call('listGuests', { roomId })
    expect(guests).toMatchObject([{ state: 'denied' }])
    const again = { roomId, guestIdentity: guest.guestIdentity, action: 'admit' } as const
    expect(await founder.browser.request('admitGuest', again)).toMatchObject({
      status: 409,
      body: { error: 'already-decided' },
    })
  })

  it('puts them out again where their connection appears again, heard of or not', async () => {
    const { guest, remove, isIn, roomId } = await admitted()
    await remove()
    const connection = await joinRoom(office, guest.rtcToken)
    const { log, needs, media } = office.office
    const appeared = {
      room: roomId as never,
      identity: guest.guestIdentity as never,
      connection,
      at: office.clock.now(),
    }
    await guestConnected({ db: needs.db, log, media: media.needs.media, clock: office.clock }, appeared)
    expect(await isIn()).toBe(false)
    await joinRoom(office, guest.rtcToken)
    await office.office.jobs.runNow('look-for-guests')
    expect(await isIn()).toBe(false)
  })

  it('is carried out later where the media server cannot be told', async () => {
    const { remove, isIn } = await admitted()
    await atMedia(office, 'faults', { calls: 'refused' })
    const answer = await remove()
    await atMedia(office, 'faults', { calls: 'answered' })
    expect(answer.status).toBe(204)
    office.clock.advance(6)
    await office.office.work.worker(GUEST_QUEUE).drain()
    expect(await isIn()).toBe(false)
  })

  it('refuses where there is nobody to put out: waiting, denied, gone; of who is in, their link may be over', async () => {
    const scene = await waiting()
    const notAdmitted = { status: 409, body: { error: 'guest-not-admitted' } }
    expect(await scene.remove()).toMatchObject(notAdmitted)
    await scene.founder.browser.call('admitGuest', { ...scene.named, action: 'deny' })
    expect(await scene.remove()).toMatchObject(notAdmitted)
    const gone = await waiting()
    await gone.founder.browser.call('admitGuest', { ...gone.named, action: 'admit' })
    const beyond = await admitted(60)
    office.clock.advance(700)
    await office.office.jobs.runNow('look-for-guests')
    expect(await gone.remove()).toMatchObject({ status: 409, body: { error: 'guest-left' } })
    expect((await beyond.remove()).status).toBe(204)
    expect(await beyond.isIn()).toBe(false)
  })

  it('is for whoever may decide on them, as admission is', async () => {
    const { founder, remove, isIn } = await admitted()
    const { organizationId } = founder
    const person = async (role: 'moderator' | 'admin') => ({
      ...(await newMember(office, founder, role)),
      organizationId,
    })
    expect(await remove(await person('admin'))).toMatchObject({
      status: 403,
      body: { error: 'not-allowed-to-admit' },
    })
    expect(await remove(await person('moderator'))).toMatchObject({
      status: 403,
      body: { error: 'role-not-allowed' },
    })
    expect(await isIn()).toBe(true)
  })

  it('finds no guest of another room or organization, and none that is not there', async () => {
    const [one, other] = [await admitted(), await admitted()]
    const { id: second } = await newRoom(one.founder)
    const nobody = 'guest:00000000-0000-4000-8000-000000000000'
    for (const named of [
      other.named,
      { roomId: one.roomId, guestIdentity: other.named.guestIdentity },
      { roomId: second, guestIdentity: one.named.guestIdentity },
      { roomId: one.roomId, guestIdentity: nobody },
      { roomId: one.roomId, guestIdentity: one.founder.id },
    ])
      expect((await one.founder.browser.request('removeGuest', named)).status).toBe(404)
    expect([await one.isIn(), await other.isIn()]).toEqual([true, true])
  })
})
