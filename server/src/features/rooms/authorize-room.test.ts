import { jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { atMedia, claimsOf, insideOf, joinRoom, newRoom } from '../../../tests/chapters/rooms.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, newMember, newPerson } from '../../../tests/people.ts'

describe('authorizeRoom', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  it('mints a token for one room, ten minutes, in which every right is named', async () => {
    const founder = await newFounder(office)
    const member = await newMember(office, founder, 'member')
    const { id: roomId } = await newRoom(founder)
    const answer = await member.browser.call('authorizeRoom', { username: ' Ada ', roomId })
    const { apiKey, apiSecret } = office.office.config.media as {
      apiKey: string
      apiSecret: { reveal(): string }
    }
    const { payload, protectedHeader } = await jwtVerify(
      answer.token,
      new TextEncoder().encode(apiSecret.reveal()),
    )
    expect(protectedHeader.alg).toBe('HS256')
    expect(payload).toMatchObject({ iss: apiKey, sub: member.id, name: 'Ada' })
    expect(payload.video).toEqual({
      roomJoin: true,
      room: roomId,
      canPublish: true,
      canSubscribe: true,
      canPublishData: true,
      canUpdateOwnMetadata: false,
      hidden: false,
    })
    expect((payload.exp as number) - (payload.nbf ?? payload.iat ?? 0)).toBe(600)
    expect(answer.url).toMatch(/^ws:/)
  })

  it('opens the room, so that the token can be used at once', async () => {
    const founder = await newFounder(office)
    const { id: roomId } = await newRoom(founder)
    const { token } = await founder.browser.call('authorizeRoom', { username: 'Ada', roomId })
    const connection = await joinRoom(office, token)
    const inside = await insideOf(office, roomId)
    expect(inside.get(founder.id)).toMatchObject({
      sid: connection,
      name: 'Ada',
      kind: 'person',
      mayPublish: true,
    })
    expect([...inside.keys()]).toEqual([founder.id])
  })

  it('names a second connection of the same person beside the first', async () => {
    const founder = await newFounder(office)
    const { id: roomId } = await newRoom(founder)
    const join = async (input: object) =>
      joinRoom(
        office,
        (await founder.browser.call('authorizeRoom', { username: 'Ada', roomId, ...input })).token,
      )
    await join({})
    await join({ connection: 'tablet' })
    expect([...(await insideOf(office, roomId)).keys()].sort()).toEqual([founder.id, `${founder.id}#tablet`])
    for (const connection of ['', '#', 'a b', 'x'.repeat(33)])
      expect(
        await founder.browser.request('authorizeRoom', { username: 'Ada', roomId, connection }),
      ).toMatchObject({ status: 400, body: { error: 'invalid-input' } })
  })

  it('lets an automatic return take nothing over from another device', async () => {
    const founder = await newFounder(office)
    const { id: roomId } = await newRoom(founder)
    const ask = (more: object) =>
      founder.browser.request('authorizeRoom', { username: 'Ada', roomId, ...more })
    const tokenOf = async (more = {}) => ((await ask(more)).body as { token: string }).token
    const lid = await joinRoom(office, await tokenOf())
    const back = { returning: { participantSid: lid } }
    expect((await ask(back)).status).toBe(200)
    await joinRoom(office, await tokenOf())
    expect(await ask(back)).toMatchObject({ status: 409, body: { error: 'already-inside' } })
    expect((await ask({ ...back, connection: 'screen' })).status).toBe(200)
    expect((await ask({})).status).toBe(200)
    await atMedia(office, 'leave', { room: roomId, identity: founder.id })
    expect((await ask(back)).status).toBe(200)
  })

  it('opens it again after the media server has lost everything', async () => {
    const founder = await newFounder(office)
    const { id: roomId } = await newRoom(founder)
    const { token } = await founder.browser.call('authorizeRoom', { username: 'Ada', roomId })
    await atMedia(office, 'crash', {})
    expect((await atMedia(office, 'join', { token })).status).toBe(404)
    await founder.browser.call('authorizeRoom', { username: 'Ada', roomId })
    expect((await atMedia(office, 'join', { token })).status).toBe(200)
  })

  it('takes the id in any case, and mints for the one that is stored', async () => {
    const founder = await newFounder(office)
    const { id } = await newRoom(founder)
    const { token } = await founder.browser.call('authorizeRoom', {
      username: 'Ada',
      roomId: id.toUpperCase(),
    })
    expect(claimsOf(token).video.room).toBe(id)
  })

  it.each([
    ['a room that does not exist', () => '00000000-0000-4000-8000-000000000000'],
    ['no id at all', () => 'kitchen'],
    ['SQL', () => "' or 1=1 --"],
  ])('does not find %s', async (_what, roomId) => {
    const founder = await newFounder(office)
    const asked = { username: 'Ada', roomId: roomId() }
    expect(await founder.browser.request('authorizeRoom', asked)).toMatchObject({
      status: 404,
      body: { error: 'room-not-found' },
    })
  })

  it('does not find the room of another organization', async () => {
    const [one, other] = [await newFounder(office), await newFounder(office)]
    const { id: roomId } = await newRoom(one)
    expect((await other.browser.request('authorizeRoom', { username: 'Eve', roomId })).status).toBe(404)
  })

  it.each([
    ['no name', { roomId: 'x' }],
    ['an empty name', { username: '', roomId: 'x' }],
    ['a name of spaces', { username: '   ', roomId: 'x' }],
    ['a name that turns around', { username: 'a\u202eb', roomId: 'x' }],
    ['a name of 101 characters', { username: 'x'.repeat(101), roomId: 'x' }],
    ['no room', { username: 'Ada' }],
    ['a room that is a number', { username: 'Ada', roomId: 5 }],
  ])('refuses %s', async (_what, input) => {
    const founder = await newFounder(office)
    expect((await founder.browser.request('authorizeRoom', input as never)).status).toBe(400)
  })

  it('is for people in an organization', async () => {
    const asked = { username: 'Ada', roomId: 'x' }
    expect((await office.browser().request('authorizeRoom', asked)).status).toBe(401)
    const { browser } = await newPerson(office)
    expect((await browser.request('authorizeRoom', asked)).status).toBe(403)
  })

  it('says so where the media server is away or slow, and works again after', async () => {
    const founder = await newFounder(office)
    const { id: roomId } = await newRoom(founder)
    const ask = () => founder.browser.request('authorizeRoom', { username: 'Ada', roomId })
    await atMedia(office, 'faults', { calls: 'refused' })
    expect(await ask()).toMatchObject({ status: 503, body: { error: 'provider-unavailable' } })
    const health = await fetch(`${office.baseUrl}/health/ready`)
    expect(health.status).toBe(200)
    expect(await health.json()).toMatchObject({ status: 'ready', parts: { media: 'degraded' } })
    await atMedia(office, 'faults', { calls: 'answered' })
    expect((await ask()).status).toBe(200)
    expect(await (await fetch(`${office.baseUrl}/health/ready`)).json()).toMatchObject({
      parts: { media: 'ok' },
    })
  })
})
