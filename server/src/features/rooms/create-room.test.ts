import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, newMember, newPerson } from '../../../tests/people.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

describe('createRoom', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  it('makes a room with its metadata, by whoever is a member', async () => {
    const founder = await newFounder(office)
    const guest = await newMember(office, founder, 'guest')
    const metadata = { displayName: 'The Kitchen', capacity: 8, tags: ['a', { b: null }], ключ: true }
    const { room } = await guest.browser.call('createRoom', { name: 'kitchen', metadata })
    expect(room).toEqual({
      id: expect.stringMatching(UUID),
      name: 'kitchen',
      metadata,
      kind: 'meeting',
      seats: 8,
      position: 1_000,
      locked: false,
      sealed: false,
      temporary: false,
      ownerId: null,
    })
    const { rows } = await office.database.pool.query('select metadata from rooms where id = $1', [room.id])
    expect(rows[0].metadata).toEqual(metadata)
  })

  it('gives metadata back whatever its fields are called', async () => {
    const { browser } = await newFounder(office)
    const metadata = {
      '': 1,
      'two\nlines': { 'two\nlines': 2 },
      '\u2028': [3],
      __proto__x: 4,
      ['constructor']: { prototype: 1, b: { constructor: { prototype: {} } } },
    }
    const { room } = await browser.call('createRoom', { name: 'Odd', metadata })
    expect(room.metadata).toEqual(metadata)
    expect((await browser.call('getRoom', { roomId: room.id })).room.metadata).toEqual(metadata)
    expect((await browser.call('listRooms', {})).rooms.map((one) => one.metadata)).toContainEqual(metadata)
  })

  it('has the kind, the seats and the place that are given, and comes last where no place is', async () => {
    const { browser } = await newFounder(office)
    const make = async (more: object) =>
      (await browser.call('createRoom', { name: `Room ${randomUUID()}`, ...more })).room
    expect(await make({ kind: 'stage', seats: 500, position: 0 })).toMatchObject({
      ...{ kind: 'stage', seats: 500, position: 0 },
    })
    const last = await make({ position: 1_000_000 })
    const [first, second] = [await make({ position: 7 }), await make({})]
    expect(second).toMatchObject({ kind: 'meeting', seats: null, position: 1_000_000 })
    const ids = (await browser.call('listRooms')).rooms.map(({ id }) => id)
    expect(ids.slice(1)).toEqual([first.id, last.id, second.id])
  })

  it('takes seats from a capacity in the metadata where it is a number of seats, and none were given', async () => {
    const { browser } = await newFounder(office)
    const seats = async (capacity: unknown, more: object = {}) =>
      (await browser.call('createRoom', { name: `Room ${randomUUID()}`, metadata: { capacity }, ...more }))
        .room.seats
    expect(await Promise.all([1, 500, 0, 501, 2.5, '8', null].map((capacity) => seats(capacity)))).toEqual([
      ...[1, 500, null, null, null, null, null],
    ])
    expect(await seats(8, { seats: 3 })).toBe(3)
  })

  it.each([
    ['a desk', { kind: 'desk' }],
    ['a kind of its own', { kind: 'lair' }],
    ['no seats', { seats: 0 }],
    ['501 seats', { seats: 501 }],
    ['half a seat', { seats: 1.5 }],
    ['seats in words', { seats: '4' }],
    ['a place before all', { position: -1 }],
    ['a place beyond the last', { position: 1_000_001 }],
  ])('refuses %s', async (_what, more) => {
    const { browser } = await newFounder(office)
    expect((await browser.request('createRoom', { name: 'kitchen', ...(more as object) })).status).toBe(400)
    expect((await browser.call('listRooms')).rooms).toEqual([])
  })

  it('lets moderators choose the place, and nobody below', async () => {
    const founder = await newFounder(office)
    const [member, moderator] = [
      await newMember(office, founder, 'member'),
      await newMember(office, founder, 'moderator'),
    ]
    const answer = await member.browser.request('createRoom', { name: 'kitchen', position: 5 })
    expect(answer).toMatchObject({ status: 403, body: { error: 'role-not-allowed' } })
    expect((await moderator.browser.call('createRoom', { name: 'kitchen', position: 5 })).room.position).toBe(
      5,
    )
  })

  it('has empty metadata where none is given', async () => {
    const { browser } = await newFounder(office)
    expect((await browser.call('createRoom', { name: 'bare' })).room.metadata).toEqual({})
  })

  it.each([
    ['spaces between words', 'a  b'],
    ['slashes and dots', '../../etc/passwd'],
    ['quotes', `'"; drop table rooms; --`],
    ['scripts and emoji', '会議室 🏢 קולנוע 👩‍💻'],
    ['255 of them', '🏢'.repeat(255)],
  ])('takes a name of any characters that can be read: %s', async (_what, name) => {
    const { browser } = await newFounder(office)
    expect((await browser.call('createRoom', { name })).room.name).toBe(name)
    expect((await browser.request('createRoom', { name })).status).toBe(409)
  })

  it('keeps a name without the spaces around it, and in one form', async () => {
    const { browser } = await newFounder(office)
    expect((await browser.call('createRoom', { name: '  Cafe\u0301 ' })).room.name).toBe('Café')
    expect((await browser.request('createRoom', { name: 'Café' })).status).toBe(409)
  })

  it('has each name once in an organization, and knows nothing of others', async () => {
    const [one, other] = [await newFounder(office), await newFounder(office)]
    const { room } = await one.browser.call('createRoom', { name: 'lounge' })
    expect(await one.browser.request('createRoom', { name: 'lounge' })).toMatchObject({
      status: 409,
      body: { error: 'room-exists' },
    })
    const theirs = await other.browser.call('createRoom', { name: 'lounge' })
    expect(theirs.room.id).not.toBe(room.id)
  })

  it('makes at most a thousand of an organization, also where two come at once', async () => {
    const { browser, organizationId } = await newFounder(office)
    const { room } = await browser.call('createRoom', { name: 'first' })
    await office.database.pool.query(
      `insert into rooms (id, organization_id, name, metadata, created_at)
      select gen_random_uuid(), o.id, 'room ' || n, '{}', now() from organizations o, generate_series(1, 998) n
      where o.identity_organization_id = $1`,
      [organizationId],
    )
    const make = (name: string) => browser.request('createRoom', { name })
    const answers = await Promise.all([make('one'), make('other')])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({ error: 'too-many-rooms' })
    await browser.call('deleteRoom', { roomId: room.id })
    expect((await make('in its place')).status).toBe(200)
  })

  it('makes one of many at once', async () => {
    const { browser } = await newFounder(office)
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => browser.request('createRoom', { name: 'race' })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)])
  })

  it.each([
    ['no name', {}],
    ['an empty name', { name: '' }],
    ['a name that is no text', { name: 5 }],
    ['256 characters', { name: 'x'.repeat(256) }],
    ['a NUL', { name: 'a\0b' }],
    ['half a character', { name: '\ud800' }],
    ['only spaces', { name: '   ' }],
    ['line breaks', { name: 'a\nb' }],
    ['a turned direction', { name: 'a\u202eb' }],
    ['an invisible character', { name: 'kitchen\u200b' }],
    ['a UUID', { name: '00000000-0000-4000-8000-000000000000' }],
    ['a UUID in capitals', { name: '0B6F8F0E-6F5F-4C57-9A3A-5F6F2E1D7A10' }],
    ['metadata that is a text', { name: 'x', metadata: 'y' }],
    ['metadata that is a list', { name: 'x', metadata: [1] }],
    ['metadata that is null', { name: 'x', metadata: null }],
    ['a NUL in metadata', { name: 'x', metadata: { a: ['b\0'] } }],
    ['a NUL in a key of metadata', { name: 'x', metadata: { 'a\0': 1 } }],
    ['half a character in metadata', { name: 'x', metadata: { a: '\udc00' } }],
    ['metadata of more than 16 KiB', { name: 'x', metadata: { a: 'y'.repeat(16_384) } }],
    [
      'metadata nested too deep',
      { name: 'x', metadata: JSON.parse(`{"a":${'['.repeat(40)}${']'.repeat(40)}}`) },
    ],
  ])('refuses %s', async (_what, input) => {
    const { browser } = await newFounder(office)
    expect(await browser.request('createRoom', input as never)).toMatchObject({
      status: 400,
      body: { code: 400, error: 'invalid-input' },
    })
  })

  it('refuses numbers in metadata that it could only keep as null', async () => {
    const founder = await newFounder(office)
    const headers = { 'content-type': 'application/json', cookie: `atrium_session=${founder.cookie}` }
    const body = '{"name": "x", "metadata": {"a": [1e400]}}'
    const answer = await fetch(`${office.baseUrl}/api/v1/rtc/room-create`, { method: 'POST', headers, body })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ error: 'invalid-input', details: [{ field: 'metadata' }] })
  })

  it('keeps text that only looks like what cannot be kept', async () => {
    const { browser } = await newFounder(office)
    const metadata = { a: '\\u0000', b: '\\\\ud800' }
    expect((await browser.call('createRoom', { name: 'x', metadata })).room.metadata).toEqual(metadata)
  })

  it('is for people in an organization', async () => {
    expect((await office.browser().request('createRoom', { name: 'x' })).status).toBe(401)
    const { browser } = await newPerson(office)
    expect(await browser.request('createRoom', { name: 'x' })).toMatchObject({
      status: 403,
      body: { error: 'no-active-organization' },
    })
  })
})
