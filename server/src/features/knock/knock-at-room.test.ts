import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  atMedia,
  enterRoom,
  joinRoom,
  leaveRoom,
  lockedRoom,
  newRoom,
} from '../../../tests/chapters/rooms.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, type Person } from '../../../tests/people.ts'
import { type RecordedOutbox, recordOutbox } from '../../../tests/recorded-outbox.ts'
import { until } from '../../../tests/until.ts'

describe('knockAtRoom', () => {
  let office: TestOffice
  let outbox: RecordedOutbox
  beforeAll(async () => {
    office = await openTestOffice()
    outbox = await recordOutbox(office.database)
    await until(async () => office.office.jobs.isLeader())
  })
  afterAll(() => office.close())

  type Somebody = Pick<Person, 'browser' | 'id'>
  const asks = ({ browser }: Somebody, roomId: string) =>
    browser.request('authorizeRoom', { username: 'Somebody', roomId })
  const peopleIn = async ({ browser }: Somebody, roomId: string) =>
    (await browser.call('getRoom', { roomId })).room.people.map(({ userId }) => userId)
  const knock = ({ browser }: Somebody, roomId: string) => browser.call('knockAtRoom', { roomId })
  const heard = async ({ organizationId }: { organizationId: string }) =>
    (await outbox.events(`user:${organizationId}`)).filter(({ type }) => type.startsWith('knock.'))
  const closed = { status: 403, body: { error: 'room-locked' } }

  // first: the stand-in of the media server goes by the real clock
  it('ends also where it was heard by a member who has left since, and not where it was not', async () => {
    const { founder, inside, outside, moderator, roomId } = await lockedRoom(office)
    await enterRoom(office, moderator, roomId)
    const { knockId } = await knock(outside, roomId)
    await leaveRoom(office, moderator, roomId)
    await inside.browser.call('answerKnock', { knockId, answer: 'no' })
    const told = async (type: string) =>
      new Set((await heard(founder)).filter((event) => event.type === type).map(({ channel }) => channel))
    const received = await told('knock.received')
    expect(received.size).toBe(2)
    const ended = await told('knock.ended')
    // and who knocked
    expect(ended.size).toBe(3)
    expect([...ended]).toEqual(expect.arrayContaining([...received]))
  })

  it('is heard by all inside, whatever their status; accepted, it opens the door once', async () => {
    const { founder, inside, outside, moderator, roomId } = await lockedRoom(office)
    await inside.browser.call('setPresenceStatus', { status: 'busy' })
    await enterRoom(office, moderator, roomId)
    const { knockId, state } = await knock(outside, roomId)
    expect(state).toBe('waiting')
    expect(await knock(outside, roomId)).toEqual({ knockId, state })
    const received = { type: 'knock.received', data: { knockId, from: outside.id, roomId, door: true } }
    expect((await heard(founder)).map(({ type, data }) => ({ type, data }))).toEqual([received, received])
    expect(await founder.browser.request('answerKnock', { knockId, answer: 'accept' })).toMatchObject({
      status: 404,
      body: { error: 'knock-not-found' },
    })
    expect(await outside.browser.request('answerKnock', { knockId, answer: 'accept' })).toMatchObject({
      status: 404,
    })
    expect(await asks(outside, roomId)).toMatchObject(closed)
    expect((await inside.browser.request('answerKnock', { knockId, answer: 'accept' })).status).toBe(204)
    expect(await moderator.browser.request('answerKnock', { knockId, answer: 'no' })).toMatchObject({
      status: 409,
      body: { error: 'knock-ended' },
    })
    const ended = (await heard(founder)).filter(({ type }) => type === 'knock.ended')
    expect(new Set(ended.map(({ channel }) => channel)).size).toBe(3)
    const answers = await Promise.all([asks(outside, roomId), asks(outside, roomId)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403])
    const token = answers.find(({ status }) => status === 200)?.body as { token: string }
    office.clock.advance(5)
    await joinRoom(office, token.token)
    await until(async () => (await peopleIn(inside, roomId)).includes(outside.id))
  })

  it('opens the door for one token, which a media server that does not answer leaves unspent', async () => {
    const { inside, outside, roomId } = await lockedRoom(office)
    const { knockId } = await knock(outside, roomId)
    await inside.browser.call('answerKnock', { knockId, answer: 'accept' })
    await atMedia(office, 'faults', { calls: 'refused' })
    const back = { username: 'Somebody', roomId, returning: { participantSid: 'PA_before' } }
    expect(await outside.browser.request('authorizeRoom', back)).toMatchObject({ status: 503 })
    await atMedia(office, 'faults', { calls: 'answered' })
    expect(await asks(outside, roomId)).toMatchObject({ status: 200 })
    expect(await asks(outside, roomId)).toMatchObject(closed)
  })

  it('is not opened by who has been put out, though the media server has not said so yet', async () => {
    const { founder, inside, outside, moderator, roomId } = await lockedRoom(office)
    await enterRoom(office, moderator, roomId)
    const { knockId } = await knock(outside, roomId)
    await founder.browser.call('removeFromRoom', { roomId, userId: inside.id })
    expect(await inside.browser.request('answerKnock', { knockId, answer: 'accept' })).toMatchObject({
      status: 404,
    })
    expect(await asks(outside, roomId)).toMatchObject(closed)
    expect((await moderator.browser.request('answerKnock', { knockId, answer: 'accept' })).status).toBe(204)
  })

  it('opens the door for a minute, and not where it is answered by no', async () => {
    const { inside, outside, roomId } = await lockedRoom(office)
    const first = await knock(outside, roomId)
    await inside.browser.call('answerKnock', { knockId: first.knockId, answer: 'no' })
    expect(await asks(outside, roomId)).toMatchObject(closed)
    const { knockId } = await knock(outside, roomId)
    await inside.browser.call('answerKnock', { knockId, answer: 'accept' })
    office.clock.advance(61)
    expect(await asks(outside, roomId)).toMatchObject(closed)
  })

  it('reaches no member of an empty room, and finds no rooms of others', async () => {
    const founder = await newFounder(office)
    const { id: roomId } = await newRoom(founder)
    expect(await knock(founder, roomId)).toMatchObject({ state: 'not-reachable' })
    const stranger = await newFounder(office)
    expect(await stranger.browser.request('knockAtRoom', { roomId })).toMatchObject({ status: 404 })
  })
})
