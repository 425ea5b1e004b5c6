import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  enterRoom,
  guestLink,
  insideOf,
  joinRoom,
  knock as knockAsGuest,
  leaveRoom,
  lockedRoom,
} from '../../../../tests/chapters/rooms.ts'
import { hold, untilBlocked } from '../../../../tests/held-locks.ts'
import { openTestOffice, type TestOffice } from '../../../../tests/office.ts'
import { newFounder, type Person } from '../../../../tests/people.ts'
import { type RecordedOutbox, recordOutbox } from '../../../../tests/recorded-outbox.ts'
import { until } from '../../../../tests/until.ts'

describe('lockRoom', () => {
  let office: TestOffice
  let outbox: RecordedOutbox
  beforeAll(async () => {
    office = await openTestOffice()
    outbox = await recordOutbox(office.database)
    await until(async () => office.office.jobs.isLeader())
  })
  afterAll(() => office.close())

  type Somebody = Pick<Person, 'browser' | 'id'>
  const tokenOf = async ({ browser }: Somebody, roomId: string) =>
    (await browser.call('authorizeRoom', { username: 'Somebody', roomId })).token
  const asks = ({ browser }: Somebody, roomId: string) =>
    browser.request('authorizeRoom', { username: 'Somebody', roomId })
  const roomOf = async ({ browser }: Somebody, roomId: string) =>
    (await browser.call('getRoom', { roomId })).room
  const peopleIn = async (person: Somebody, roomId: string) =>
    (await roomOf(person, roomId)).people.map(({ userId }) => userId)
  const enter = (person: Somebody, roomId: string) => enterRoom(office, person, roomId)
  const leave = (person: Somebody, roomId: string) => leaveRoom(office, person, roomId)
  const lock = ({ browser }: Somebody, roomId: string, locked = true) =>
    browser.request('lockRoom', { roomId, locked })
  const closed = { status: 403, body: { error: 'room-locked' } }

  const scene = () => lockedRoom(office)

  it('keeps others out, and says so in lists and events, once', async () => {
    const { founder, inside, outside, roomId } = await scene()
    expect((await lock(inside, roomId)).status).toBe(204)
    expect(await asks(outside, roomId)).toMatchObject(closed)
    expect((await roomOf(outside, roomId)).locked).toBe(true)
    expect((await lock(inside, roomId, false)).status).toBe(204)
    expect((await asks(outside, roomId)).status).toBe(200)
    const told = (await outbox.events(`org:${founder.organizationId}`)).filter(
      ({ type }) => type === 'room.updated',
    )
    expect(told.map(({ data }) => data)).toEqual([
      { roomId, locked: true },
      { roomId, locked: false },
    ])
  })

  it('is for who is inside; moderators open it and come in, and lock nothing from outside', async () => {
    const { outside, moderator, roomId } = await scene()
    expect(await lock(outside, roomId, false)).toMatchObject({ status: 409, body: { error: 'not-inside' } })
    expect(await lock(moderator, roomId)).toMatchObject({ status: 409, body: { error: 'not-inside' } })
    await enter(moderator, roomId)
    await leave(moderator, roomId)
    expect((await lock(moderator, roomId, false)).status).toBe(204)
    expect((await asks(outside, roomId)).status).toBe(200)
    const stranger = await newFounder(office)
    expect(await lock(stranger, roomId)).toMatchObject({ status: 404, body: { error: 'room-not-found' } })
  })

  it('puts out who comes by an older token, and lets nobody back who was put out', async () => {
    const { founder, inside, outside, roomId } = await scene()
    await lock(inside, roomId, false)
    const earlier = await tokenOf(outside, roomId)
    await lock(inside, roomId)
    await joinRoom(office, earlier)
    await until(async () => !(await insideOf(office, roomId)).has(outside.id))
    expect(await asks(outside, roomId)).toMatchObject(closed)
    expect(await peopleIn(founder, roomId)).toContain(inside.id)
  })

  it('lets back who left within two minutes, and later nobody', async () => {
    const { inside, outside, roomId } = await scene()
    await lock(inside, roomId, false)
    await enter(outside, roomId)
    await lock(inside, roomId)
    await leave(outside, roomId)
    expect((await asks(outside, roomId)).status).toBe(200)
    office.clock.advance(121)
    expect(await asks(outside, roomId)).toMatchObject(closed)
  })

  it('ends when the last member leaves', async () => {
    const { inside, outside, roomId } = await scene()
    await leave(inside, roomId)
    await until(async () => !(await roomOf(outside, roomId)).locked)
    expect((await asks(outside, roomId)).status).toBe(200)
  })

  it('has guests admitted by who is inside', async () => {
    const { founder, roomId } = await scene()
    const guest = await knockAsGuest(await guestLink(founder, roomId), office.browser())
    const decision = { roomId, guestIdentity: guest.guestIdentity, action: 'admit' as const }
    expect(await founder.browser.request('admitGuest', decision)).toMatchObject(closed)
    await enter(founder, roomId)
    expect((await founder.browser.request('admitGuest', decision)).status).toBe(200)
  })

  describe('at the moment of an admission', () => {
    const lockOfRow = 'select from rooms where id = $1 for update'

    it('is before it or after it: from outside no guest is admitted into a room that was locked meanwhile', async () => {
      const { founder, inside, roomId } = await scene()
      await lock(inside, roomId, false)
      const { guestIdentity } = await knockAsGuest(await guestLink(founder, roomId), office.browser())
      const held = await hold(office, lockOfRow, [roomId])
      const admitted = founder.browser.request('admitGuest', { roomId, guestIdentity, action: 'admit' })
      await Promise.race([untilBlocked(office, 1), admitted])
      await held.query('update rooms set locked_at = now() where id = $1', [roomId])
      await held.commit()
      expect(await admitted).toMatchObject(closed)
    })

    it('has the time at which the room was got, not that of the question', async () => {
      const { inside, roomId } = await scene()
      await lock(inside, roomId, false)
      const held = await hold(office, lockOfRow, [roomId])
      const locked = lock(inside, roomId)
      await untilBlocked(office, 1)
      office.clock.advance(5)
      const since = office.clock.now()
      await held.letGo()
      expect((await locked).status).toBe(204)
      const { rows } = await office.database.pool.query('select locked_at from rooms where id = $1', [roomId])
      expect(rows[0].locked_at.getTime()).toBeGreaterThanOrEqual(since.getTime())
    })
  })
})
