import { operationEntries } from '@atrium/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, newMember, newPerson, type Person } from '../../../tests/people.ts'

let office: TestOffice
let founder: Awaited<ReturnType<typeof newFounder>>
beforeAll(async () => {
  office = await openTestOffice()
  founder = await newFounder(office)
})
afterAll(() => office.close())

let count = 0
const fresh = (what: string) => `${what} ${++count}`

/** Makes a room under a key. */
async function makeRoom(person: Pick<Person, 'browser'>, idempotencyKey: string, name: string) {
  const { status, headers, body } = await person.browser.request('createRoom', { name }, { idempotencyKey })
  return { status, replayed: headers.get('idempotency-replayed'), body }
}

async function roomsOf(): Promise<number> {
  const { rows } = await office.database.pool.query('select count(*)::int as count from rooms')
  return rows[0].count
}

describe('an Idempotency-Key', () => {
  it('makes one thing of the same request sent twice, and the second gets the reply of the first', async () => {
    const [key, name] = [fresh('key'), fresh('Room')]
    const before = await roomsOf()
    const first = await makeRoom(founder, key, name)
    const second = await makeRoom(founder, key, name)
    expect(first).toMatchObject({ status: 200, replayed: null })
    expect(second).toEqual({ ...first, replayed: 'true' })
    expect(await roomsOf()).toBe(before + 1)
  })

  it('makes one thing of many at the same time: the others hear that it is under way, or get its reply', async () => {
    const [key, name] = [fresh('key'), fresh('Room')]
    const before = await roomsOf()
    const answers = await Promise.all(Array.from({ length: 50 }, () => makeRoom(founder, key, name)))
    expect(await roomsOf()).toBe(before + 1)
    expect(answers.filter(({ status, replayed }) => status === 200 && replayed === null)).toHaveLength(1)
    for (const { status, replayed, body } of answers)
      if (replayed === null && status !== 200)
        expect([status, body]).toMatchObject([409, { error: 'idempotency-key-in-use' }])
  })

  it('refuses other input under the same key, and changes nothing', async () => {
    const [key, name] = [fresh('key'), fresh('Room')]
    await makeRoom(founder, key, name)
    const before = await roomsOf()
    expect(await makeRoom(founder, key, fresh('Room'))).toMatchObject({
      status: 422,
      body: { code: 422, error: 'idempotency-key-reused' },
    })
    expect(await roomsOf()).toBe(before)
  })

  it('takes input for the same that handlers read as the same', async () => {
    const [key, name] = [fresh('key'), fresh('Café')]
    const first = await makeRoom(founder, key, name)
    for (const spelt of [`  ${name}\t`, name.normalize('NFD')])
      expect(await makeRoom(founder, key, spelt)).toEqual({ ...first, replayed: 'true' })
    expect(await makeRoom(founder, key, name.toUpperCase())).toMatchObject({ status: 422 })

    const invite = (input: { email: string } | { emails: string[] }, idempotencyKey: string) =>
      founder.browser.request('sendInvitation', input, { idempotencyKey })
    const replayed = async (answer: ReturnType<typeof invite>) => {
      const { status, headers } = await answer
      return [status, headers.get('idempotency-replayed')]
    }
    const [one, many] = [fresh('key'), fresh('key')]
    expect(await replayed(invite({ email: 'joan@example.com' }, one))).toEqual([200, null])
    expect(await replayed(invite({ email: ' Joan@Example.com ' }, one))).toEqual([200, 'true'])
    expect(await replayed(invite({ email: 'jo.an@example.com' }, one))).toEqual([422, null])
    expect(await replayed(invite({ emails: ['a@example.com', 'b@example.com'] }, many))).toEqual([200, null])
    expect(await replayed(invite({ emails: ['A@example.com', ' b@example.com'] }, many))).toEqual([
      200,
      'true',
    ])
  })

  it('tells metadata that differ by spaces apart: they are kept as they are', async () => {
    const [idempotencyKey, name] = [fresh('key'), fresh('Room')]
    const make = (floor: string) =>
      founder.browser.request('createRoom', { name, metadata: { floor } }, { idempotencyKey })
    expect((await make('first')).status).toBe(200)
    expect((await make(' first')).status).toBe(422)
  })

  it('keeps no refusal: what failed may be sent again under its key', async () => {
    const [key, name] = [fresh('key'), fresh('Room')]
    await makeRoom(founder, fresh('key'), name)
    expect(await makeRoom(founder, key, name)).toMatchObject({ status: 409, body: { error: 'room-exists' } })
    expect(await makeRoom(founder, key, fresh('Room'))).toMatchObject({ status: 200, replayed: null })
  })

  it('is of one person, one organization and one operation', async () => {
    const key = fresh('key')
    const member = await newMember(office, founder, 'member')
    const stranger = await newFounder(office)
    for (const person of [founder, member, stranger])
      expect(await makeRoom(person, key, fresh('Room'))).toMatchObject({ status: 200, replayed: null })
    const made = await founder.browser.request(
      'createOrganization',
      { name: 'Second' },
      { idempotencyKey: key },
    )
    expect(made).toMatchObject({ status: 200 })
  })

  it('is another one of the same person in another organization', async () => {
    const person = await newFounder(office)
    const [key, name] = [fresh('key'), fresh('Room')]
    const first = await makeRoom(person, key, name)
    const { email, organizationId } = person
    const { id: second } = await person.browser.call('createOrganization', { name: 'Second' })
    await person.browser.call('switchOrganization', { email, organizationId: second })
    const there = await makeRoom(person, key, name)
    expect(there).toMatchObject({ status: 200, replayed: null })
    expect(there.body).not.toEqual(first.body)
    await person.browser.call('switchOrganization', { email, organizationId })
    expect(await makeRoom(person, key, name)).toEqual({ ...first, replayed: 'true' })
  })

  it('makes one organization, though the first one is active when the request is sent again', async () => {
    const person = await newPerson(office)
    const found = async () => {
      const { status, body, headers } = await person.browser.request(
        'createOrganization',
        { name: 'First' },
        { idempotencyKey: 'the-same-key' },
      )
      return { status, body, replayed: headers.get('idempotency-replayed') }
    }
    const first = await found()
    expect(first).toMatchObject({ status: 200, replayed: null })
    expect(await found()).toEqual({ ...first, replayed: 'true' })
    const { id: second } = await person.browser.call('createOrganization', { name: 'Second' })
    await person.browser.call('switchOrganization', { email: person.email, organizationId: second })
    expect(await found()).toEqual({ ...first, replayed: 'true' })
    expect((await person.browser.call('listOrganizations')).length).toBe(2)
  })

  it('is forgotten after a day', async () => {
    const [key, name] = [fresh('key'), fresh('Room')]
    await makeRoom(founder, key, name)
    office.clock.advance(24 * 3_600 - 60)
    expect(await makeRoom(founder, key, name)).toMatchObject({ status: 200, replayed: 'true' })
    office.clock.advance(120)
    expect(await makeRoom(founder, key, name)).toMatchObject({ status: 409, body: { error: 'room-exists' } })
  })

  it('of a request of a dead process is free again after a minute', async () => {
    const [key, name] = [fresh('key'), fresh('Room')]
    await makeRoom(founder, key, name)
    await office.database.pool.query(
      `update idempotent_replies set status = null, sealed_body = null, lease = gen_random_uuid(),
        lease_until = $1 where created_at = (select max(created_at) from idempotent_replies)`,
      [new Date(office.clock.now().getTime() + 60_000)],
    )
    expect(await makeRoom(founder, key, name)).toMatchObject({
      status: 409,
      body: { error: 'idempotency-key-in-use' },
    })
    office.clock.advance(61)
    expect(await makeRoom(founder, key, name)).toMatchObject({ status: 409, body: { error: 'room-exists' } })
  })

  it('has 1 to 255 characters', async () => {
    expect(await makeRoom(founder, 'x'.repeat(255), fresh('Room'))).toMatchObject({ status: 200 })
    expect(await makeRoom(founder, 'x'.repeat(256), fresh('Room'))).toMatchObject({
      status: 400,
      body: { error: 'invalid-idempotency-key' },
    })
  })

  it('comes after session and role: no caller learns by it what another has done', async () => {
    const key = fresh('key')
    expect(await makeRoom({ browser: office.browser() }, key, fresh('Room'))).toMatchObject({ status: 401 })
  })

  it('is kept sealed: no name of what was made stands in its row', async () => {
    const name = fresh('Secret plans')
    await makeRoom(founder, fresh('key'), name)
    const { rows } = await office.database.pool.query(
      `select encode(sealed_body, 'escape') as body from idempotent_replies where sealed_body is not null`,
    )
    expect(rows.length).toBeGreaterThan(0)
    for (const { body } of rows) expect(body).not.toContain('Secret')
  })

  it('is allowed to pages of other origins, and its answer readable by them', async () => {
    const origin = office.office.config.frontendUrl
    const preflight = await fetch(`${office.baseUrl}/api/v1/rtc/room-create`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'idempotency-key',
      },
    })
    expect(preflight.headers.get('access-control-allow-headers')).toContain('idempotency-key')
    const answer = await fetch(`${office.baseUrl}/health/live`, { headers: { origin } })
    expect(answer.headers.get('access-control-expose-headers')).toContain('idempotency-replayed')
  })

  it('is never looked at where a token or a secret is answered, nor by public operations', () => {
    const idempotent = operationEntries.filter(([, declared]) => declared.idempotent)
    expect(idempotent.map(([id]) => id).sort()).toEqual([
      'createOrganization',
      'createRoom',
      'sendInvitation',
      'startRecording',
    ])
    for (const [, declared] of idempotent) expect(declared.access.kind).not.toBe('public')
  })
})
