import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  enterRoom,
  guestLink,
  insideOf,
  joinRoom,
  knock as knockAsGuest,
  leaveRoom,
  newRoom,
} from '../../../../tests/chapters/rooms.ts'
import { hold, untilBlocked } from '../../../../tests/held-locks.ts'
import { openTestOffice, type TestOffice } from '../../../../tests/office.ts'
import { newFounder, newMember, type Person } from '../../../../tests/people.ts'
import { type RecordedOutbox, recordOutbox } from '../../../../tests/recorded-outbox.ts'
import { until } from '../../../../tests/until.ts'

describe('openDesk', () => {
  let office: TestOffice
  let outbox: RecordedOutbox
  beforeAll(async () => {
    office = await openTestOffice()
    outbox = await recordOutbox(office.database)
    await until(async () => office.office.jobs.isLeader())
  })
  afterAll(() => office.close())

  type Somebody = Pick<Person, 'browser' | 'id'>
  const listed = async ({ browser }: Somebody) =>
    (await browser.call('listRooms')).rooms.map(({ id, ownerId }) => ({ id, ownerId }))
  const asks = ({ browser }: Somebody, roomId: string) =>
    browser.request('authorizeRoom', { username: 'Somebody', roomId })
  const scene = async () => {
    const founder = await newFounder(office)
    const owner = await newMember(office, founder, 'member')
    const { room } = await owner.browser.call('openDesk')
    return { founder, owner, room, desk: { id: room.id, ownerId: owner.id } }
  }

  it('makes one desk, called as its owner is, of ten requests at once', async () => {
    const founder = await newFounder(office)
    const [first, ...others] = await Promise.all(
      Array.from({ length: 10 }, () => founder.browser.call('openDesk')),
    )
    const { displayName } = await founder.browser.call('getCurrentUser')
    expect(first?.room).toMatchObject({
      kind: 'desk',
      ownerId: founder.id,
      name: displayName,
      temporary: false,
    })
    for (const { room } of others) expect(room.id).toBe(first?.room.id)
    const made = (await outbox.events(`org:${founder.organizationId}`)).filter(
      ({ type }) => type === 'room.created',
    )
    expect(made).toMatchObject([{ data: { roomId: first?.room.id, kind: 'desk', ownerId: founder.id } }])
  })

  it('is in the list of its owner, and in that of others while somebody is inside', async () => {
    const { founder, owner, desk, room } = await scene()
    expect([await listed(owner), await listed(founder)]).toEqual([[desk], []])
    await enterRoom(office, owner, room.id)
    expect(await listed(founder)).toEqual([desk])
    await leaveRoom(office, owner, room.id)
    expect(await listed(founder)).toEqual([])
  })

  it('has guests let in while its owner is there', async () => {
    const { founder, owner, room } = await scene()
    const guest = await knockAsGuest(await guestLink(founder, room.id), office.browser())
    const decision = { roomId: room.id, guestIdentity: guest.guestIdentity, action: 'admit' as const }
    expect(await founder.browser.request('admitGuest', decision)).toMatchObject({
      status: 403,
      body: { error: 'room-locked' },
    })
    await enterRoom(office, owner, room.id)
    expect((await founder.browser.request('admitGuest', decision)).status).toBe(200)
  })

  it('is entered by others while its owner is there, administrators too, and left by who comes later', async () => {
    const { founder, owner, room } = await scene()
    expect(await asks(founder, room.id)).toMatchObject({ status: 403, body: { error: 'room-locked' } })
    await enterRoom(office, owner, room.id)
    const { status, body } = await asks(founder, room.id)
    expect(status).toBe(200)
    await leaveRoom(office, owner, room.id)
    await joinRoom(office, (body as { token: string }).token)
    await until(async () => !(await insideOf(office, room.id)).has(founder.id))
  })

  it('is outside the limit and the names of rooms, and has no conversation', async () => {
    const { founder, owner, room } = await scene()
    expect((await founder.browser.request('createRoom', { name: room.name })).status).toBe(200)
    expect((await newRoom(founder)).position).toBeLessThan(1_000_000)
    const rename = { roomId: room.id, name: 'Elsewhere' }
    expect((await founder.browser.request('updateRoom', rename)).status).toBe(400)
    expect((await founder.browser.request('updateRoom', { roomId: room.id, seats: 2 })).status).toBe(200)
    expect((await owner.browser.request('openDesk')).body).toMatchObject({ room: { id: room.id, seats: 2 } })
  })

  it('is called as its owner is from now on, and ends with the membership', async () => {
    const { founder, owner, room } = await scene()
    await owner.browser.call('updateProfile', { displayName: 'Katherine Johnson' })
    expect((await owner.browser.call('openDesk')).room.name).toBe('Katherine Johnson')
    await founder.browser.call('removeMember', { id: owner.id })
    expect(await founder.browser.request('getRoom', { roomId: room.id })).toMatchObject({ status: 404 })
    const told = (await outbox.events(`org:${founder.organizationId}`)).filter(
      ({ type, data }) => type.startsWith('room.') && (data as { roomId: string }).roomId === room.id,
    )
    expect(told.map(({ type, data }) => ({ type, data }))).toMatchObject([
      { type: 'room.created' },
      { type: 'room.updated', data: { roomId: room.id, name: 'Katherine Johnson' } },
      { type: 'room.deleted', data: { roomId: room.id } },
    ])
  })

  it.each([
    ['removal', 'delete from memberships where user_id = $1'],
    ['deactivation', `update memberships set status = 'inactive' where user_id = $1`],
  ])('makes none at the moment of the %s of its owner', async (_how, statement) => {
    const founder = await newFounder(office)
    const owner = await newMember(office, founder, 'member')
    const ended = await hold(office, statement, [owner.id])
    const asked = owner.browser.request('openDesk')
    await Promise.race([untilBlocked(office, 1), asked])
    await ended.commit()
    expect((await asked).status).toBe(403)
    const { rows } = await office.database.pool.query('select id from rooms where owner_id = $1', [owner.id])
    expect(rows).toEqual([])
  })
})
