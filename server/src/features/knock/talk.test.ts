import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enterRoom, guestLink, insideOf, joinRoom, leaveRoom } from '../../../tests/chapters/rooms.ts'
import { hold, untilBlocked } from '../../../tests/held-locks.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, newMember, type Person } from '../../../tests/people.ts'
import { type RecordedOutbox, recordOutbox } from '../../../tests/recorded-outbox.ts'
import { until } from '../../../tests/until.ts'

describe('talk', () => {
  let office: TestOffice
  let outbox: RecordedOutbox
  beforeAll(async () => {
    office = await openTestOffice()
    outbox = await recordOutbox(office.database)
    await until(async () => office.office.jobs.isLeader())
  })
  afterAll(() => office.close())

  type Somebody = Pick<Person, 'browser' | 'id'>
  const read = ({ browser }: Somebody, roomId: string) => browser.request('getRoom', { roomId })
  const unknown = { status: 404, body: { error: 'room-not-found' } }
  const refused = { status: 409, body: { error: 'room-temporary' } }
  type Status = 'online' | 'busy' | 'appear_offline'

  const recordingOf = (roomName: string) => ({
    ...{ roomName, conferenceTopic: 'Topic', zoneId: 'zone', participants: '2' },
  })

  async function scene(status: Status | null = 'online') {
    const founder = await newFounder(office)
    const [one, other] = [
      await newMember(office, founder, 'admin'),
      await newMember(office, founder, 'member'),
    ]
    if (status) await other.browser.call('setPresenceStatus', { status })
    const talk = ({ browser }: Somebody = one, { id }: Somebody = other) =>
      browser.call('talk', { userId: id })
    const heard = async (scope: 'org' | 'user', types: RegExp) =>
      (await outbox.events(`${scope}:${founder.organizationId}`)).filter(({ type }) => types.test(type))
    return { founder, one, other, talk, heard }
  }

  it('makes the place of the two, who alone hear of it, and knocks', async () => {
    const { founder, one, other, talk, heard } = await scene()
    const { roomId, knockId, state } = await talk()
    expect(state).toBe('waiting')
    const knocked = { type: 'knock.received', data: { knockId, from: one.id, roomId } }
    expect(await heard('user', /^knock/)).toMatchObject([knocked])
    expect(await heard('user', /^room/)).toMatchObject([
      { type: 'room.created', data: { roomId, temporary: true, locked: true } },
      { type: 'room.created', data: { roomId } },
    ])
    for (const person of [one, other])
      expect(await read(person, roomId)).toMatchObject({
        status: 200,
        body: { room: { temporary: true, locked: true, people: [] } },
      })
    expect(await read(founder, roomId)).toMatchObject(unknown)
    expect(await heard('org', /^room/)).toEqual([])
    await other.browser.call('answerKnock', { knockId, answer: 'accept' })
  })

  it('is one place for a pair, from either of them, also of many at once', async () => {
    const { one, other, talk } = await scene()
    await one.browser.call('setPresenceStatus', { status: 'online' })
    const asked = await Promise.all([talk(), talk(other, one), talk(), talk(other, one)])
    expect(new Set(asked.map(({ roomId }) => roomId)).size).toBe(1)
  })

  it('answers alike for who is busy, hidden and offline, and knocks at none of them', async () => {
    for (const status of ['busy', 'appear_offline', null] as const) {
      const { talk, heard, one } = await scene(status)
      const answer = await talk()
      expect(answer).toEqual({
        knockId: expect.any(String),
        roomId: expect.any(String),
        state: 'not-reachable',
      })
      expect(await heard('user', /^knock/)).toEqual([])
      expect((await read(one, answer.roomId)).status).toBe(200)
    }
  })

  it('shows no others where the two are, and the two each other', async () => {
    const { founder, one, other, talk, heard } = await scene()
    const { roomId } = await talk()
    await enterRoom(office, one, roomId)
    await enterRoom(office, other, roomId)
    const { room } = (await read(other, roomId)).body as { room: { people: { userId: string }[] } }
    expect(room.people.map(({ userId }) => userId)).toEqual([one.id, other.id])
    expect(await heard('org', /^(room|profile)\./)).toEqual([])
    expect((await heard('user', /^room\.entered/)).length).toBe(4)
    for (const { browser } of [founder, one]) {
      expect((await browser.call('listRooms')).rooms).toEqual([])
      const { data } = await browser.call('listMembers')
      for (const member of data) expect([member.roomId, member.activity]).toEqual([undefined, undefined])
    }
  })

  it('is no room of the organization: 404 to others, 409 to the two', async () => {
    const { founder, one, talk } = await scene()
    const { roomId } = await talk()
    const invite = (person: Person, orgId: string) =>
      person.browser.request('inviteGuest', { orgId, roomId, durationSeconds: 3_600 })
    for (const [person, answer] of [
      [founder, unknown],
      [one, refused],
    ] as const) {
      const { browser } = person
      expect(await browser.request('updateRoom', { roomId, seats: 3 })).toMatchObject(answer)
      expect(await browser.request('deleteRoom', { roomId })).toMatchObject(answer)
      expect(await browser.request('lockRoom', { roomId, locked: false })).toMatchObject(answer)
      expect(await browser.request('knockAtRoom', { roomId })).toMatchObject(answer)
      expect(await browser.request('startRecording', recordingOf(roomId))).toMatchObject(answer)
      expect(await invite(person, founder.organizationId)).toMatchObject(answer)
    }
    expect(await founder.browser.request('authorizeRoom', { username: 'X', roomId })).toMatchObject(unknown)
    await expect(guestLink(founder, roomId)).rejects.toThrow()
  })

  it('is gone a minute after the last of them has left, and not before', async () => {
    const { one, other, talk, heard } = await scene()
    const { roomId } = await talk()
    await enterRoom(office, one, roomId)
    office.clock.advance(90)
    await office.office.jobs.runNow('end-temporary-rooms')
    expect((await read(other, roomId)).status).toBe(200)
    await leaveRoom(office, one, roomId)
    office.clock.advance(121)
    await office.office.jobs.runNow('end-temporary-rooms')
    expect(await read(one, roomId)).toMatchObject(unknown)
    expect((await heard('user', /^room\.deleted/)).length).toBe(2)
    expect((await talk()).roomId).not.toBe(roomId)
  })

  it('ends with the membership of one of the two, who is put out', async () => {
    const { founder, one, other, talk } = await scene()
    const { roomId } = await talk()
    const { token } = await other.browser.call('authorizeRoom', { username: 'X', roomId })
    await joinRoom(office, token)
    await founder.browser.call('removeMember', { id: other.id })
    expect(await read(one, roomId)).toMatchObject(unknown)
    await until(async () => (await insideOf(office, roomId)).size === 0)
  })

  it('finds colleagues alone, and not oneself', async () => {
    const { one } = await scene()
    const stranger = await newFounder(office)
    expect(await one.browser.request('talk', { userId: stranger.id })).toMatchObject({
      status: 404,
      body: { error: 'member-not-found' },
    })
    expect((await one.browser.request('talk', { userId: one.id })).status).toBe(400)
  })

  it('makes no place at the moment of the removal of one of the two', async () => {
    const { one, other } = await scene()
    const ended = await hold(office, 'delete from memberships where user_id = $1', [other.id])
    const asked = one.browser.request('talk', { userId: other.id })
    await Promise.race([untilBlocked(office, 1), asked])
    await ended.commit()
    expect(await asked).toMatchObject({ status: 404, body: { error: 'member-not-found' } })
    const { rows } = await office.database.pool.query(
      'select id from rooms where $1 in (first_person_id, second_person_id)',
      [other.id],
    )
    expect(rows).toEqual([])
  })
})
