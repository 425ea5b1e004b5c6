import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hold, untilBlocked } from '../../../tests/held-locks.ts'
import { freshEmail, openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { auditOf, newFounder, type Person } from '../../../tests/people.ts'

describe('createServiceToken', () => {
  let office: TestOffice
  let founder: Person & { organizationId: string }
  beforeAll(async () => {
    office = await openTestOffice()
    founder = await newFounder(office)
  })
  afterAll(() => office.close())

  it('makes a token that is shown once, and acts for the organization', async () => {
    const answer = await founder.browser.request('createServiceToken', {
      name: '  Payroll ',
      operations: ['listMembers', 'createRoom', 'listMembers'],
    })
    expect(answer).toMatchObject({ status: 201, body: { token: expect.stringMatching(/^atr_[\w-]{49}$/) } })
    const { id, token } = answer.body as { id: string; token: string }
    const { data } = await office.program(token).call('listMembers')
    expect(data.map((member) => member.id)).toEqual([founder.id])

    const { tokens } = await founder.browser.call('listServiceTokens')
    expect(tokens).toEqual([
      {
        id,
        name: 'Payroll',
        operations: ['createRoom', 'listMembers'],
        createdBy: founder.id,
        createdAt: expect.any(String),
        expiresAt: null,
        lastUsedAt: expect.any(String),
      },
    ])
    const { rows } = await office.database.pool.query('select t::text as row from bearer_tokens t')
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  it('makes none for an administrator who is one no longer by then, and lets no revoked token act', async () => {
    const admin = await newFounder(office)
    const { id, token } = await admin.browser.call('createServiceToken', {
      name: 'Rooms',
      operations: ['createRoom'],
    })
    const locked = `select from audit_heads join memberships using (organization_id) where user_id = $1 for update`
    const demotion = await hold(office, locked, [admin.id])
    const made = admin.browser.request('createServiceToken', { name: 'Late', operations: ['createRoom'] })
    const opened = office.program(token).request('createRoom', { name: 'Late' })
    await untilBlocked(office, 2)
    await demotion.query('delete from bearer_tokens where id = $1', [id])
    await demotion.query(`update memberships set role = 'member' where user_id = $1`, [admin.id])
    await demotion.commit()
    expect(await made).toMatchObject({ status: 403, body: { error: 'role-not-allowed' } })
    expect(await opened).toMatchObject({ status: 401, body: { error: 'unauthenticated' } })
    const left = `select from bearer_tokens t join memberships m using (organization_id) where m.user_id = $1`
    expect((await office.database.pool.query(left, [admin.id])).rowCount).toBe(0)
    const { rooms } = await admin.browser.call('listRooms')
    expect(rooms.map(({ name }) => name)).not.toContain('Late')
  })

  it('names the token as the author of what it does', async () => {
    const { id, token } = await founder.browser.call('createServiceToken', {
      name: 'Rooms',
      operations: ['createRoom'],
    })
    await office.program(token).call('createRoom', { name: 'The Kitchen' })
    const [made, done] = (await auditOf(founder)).slice(-2)
    expect(made).toMatchObject({
      action: 'service-token.created',
      actor: { kind: 'user', id: founder.id },
      target: { kind: 'service-token', id },
      detail: { name: 'Rooms', operations: 'createRoom' },
    })
    expect(JSON.stringify(made)).not.toContain(token)
    expect(done).toMatchObject({ action: 'room.created', actor: { kind: 'token', id } })
    expect(done?.actor).not.toHaveProperty('email')
  })

  it('ends when it says so', async () => {
    const expiresAt = new Date(office.clock.now().getTime() + 60_000).toISOString()
    const { token } = await founder.browser.call('createServiceToken', {
      name: 'Short',
      operations: ['listMembers'],
      expiresAt,
    })
    expect((await office.program(token).request('listMembers')).status).toBe(200)
    office.clock.advance(61)
    try {
      expect(await office.program(token).request('listMembers')).toMatchObject({
        status: 401,
        body: { error: 'unauthenticated' },
      })
      expect(
        await founder.browser.request('createServiceToken', {
          name: 'Late',
          operations: ['listMembers'],
          expiresAt,
        }),
      ).toMatchObject({ status: 400, body: { details: [{ field: 'expiresAt' }] } })
    } finally {
      office.clock.advance(-61)
    }
  })

  it('shows a program nothing that makes a person a member, and no other organization', async () => {
    const other = await newFounder(office, 'Other')
    await founder.browser.call('sendInvitation', { email: freshEmail() })
    const { token } = await founder.browser.call('createServiceToken', {
      name: 'Invitations',
      operations: ['listInvitation'],
    })
    const { data } = await office.program(token).call('listInvitation')
    expect(data[0]).toMatchObject({ token: '', acceptInvitationUrl: '' })
    const foreign = { organizationId: other.organizationId }
    expect(await office.program(token).request('listInvitation', foreign)).toMatchObject({ status: 404 })
  })

  it.each([
    ['an operation that is for people', { operations: ['getCurrentUser'] }],
    ['an operation that there is not', { operations: ['nothing'] }],
    ['no operation', { operations: [] }],
    ['no name', { name: ' ' }],
    ['a time that is none', { expiresAt: 'tomorrow, or the day after' }],
    ['a time that is in the year 10000 by UTC', { expiresAt: '9999-12-31T23:59:59-23:59' }],
  ])('refuses %s', async (_name, change) => {
    const input = { name: 'Payroll', operations: ['listMembers'], ...change }
    const answer = await founder.browser.request('createServiceToken', input as never)
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid-input' } })
  })

  it('makes at most a hundred', async () => {
    const busy = await newFounder(office)
    await office.database.pool.query(
      `insert into bearer_tokens (organization_id, kind, name, token_hash, operations, created_at)
        select o.id, 'service', 'One', sha256(n::text::bytea), '{listMembers}', now()
        from organizations o, generate_series(1, 99) as n where o.identity_organization_id = $1`,
      [busy.organizationId],
    )
    const make = () =>
      busy.browser.request('createServiceToken', { name: 'One', operations: ['listMembers'] })
    const statuses = (await Promise.all([make(), make()])).map(({ status }) => status)
    expect(statuses.sort()).toEqual([201, 409])
    expect(await make()).toMatchObject({ status: 409, body: { error: 'too-many-tokens' } })
  })
})
