import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { guestLink, newRoom } from '../../../../tests/chapters/rooms.ts'
import { openTestOffice, type TestOffice } from '../../../../tests/office.ts'
import { linkTokenOf, newFounder, newMember } from '../../../../tests/people.ts'
import { type RecordedOutbox, recordOutbox } from '../../../../tests/recorded-outbox.ts'

describe('previewGuestInvite', () => {
  let office: TestOffice
  let outbox: RecordedOutbox
  beforeAll(async () => {
    office = await openTestOffice()
    outbox = await recordOutbox(office.database)
  })
  afterAll(() => office.close())

  const preview = (inviteToken: string) => office.browser().request('previewGuestInvite', { inviteToken })

  it('says whose room it is and how long the link lasts; nobody waits by that and nobody hears of it', async () => {
    const founder = await newFounder(office, 'Canary Holdings')
    const { browser, organizationId } = founder
    await browser.call('updateProfile', { displayName: 'Ada Lovelace' })
    const { room } = await browser.call('createRoom', { name: 'Kitchen' })
    const { inviteUrl } = await browser.call('inviteGuest', {
      orgId: organizationId,
      roomId: room.id,
      durationSeconds: 3_600,
    })
    const { invites } = await browser.call('listGuestInvites')
    const answer = await preview(new URL(inviteUrl).searchParams.get('invite_token') as string)
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        organizationName: 'Canary Holdings',
        roomName: 'Kitchen',
        inviterName: 'Ada Lovelace',
        expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      },
    ])
    const { expiresAt } = answer.body as { expiresAt: string }
    // the token counts whole seconds
    expect(Date.parse(invites[0]?.expiresAt ?? '') - Date.parse(expiresAt)).toBeLessThan(1_000)
    expect((await browser.call('listGuests', { roomId: room.id })).guests).toEqual([])
    expect(await outbox.events(`user:${organizationId}`)).toEqual([])
    expect(answer.headers.get('set-cookie')).toBeNull()
  })

  it('refuses what is no link for guests with 400', async () => {
    const founder = await newFounder(office)
    const token = await guestLink(founder, (await newRoom(founder)).id)
    for (const broken of ['x', `${token}x`, token.slice(1), await linkTokenOf(founder)])
      expect(await preview(broken)).toMatchObject({ status: 400, body: { error: 'invalid' } })
  })

  it('has ended with its time, with the membership of whoever made it, and with its room', async () => {
    const founder = await newFounder(office)
    const { id: roomId } = await newRoom(founder)
    const short = await guestLink(founder, roomId, { durationSeconds: 60 })
    const member = { ...(await newMember(office, founder, 'member')), organizationId: founder.organizationId }
    const theirs = await guestLink(member, roomId)
    const other = await guestLink(founder, roomId)
    office.clock.advance(61)
    expect(await preview(short)).toMatchObject({ status: 410, body: { error: 'gone' } })
    expect((await preview(theirs)).status).toBe(200)
    await member.browser.call('removeMember', { id: member.id })
    expect(await preview(theirs)).toMatchObject({ status: 410, body: { error: 'gone' } })
    expect((await preview(other)).status).toBe(200)
    await founder.browser.call('deleteRoom', { roomId })
    expect(await preview(other)).toMatchObject({ status: 404, body: { error: 'room-not-found' } })
  })

  it('finds no room of an organization that is deleted', async () => {
    const founder = await newFounder(office)
    const token = await guestLink(founder, (await newRoom(founder)).id)
    await founder.browser.call('deleteOrganization', { organizationId: founder.organizationId })
    expect(await preview(token)).toMatchObject({ status: 404, body: { error: 'room-not-found' } })
  })
})
