import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newRoom } from '../../../tests/chapters/rooms.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { auditOf, newFounder, newMember } from '../../../tests/people.ts'
import { recordOutbox } from '../../../tests/recorded-outbox.ts'

describe('updateRoom', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  it('changes what is given, and leaves the rest', async () => {
    const founder = await newFounder(office)
    const moderator = await newMember(office, founder, 'moderator')
    const metadata = { floor: 2, tags: ['quiet'] }
    const { room } = await founder.browser.call('createRoom', { name: 'kitchen', metadata })
    const update = (change: object) =>
      moderator.browser.call('updateRoom', { roomId: room.id, ...change }).then((answer) => answer.room)
    const renamed = await update({ name: '  Cafe\u0301 ' })
    expect(renamed).toMatchObject({ id: room.id, name: 'Café', metadata, people: [], recording: false })
    expect(await update({ metadata: {} })).toEqual({ ...renamed, metadata: {} })
    expect(await founder.browser.call('getRoom', { roomId: room.id })).toEqual({
      room: { ...renamed, metadata: {} },
    })
  })

  it('changes kind, seats and place, tells what is different, and moves no other room', async () => {
    const founder = await newFounder(office)
    const outbox = await recordOutbox(office.database)
    const [one, two, three] = [await newRoom(founder), await newRoom(founder), await newRoom(founder)]
    const update = (change: object) => founder.browser.call('updateRoom', { roomId: three.id, ...change })
    expect((await update({ kind: 'lounge', seats: 6, position: 1_500 })).room).toMatchObject({
      ...{ kind: 'lounge', seats: 6, position: 1_500 },
    })
    const { rooms } = await founder.browser.call('listRooms')
    expect(rooms.map(({ id, position }) => [id, position])).toEqual([
      [one.id, 1_000],
      [three.id, 1_500],
      [two.id, 2_000],
    ])
    expect((await update({ seats: null, kind: 'lounge' })).room.seats).toBeNull()
    const told = await outbox.events(`org:${founder.organizationId}`)
    expect(told.filter(({ type }) => type === 'room.updated').map(({ data }) => data)).toEqual([
      { roomId: three.id, kind: 'lounge', seats: 6, position: 1_500 },
      { roomId: three.id, seats: null },
    ])
  })

  it('writes down who renamed it, and nothing where nothing changed', async () => {
    const founder = await newFounder(office)
    const { id: roomId, name } = await newRoom(founder)
    await founder.browser.call('updateRoom', { roomId, name })
    await founder.browser.call('updateRoom', { roomId, metadata: {} })
    await founder.browser.call('updateRoom', { roomId })
    const entries = async () => (await auditOf(founder)).filter(({ action }) => action === 'room.updated')
    expect(await entries()).toEqual([])
    await founder.browser.call('updateRoom', { roomId, name: 'Attic' })
    expect(await entries()).toMatchObject([
      { target: { kind: 'room', id: roomId }, detail: { name: 'Attic', formerName: name } },
    ])
  })

  it('writes down what was changed, and no metadata', async () => {
    const founder = await newFounder(office)
    const { id: roomId, name } = await newRoom(founder)
    const changes = [
      { sealed: true },
      { agentDispatch: 'always' as const, kind: 'lounge' as const },
      { seats: 6, position: 1_500 },
      { seats: null, metadata: { of: 'Ada' } },
    ]
    for (const change of changes) await founder.browser.call('updateRoom', { roomId, ...change })
    const entries = (await auditOf(founder)).filter(({ action }) => action === 'room.updated')
    expect(entries.map(({ detail }) => detail)).toEqual([
      { name, sealed: 'true' },
      { name, agentDispatch: 'always', kind: 'lounge' },
      { name, seats: 6, position: 1_500 },
      { name, seats: null, metadata: 'changed' },
    ])
  })

  it('refuses a name that another room has, of many at once too, and takes it from other organizations', async () => {
    const [one, other] = [await newFounder(office), await newFounder(office)]
    await other.browser.call('createRoom', { name: 'lounge' })
    const rooms = [await newRoom(one), await newRoom(one), await newRoom(one)]
    const answers = await Promise.all(
      rooms.map(({ id }) => one.browser.request('updateRoom', { roomId: id, name: 'lounge' })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({ error: 'room-exists' })
  })

  it('holds the metadata of all rooms together to 1 MiB, of two at once too; what is beyond it stays, and can be less', async () => {
    const founder = await newFounder(office)
    const { browser } = founder
    const [one, other] = [await newRoom(founder), await newRoom(founder)]
    const bytes = (count: number) => ({ metadata: { a: 'y'.repeat(count) } })
    const fill = (count: number) =>
      office.database.pool.query(
        `update rooms set metadata = jsonb_build_object('a', repeat('y', $2::int)) where id = $1`,
        [other.id, count],
      )
    const refused = { status: 400, body: { details: [{ field: 'metadata' }] } }
    await fill(1_024 * 1_024 - 3_000)
    const atOnce = [
      browser.request('updateRoom', { roomId: one.id, ...bytes(2_000) }),
      browser.request('createRoom', { name: 'Attic', ...bytes(2_000) }),
    ]
    expect((await Promise.all(atOnce)).filter(({ status }) => status === 400)).toMatchObject([refused])
    await fill(2 * 1_024 * 1_024)
    expect(await browser.request('createRoom', { name: 'Cellar', ...bytes(1) })).toMatchObject(refused)
    expect((await browser.request('createRoom', { name: 'Cellar' })).status).toBe(200)
    expect((await browser.request('updateRoom', { roomId: other.id, name: 'Shed' })).status).toBe(200)
    expect((await browser.request('updateRoom', { roomId: other.id, ...bytes(16_000) })).status).toBe(200)
    expect((await browser.request('createRoom', { name: 'Roof', ...bytes(1) })).status).toBe(200)
  })

  it.each([
    ['an empty name', { name: '' }],
    ['an invisible character', { name: 'kitchen\u200b' }],
    ['a UUID', { name: '00000000-0000-4000-8000-000000000000' }],
    ['metadata that is a list', { metadata: [1] }],
    ['metadata of more than 16 KiB', { metadata: { a: 'y'.repeat(16_384) } }],
    ['a NUL in metadata', { metadata: { a: ['b\0'] } }],
    ['a desk', { kind: 'desk' }],
    ['no seats', { seats: 0 }],
    ['a place beyond the last', { position: 1_000_001 }],
  ])('refuses %s', async (_what, change) => {
    const founder = await newFounder(office)
    const { id: roomId } = await newRoom(founder)
    expect(await founder.browser.request('updateRoom', { roomId, ...change } as never)).toMatchObject({
      status: 400,
      body: { error: 'invalid-input' },
    })
  })

  it('knows no room of another organization', async () => {
    const founder = await newFounder(office)
    const { id: roomId } = await newRoom(await newFounder(office))
    expect(await founder.browser.request('updateRoom', { roomId, name: 'Mine' })).toMatchObject({
      status: 404,
      body: { error: 'room-not-found' },
    })
  })
})
