import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newPublicKey } from '../../../../tests/chapters/devices.ts'
import { aboutRecording } from '../../../../tests/chapters/recordings.ts'
import {
  atMedia,
  claimsOf,
  enterRoom,
  guestLink,
  insideOf,
  knock,
  leaveRoom,
  newRoom,
} from '../../../../tests/chapters/rooms.ts'
import { sealedRoom } from '../../../../tests/chapters/sealed-rooms.ts'
import { openTestOffice, type TestOffice } from '../../../../tests/office.ts'
import { newFounder, newMember, type Person } from '../../../../tests/people.ts'
import { recordOutbox } from '../../../../tests/recorded-outbox.ts'
import { until } from '../../../../tests/until.ts'

describe('a sealed room', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
    await until(async () => office.office.jobs.isLeader())
  })
  afterAll(() => office.close())

  const seal = ({ browser }: Pick<Person, 'browser'>, roomId: string, sealed = true) =>
    browser.request('updateRoom', { roomId, sealed })
  const tokenOf = async ({ browser }: Pick<Person, 'browser'>, roomId: string) =>
    (await browser.call('authorizeRoom', { username: 'Somebody', roomId })).token
  const inUse = { status: 409, body: { error: 'room-in-use' } }
  /** The clock is left alone: media servers have one of their own. */
  const tokensEnd = (roomId: string) =>
    office.database.pool.query(
      "update rooms set token_until = token_until - interval '13 minutes' where id = $1",
      [roomId],
    )
  /** Those that the media server gave to who was inside. */
  const tokensOfPeopleEnd = (roomId: string) =>
    office.database.pool.query(
      "update media_participants set ended_at = ended_at - interval '12 minutes' where room_id = $1",
      [roomId],
    )

  it('is made so by who may change rooms, and says so in answers, lists and events', async () => {
    const founder = await newFounder(office)
    const outbox = await recordOutbox(office.database)
    const member = await newMember(office, founder, 'member')
    const wanted = { name: 'Vault', sealed: true }
    expect((await member.browser.request('createRoom', wanted)).status).toBe(403)
    const { room } = await founder.browser.call('createRoom', wanted)
    expect(room.sealed).toBe(true)
    expect((await founder.browser.call('listRooms')).rooms).toMatchObject([{ id: room.id, sealed: true }])
    expect((await seal(founder, room.id, false)).body).toMatchObject({ room: { sealed: false } })
    const told = (await outbox.events(`org:${founder.organizationId}`)).filter(
      ({ type }) => type === 'room.created' || type === 'room.updated',
    )
    expect(told.map(({ type, data }) => [type, (data as { sealed?: boolean }).sealed])).toEqual([
      ['room.created', true],
      ['room.updated', false],
    ])
  })

  it('changes while nobody is inside and no token of it is alive', async () => {
    const founder = await newFounder(office)
    const { id } = await newRoom(founder)
    await tokenOf(founder, id)
    expect(await seal(founder, id)).toMatchObject(inUse)
    // what stays as it is was never in use
    expect((await seal(founder, id, false)).status).toBe(200)
    await enterRoom(office, founder, id)
    await tokensEnd(id)
    expect(await seal(founder, id)).toMatchObject(inUse)
    await leaveRoom(office, founder, id)
    // the media server gave a token to who was inside, too
    expect(await seal(founder, id)).toMatchObject(inUse)
    await tokensOfPeopleEnd(id)
    expect((await seal(founder, id)).status).toBe(200)
  })

  it('is not sealed while a guest holds a token for it', async () => {
    const founder = await newFounder(office)
    const { id } = await newRoom(founder)
    await knock(await guestLink(founder, id), office.browser())
    expect(await seal(founder, id)).toMatchObject(inUse)
  })

  it('is settled for all tokens: of a token and a change at once, one gives way', async () => {
    const founder = await newFounder(office)
    for (let round = 0; round < 5; round += 1) {
      const { id } = await newRoom(founder)
      const [token, changed] = await Promise.all([tokenOf(founder, id), seal(founder, id)])
      expect(claimsOf(token).video.encryptedOnly === true).toBe(changed.status === 200)
    }
  })

  it('gives tokens that publish encrypted tracks alone, to members and guests', async () => {
    const founder = await newFounder(office)
    const open = await newRoom(founder)
    const roomId = await sealedRoom(founder)
    const asking = { inviteToken: await guestLink(founder, roomId), guestName: 'Gast' }
    const guest = await office.browser().call('authorizeGuest', { ...asking, publicKey: newPublicKey() })
    for (const token of [await tokenOf(founder, roomId), guest.rtcToken])
      expect(claimsOf(token).video).toMatchObject({ room: roomId, encryptedOnly: true })
    expect(claimsOf(await tokenOf(founder, open.id)).video).not.toHaveProperty('encryptedOnly')
  })

  it('lets no guest wait without a key, and shows the one given last', async () => {
    const founder = await newFounder(office)
    const roomId = await sealedRoom(founder)
    const browser = office.browser()
    const asking = { inviteToken: await guestLink(founder, roomId), guestName: 'Gast' }
    const guests = async () => (await founder.browser.call('listGuests', { roomId })).guests
    expect(await browser.request('authorizeGuest', asking)).toMatchObject({
      ...{ status: 409, body: { error: 'key-required' } },
    })
    expect(await guests()).toEqual([])
    for (const publicKey of [newPublicKey(), newPublicKey()]) {
      await browser.call('authorizeGuest', { ...asking, publicKey })
      expect(await guests()).toMatchObject([{ guestName: 'Gast', publicKey }])
    }
    // the second one is a point of low order
    for (const publicKey of ['A'.repeat(44), 'A'.repeat(43)])
      expect((await browser.request('authorizeGuest', { ...asking, publicKey })).status).toBe(400)
  })

  it('shows admitted guests to every member inside, who seals to them, and to none outside', async () => {
    const founder = await newFounder(office)
    const member = await newMember(office, founder, 'member')
    const roomId = await sealedRoom(founder)
    const inviteToken = await guestLink(founder, roomId)
    const publicKey = newPublicKey()
    const [admitted] = await Promise.all(
      ['Admitted', 'Waiting'].map((guestName) =>
        office.browser().call('authorizeGuest', { inviteToken, guestName, publicKey }),
      ),
    )
    const guestIdentity = admitted?.guestIdentity as string
    await founder.browser.call('admitGuest', { roomId, guestIdentity, action: 'admit' })
    const asks = () => member.browser.request('listGuests', { roomId })
    const refused = { status: 403, body: { error: 'role-not-allowed' } }
    expect(await asks()).toMatchObject(refused)
    await enterRoom(office, member, roomId)
    const { guests } = await member.browser.call('listGuests', { roomId })
    expect(guests).toMatchObject([{ guestIdentity, publicKey, state: 'admitted', mayDecide: false }])
    expect(guests).toHaveLength(1)
    await leaveRoom(office, member, roomId)
    expect(await asks()).toMatchObject(refused)
    const { id: open } = await newRoom(founder)
    await enterRoom(office, member, open)
    expect(await member.browser.request('listGuests', { roomId: open })).toMatchObject(refused)
  })

  it('puts out who publishes a track that is not encrypted, and nobody else', async () => {
    const founder = await newFounder(office)
    const member = await newMember(office, founder, 'member')
    const [open, roomId] = [await newRoom(founder), await sealedRoom(founder)]
    for (const room of [open.id, roomId])
      for (const one of [founder, member]) await enterRoom(office, one, room)
    const publish = (room: string, { id }: Pick<Person, 'id'>, more: object) =>
      atMedia(office, 'publish', { room, identity: id, source: 'camera', type: 'video', ...more })
    await publish(roomId, founder, { encryption: 'GCM' })
    await publish(open.id, member, {})
    await publish(roomId, member, {})
    await until(async () => !(await insideOf(office, roomId)).has(member.id))
    expect((await insideOf(office, roomId)).has(founder.id)).toBe(true)
    expect((await insideOf(office, open.id)).has(member.id)).toBe(true)
  })

  it('is not recorded', async () => {
    const founder = await newFounder(office)
    const roomName = await sealedRoom(founder)
    await enterRoom(office, founder, roomName)
    expect(await founder.browser.request('startRecording', { roomName, ...aboutRecording })).toMatchObject({
      ...{ status: 409, body: { error: 'room-sealed' } },
    })
    expect((await founder.browser.call('listRecordings', {})).data).toEqual([])
  })

  it('does not become so while it is recorded, empty as it may be', async () => {
    const founder = await newFounder(office)
    const { id: roomId } = await newRoom(founder)
    const recording = { roomName: roomId, ...aboutRecording }
    const { egressId } = await founder.browser.call('startRecording', recording)
    expect(await seal(founder, roomId)).toMatchObject(inUse)
    await until(async () => (await founder.browser.call('getRoom', { roomId })).room.recording)
    await tokensEnd(roomId)
    expect(await seal(founder, roomId)).toMatchObject(inUse)
    await founder.browser.call('stopRecording', { ...recording, egressId })
    await until(async () => !(await founder.browser.call('getRoom', { roomId })).room.recording)
    await tokensOfPeopleEnd(roomId)
    expect((await seal(founder, roomId)).status).toBe(200)
  })

  it('is settled for recordings: of a start and a change at once, one gives way', async () => {
    const founder = await newFounder(office)
    for (let round = 0; round < 5; round += 1) {
      const { id } = await newRoom(founder)
      const [started, changed] = await Promise.all([
        founder.browser.request('startRecording', { roomName: id, ...aboutRecording }),
        seal(founder, id),
      ])
      expect([started.status, changed.status].toSorted()).toEqual([200, 409])
    }
  })
})
