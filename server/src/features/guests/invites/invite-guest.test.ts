import { decodeProtectedHeader } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { guestLink, knock, newRoom } from '../../../../tests/chapters/rooms.ts'
import { openTestOffice, type TestOffice } from '../../../../tests/office.ts'
import { linkTokenOf, newFounder, newMember, newPerson } from '../../../../tests/people.ts'

describe('inviteGuest', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice({ settings: { FRONTEND_URL: 'https://app.example' } })
  })
  afterAll(() => office.close())

  it('answers a link whose token is readable to nobody but us', async () => {
    const founder = await newFounder(office)
    const member = await newMember(office, founder, 'member')
    const { id: roomId } = await newRoom(founder)
    const orgId = founder.organizationId
    const answer = await member.browser.request('inviteGuest', { orgId, roomId, durationSeconds: 60 })
    expect(answer.status).toBe(201)
    const { inviteUrl, inviteId } = answer.body as { inviteUrl: string; inviteId: string }
    expect(inviteId).toMatch(/^[0-9a-f-]{36}$/)
    expect(inviteUrl).toMatch(/^https:\/\/app\.example\/guest\?invite_token=[\w.-]+$/)
    const token = new URL(inviteUrl).searchParams.get('invite_token') as string
    expect(decodeProtectedHeader(token)).toMatchObject({
      alg: 'dir',
      enc: 'A256GCM',
      kid: expect.stringMatching(/./),
    })
    const readable = token.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'))
    for (const secret of [roomId, orgId, member.id.padStart(4)]) expect(readable.join()).not.toContain(secret)
  })

  it('works no shorter than it is listed', async () => {
    const founder = await newFounder(office)
    const { id: roomId } = await newRoom(founder)
    const token = await guestLink(founder, roomId)
    const { expiresAt } = await office.browser().call('previewGuestInvite', { inviteToken: token })
    const { invites } = await founder.browser.call('listGuestInvites')
    const listed = Date.parse(invites[0]?.expiresAt ?? '')
    expect(listed - Date.parse(invites[0]?.createdAt ?? '')).toBe(3_600_000)
    expect(Date.parse(expiresAt)).toBeGreaterThanOrEqual(listed)
    expect(Date.parse(expiresAt)).toBeLessThan(listed + 1_000)
  })

  it('serves many guests', async () => {
    const founder = await newFounder(office)
    const token = await guestLink(founder, (await newRoom(founder)).id)
    const guests = await Promise.all([1, 2, 3].map(() => knock(token, office.browser())))
    expect(new Set(guests.map(({ guestIdentity }) => guestIdentity)).size).toBe(3)
  })

  it('ends with the membership of whoever made it, also where they come back', async () => {
    const founder = await newFounder(office)
    const { id: roomId } = await newRoom(founder)
    const inviteToken = await linkTokenOf(founder)
    const ended = { status: 410, body: { error: 'gone' } }
    const ask = (token: string) =>
      office.browser().request('authorizeGuest', { inviteToken: token, guestName: 'Gast' })
    const { organizationId } = founder
    const removed = { ...(await newMember(office, founder, 'member')), organizationId }
    const ofRemoved = await guestLink(removed, roomId)
    expect((await ask(ofRemoved)).status).toBe(200)
    await founder.browser.call('removeMember', { id: removed.id })
    expect(await ask(ofRemoved)).toMatchObject(ended)

    const leaver = { ...(await newMember(office, founder, 'member')), organizationId }
    const ofLeaver = await guestLink(leaver, roomId)
    await leaver.browser.call('removeMember', { id: leaver.id })
    office.clock.advance(2)
    await leaver.browser.call('joinOrganization', { inviteToken })
    expect(await ask(ofLeaver)).toMatchObject(ended)
    expect((await ask(await guestLink(leaver, roomId))).status).toBe(200)
  })

  it('ends with the membership also where nobody has written the link down: one of the release before', async () => {
    const founder = await newFounder(office)
    const { id: roomId } = await newRoom(founder)
    const { organizationId } = founder
    const removed = { ...(await newMember(office, founder, 'member')), organizationId }
    const inviteToken = await guestLink(removed, roomId)
    await office.database.pool.query('delete from guest_invites where room_id = $1', [roomId])
    await founder.browser.call('removeMember', { id: removed.id })
    expect(
      await office.browser().request('authorizeGuest', { inviteToken, guestName: 'Gast' }),
    ).toMatchObject({ status: 410, body: { error: 'gone' } })
  })

  it.each([60, 2_592_000, 90.5])('takes a duration of %s seconds', async (durationSeconds) => {
    const founder = await newFounder(office)
    expect(await guestLink(founder, (await newRoom(founder)).id, { durationSeconds })).toMatch(/\./)
  })

  it('takes everything together, doubles and an empty list', async () => {
    const founder = await newFounder(office)
    const { id } = await newRoom(founder)
    const allowedAdmins = Array(100).fill(founder.id)
    expect(await guestLink(founder, id, { allowAll: true, allowedAdmins })).toMatch(/\./)
    expect(await guestLink(founder, id, { allowAll: false, allowedAdmins: [] })).toMatch(/\./)
  })

  it('takes a hundred admins of large ids: the link can be used', async () => {
    const founder = await newFounder(office)
    const { id } = await newRoom(founder)
    const { pool } = office.database
    const { rows } = await pool.query(
      `with made as (
        insert into users (id, identity_user_id, email, display_name, created_at, updated_at)
        overriding system value
        select 9223372036854775000 + n, 'user_' || md5(n::text), md5(n::text) || '@many.example', 'Many', now(), now()
        from generate_series(1, 99) n returning id),
      joined as (
        insert into memberships (organization_id, user_id, role, status, created_at, updated_at)
        select o.id, made.id, 'admin', 'active', now(), now() from made, organizations o
        where o.identity_organization_id = $1)
      select id::text from made`,
      [founder.organizationId],
    )
    const allowedAdmins = [founder.id, ...rows.map((row) => row.id)]
    const token = await guestLink(founder, id, { allowedAdmins })
    expect((await knock(token, office.browser())).state).toBe('waiting')
  })

  const valid = { orgId: 'org_x', roomId: 'x', durationSeconds: 3_600 }
  it.each([
    ['no organization', { ...valid, orgId: undefined }],
    ['no room', { ...valid, roomId: undefined }],
    ['no duration', { ...valid, durationSeconds: undefined }],
    ['59 seconds', { ...valid, durationSeconds: 59 }],
    ['more than 30 days', { ...valid, durationSeconds: 2_592_001 }],
    ['a negative duration', { ...valid, durationSeconds: -3_600 }],
    ['a duration that is a text', { ...valid, durationSeconds: '3600' }],
    ['a duration that is null', { ...valid, durationSeconds: null }],
    ['allowAll that is a text', { ...valid, allowAll: 'true' }],
    ['admins that are no list', { ...valid, allowedAdmins: '1' }],
    ['admins that are numbers', { ...valid, allowedAdmins: [1] }],
    ['101 admins', { ...valid, allowedAdmins: Array(101).fill('1') }],
  ])('refuses %s', async (_what, input) => {
    const founder = await newFounder(office)
    expect((await founder.browser.request('inviteGuest', input as never)).status).toBe(400)
  })

  it('refuses as an admin whoever is none here, and does not say who exists', async () => {
    const [founder, other] = [await newFounder(office), await newFounder(office)]
    const member = await newMember(office, founder, 'member')
    const { id: roomId } = await newRoom(founder)
    for (const id of [member.id, other.id, '999999999', 'abc', '1e3']) {
      const invite = { orgId: founder.organizationId, roomId, durationSeconds: 60 }
      const allowedAdmins = [founder.id, id]
      expect(await founder.browser.request('inviteGuest', { ...invite, allowedAdmins })).toMatchObject({
        status: 400,
        body: {
          error: 'invalid-input',
          details: [{ field: 'allowedAdmins.1', message: 'Give user ids of admins of this organization' }],
        },
      })
    }
  })

  it('finds nothing of other organizations', async () => {
    const [one, other] = [await newFounder(office), await newFounder(office)]
    const { id: theirs } = await newRoom(other)
    const { id: own } = await newRoom(one)
    const invite = (orgId: string, roomId: string) =>
      one.browser.request('inviteGuest', { orgId, roomId, durationSeconds: 60 })
    expect((await invite(other.organizationId, theirs)).status).toBe(404)
    expect((await invite(other.organizationId, own)).status).toBe(404)
    expect((await invite(one.organizationId, theirs)).status).toBe(404)
    expect((await invite(one.organizationId, 'nowhere')).status).toBe(404)
    expect((await invite(one.organizationId, own)).status).toBe(201)
  })

  it('is for members and up', async () => {
    const founder = await newFounder(office)
    const { id: roomId } = await newRoom(founder)
    const invite = { orgId: founder.organizationId, roomId, durationSeconds: 60 }
    const guest = await newMember(office, founder, 'guest')
    expect((await guest.browser.request('inviteGuest', invite)).status).toBe(403)
    expect((await office.browser().request('inviteGuest', invite)).status).toBe(401)
    const { browser } = await newPerson(office)
    expect((await browser.request('inviteGuest', invite)).status).toBe(403)
  })
})
