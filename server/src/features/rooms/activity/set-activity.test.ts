import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { atMedia, enterRoom, newRoom } from '../../../../tests/chapters/rooms.ts'
import { type Listener, listenAs } from '../../../../tests/listener.ts'
import { openTestOffice, type TestOffice } from '../../../../tests/office.ts'
import { newFounder, newMember, type Person } from '../../../../tests/people.ts'
import { recordOutbox } from '../../../../tests/recorded-outbox.ts'
import { until } from '../../../../tests/until.ts'

describe('setActivity', () => {
  let office: TestOffice
  const listeners: Listener[] = []
  beforeAll(async () => {
    office = await openTestOffice()
    await until(async () => office.office.jobs.isLeader())
  })
  afterAll(async () => {
    for (const listener of listeners) listener.close()
    await office.close()
  })

  type Somebody = Pick<Person, 'browser' | 'id'>
  const say = ({ browser }: Somebody, roomId: string, said = {}) =>
    browser.request('setActivity', { roomId, sound: 'on', speaking: true, hand: true, ...said })
  const soundOf = async ({ browser }: Somebody, roomId: string) =>
    (await browser.call('getRoom', { roomId })).room.people[0]?.sound
  /** As the room says it, and the list says the same. */
  const shown = async ({ browser }: Somebody, roomId: string) => {
    const { rooms } = await browser.call('listRooms')
    const one = (await browser.call('getRoom', { roomId })).room
    const of = (people: typeof one.people) =>
      people.map(({ sound, speaking, hand }) => ({ sound, speaking, hand }))
    const listed = rooms.find(({ id }) => id === roomId)
    if (listed) expect(of(listed.people)).toEqual(of(one.people))
    return of(one.people)
  }
  const publish = async (roomId: string, { id }: Somebody) => {
    await atMedia(office, 'publish', { room: roomId, identity: id, source: 'microphone' })
  }

  /** A member inside, with a microphone, and a founder who listens. */
  async function scene() {
    const founder = await newFounder(office)
    const member = await newMember(office, founder, 'member')
    const { id: roomId } = await newRoom(founder)
    await enterRoom(office, member, roomId)
    await publish(roomId, member)
    await until(async () => (await soundOf(founder, roomId)) === 'published')
    const listener = await listenAs(founder)
    listeners.push(listener)
    return { founder, member, roomId, heard: () => listener.heard('room.activity') }
  }

  it('is shown in lists and told by an event, which nothing keeps', async () => {
    const { founder, member, roomId, heard } = await scene()
    const outbox = await recordOutbox(office.database)
    expect((await say(member, roomId)).status).toBe(204)
    const said = { sound: 'on', speaking: true, hand: true }
    expect(await shown(founder, roomId)).toEqual([said])
    await expect.poll(heard).toEqual([{ roomId, userId: member.id, ...said }])
    expect((await outbox.events()).filter(({ type }) => type === 'room.activity')).toEqual([])
  })

  it('is forgotten after fifteen seconds: a microphone is published then, and no more is known', async () => {
    const { founder, member, roomId, heard } = await scene()
    await say(member, roomId)
    await expect.poll(() => heard().length).toBe(1)
    office.clock.advance(15)
    const nothing = { sound: 'published', speaking: false, hand: false }
    expect(await shown(founder, roomId)).toEqual([nothing])
    await expect.poll(heard).toMatchObject([{ sound: 'on' }, { userId: member.id, ...nothing }])
  })

  it('is off where no microphone is published, whatever is said', async () => {
    const { founder, member, roomId, heard } = await scene()
    await atMedia(office, 'unpublish', { room: roomId, identity: member.id, source: 'microphone' })
    await until(async () => (await soundOf(founder, roomId)) === 'off')
    await say(member, roomId)
    expect(await shown(founder, roomId)).toEqual([{ sound: 'off', speaking: false, hand: true }])
    await expect.poll(heard).toMatchObject([{ sound: 'off', speaking: false, hand: true }])
  })

  it('is told anew where the media server tells of the microphone later than the client', async () => {
    const { founder, member, roomId, heard } = await scene()
    await atMedia(office, 'unpublish', { room: roomId, identity: member.id, source: 'microphone' })
    await until(async () => (await soundOf(founder, roomId)) === 'off')
    await say(member, roomId, { sound: 'muted', speaking: false })
    await expect.poll(heard).toMatchObject([{ sound: 'off', hand: true }])
    await publish(roomId, member)
    await expect
      .poll(heard, { timeout: 20_000 })
      .toMatchObject([{ sound: 'off' }, { sound: 'muted', hand: true }])
    expect(await shown(founder, roomId)).toEqual([{ sound: 'muted', speaking: false, hand: true }])
  })

  it('does not say who speaks in a sealed room', async () => {
    const { founder, member, roomId, heard } = await scene()
    await office.database.pool.query('update rooms set sealed = true where id = $1', [roomId])
    await say(member, roomId)
    expect(await shown(founder, roomId)).toEqual([{ sound: 'on', speaking: false, hand: true }])
    await expect.poll(heard).toMatchObject([{ sound: 'on', speaking: false, hand: true }])
  })

  it('does not say who speaks in a locked room', async () => {
    const { founder, member, roomId, heard } = await scene()
    await member.browser.call('lockRoom', { roomId, locked: true })
    await say(member, roomId)
    expect(await shown(founder, roomId)).toEqual([{ sound: 'on', speaking: false, hand: true }])
    await expect.poll(heard).toMatchObject([{ sound: 'on', speaking: false, hand: true }])
  })

  it('is for who is inside, in rooms of their own organization', async () => {
    const { founder, roomId } = await scene()
    expect(await say(founder, roomId)).toMatchObject({ status: 409, body: { error: 'not-inside' } })
    const stranger = await newFounder(office)
    expect(await say(stranger, roomId)).toMatchObject({ status: 404, body: { error: 'room-not-found' } })
  })
})
