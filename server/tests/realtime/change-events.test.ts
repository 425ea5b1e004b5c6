import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectCalendar } from '../chapters/calendars.ts'
import { newRecording } from '../chapters/recordings.ts'
import { openTestOffice, type TestOffice } from '../office.ts'
import { linkTokenOf, newFounder, newMember, newPerson, type Person, signInAgain } from '../people.ts'
import { type RecordedOutbox, recordOutbox } from '../recorded-outbox.ts'
import { until } from '../until.ts'

/** Changes that are told by triggers of the database, whichever way they come about. */
describe('what people hear of changes', () => {
  let office: TestOffice
  let outbox: RecordedOutbox
  beforeAll(async () => {
    office = await openTestOffice()
    outbox = await recordOutbox(office.database)
  })
  afterAll(() => office.close())

  const identityOf = async ({ id }: Pick<Person, 'id'>) => {
    const { rows } = await office.database.pool.query(
      'select identity_user_id as id from users where id = $1',
      [id],
    )
    return rows[0].id as string
  }
  /** All that is told to one organization, or to one of its people, of some kinds of events. */
  const heard = async (channel: string, kind: RegExp) =>
    (await outbox.events(channel))
      .filter(({ type }) => kind.test(type))
      .map(({ type, data }) => ({ type, data }))
  const ids = async (person: Pick<Person, 'id'>) => ({
    userId: person.id,
    presenceUserId: await identityOf(person),
  })

  it('everybody: who joins, has another role, is removed or leaves', async () => {
    const founder = await newFounder(office)
    const person = await newPerson(office)
    const comes = async () => {
      await person.browser.call('joinOrganization', { inviteToken: await linkTokenOf(founder) })
    }
    await comes()
    await founder.browser.call('updateMember', { id: person.id, role: 'moderator' })
    await founder.browser.call('updateMember', { id: person.id, role: 'moderator' })
    await person.browser.call('switchOrganization', {
      email: person.email,
      organizationId: founder.organizationId,
    })
    await person.browser.call('removeMember', { id: person.id })
    const data = await ids(person)
    const events = await heard(`org:${founder.organizationId}`, /^member\./)
    expect(events).toEqual([
      { type: 'member.joined', data: await ids(founder) },
      { type: 'member.joined', data },
      { type: 'member.updated', data: { ...data, role: 'moderator' } },
      { type: 'member.removed', data },
    ])
  })

  it('everybody: another name or picture of a person, in each of their organizations, and nothing where none is', async () => {
    const founder = await newFounder(office)
    const second = await founder.browser.call('createOrganization', { name: 'Second' })
    const other = await newFounder(office)
    for (const displayName of ['Ada Lovelace', 'Ada Lovelace'])
      await founder.browser.call('updateProfile', { displayName })
    const expected = [
      { type: 'profile.updated', data: { ...(await ids(founder)), displayName: 'Ada Lovelace' } },
    ]
    for (const id of [founder.organizationId, second.id])
      expect(await heard(`org:${id}`, /^profile\./)).toEqual(expected)
    expect(await heard(`org:${other.organizationId}`, /^profile\./)).toEqual([])
  })

  it('everybody: another name of the organization', async () => {
    const { browser, organizationId } = await newFounder(office)
    await browser.call('updateOrganization', { organizationId, name: 'Renamed' })
    expect(await heard(`org:${organizationId}`, /^organization\./)).toEqual([
      { type: 'organization.updated', data: { organizationId, organizationName: 'Renamed' } },
    ])
  })

  it('the inviter alone: that the invitation was accepted', async () => {
    const founder = await newFounder(office)
    const moderator = await newMember(office, founder, 'moderator')
    const invited = await newPerson(office)
    await moderator.browser.call('sendInvitation', { email: invited.email })
    const { data } = await moderator.browser.call('listInvitation', { email: invited.email, limit: 1 })
    await invited.browser.call('acceptInvitation', { token: data[0]?.token as string })
    const channel = (id: string) => `user:${founder.organizationId}:${id}`
    expect(await heard(channel(await identityOf(moderator)), /^invitation\./)).toEqual([
      {
        type: 'invitation.accepted',
        data: {
          invitationId: expect.stringMatching(/^invitation_/),
          email: invited.email,
          userId: invited.id,
        },
      },
    ])
    expect(await heard(channel(await identityOf(founder)), /^invitation\./)).toEqual([])
  })

  it('everybody: each state of an invitation, by any cause, and not whom it is for', async () => {
    const founder = await newFounder(office)
    const invited = await newPerson(office)
    const heardOf = async () =>
      (await heard(`org:${founder.organizationId}`, /^invitation\./)).map(({ type, data }) => {
        const { invitationId, ...rest } = data as { invitationId: string }
        return { type, id: invitationId, ...rest }
      })
    const changed = (id: string, state: string) => ({ type: 'invitation.changed', id, state })
    const send = async () => {
      await founder.browser.call('sendInvitation', { email: invited.email })
      const { data } = await founder.browser.call('listInvitation', { email: invited.email, limit: 1 })
      return { id: data[0]?.id as string, token: data[0]?.token as string }
    }
    const superseded = await send()
    const revoked = await send()
    await founder.browser.call('revokeInvitation', { invitationId: revoked.id })
    const accepted = await send()
    await invited.browser.call('acceptInvitation', { token: accepted.token })
    const expected = [
      changed(superseded.id, 'pending'),
      changed(superseded.id, 'revoked'),
      changed(revoked.id, 'pending'),
      changed(revoked.id, 'revoked'),
      changed(accepted.id, 'pending'),
      changed(accepted.id, 'accepted'),
    ]
    expect(await heardOf()).toEqual(expected)
    await office.database.pool.query('delete from invitations where identity_invitation_id = $1', [
      accepted.id,
    ])
    expect(await heardOf()).toEqual([...expected, changed(accepted.id, 'deleted')])
    expect(JSON.stringify(await heardOf())).not.toContain(invited.email)
  })

  it('everybody: that a recording was deleted', async () => {
    const founder = await newFounder(office)
    const { room: roomId, egressId } = await newRecording(founder)
    const recording = async () => (await founder.browser.call('listRecordings')).data[0]
    // one that is stopped before it runs leaves nothing
    await until(async () => (await recording())?.state === 'active')
    await founder.browser.call('stopRecording', { roomName: roomId, egressId, zoneId: '' })
    await until(async () => (await recording())?.state === 'completed')
    const recordingId = (await recording())?.id as string
    await founder.browser.call('deleteRecording', { recordingId })
    expect((await heard(`org:${founder.organizationId}`, /^recording\./)).at(-1)).toEqual({
      type: 'recording.deleted',
      data: { recordingId, egressId, roomId },
    })
  })

  it('oneself: that a calendar was connected or disconnected', async () => {
    const founder = await newFounder(office)
    await connectCalendar(office, founder.browser, 'A')
    await founder.browser.call('disconnectProviderACalendar')
    const channel = `user:${founder.organizationId}:${await identityOf(founder)}`
    expect(await heard(channel, /^calendar\./)).toEqual(
      ['connected', 'disconnected'].map((state) => ({
        type: 'calendar.changed',
        data: { provider: 'provider-a', state },
      })),
    )
  })

  it('oneself: that one was signed out somewhere, and not of the session that a switch replaces', async () => {
    const founder = await newFounder(office)
    const { email, organizationId } = founder
    const { browser } = await signInAgain(office, email)
    await browser.call('switchOrganization', { email, organizationId })
    const { sessions } = await browser.call('listSessions')
    const current = sessions.find((one) => one.current)?.id
    await browser.call('signOut')
    const channel = `user:${organizationId}:${await identityOf(founder)}`
    expect(await heard(channel, /^session\./)).toEqual([
      { type: 'session.ended', data: { sessionId: current } },
    ])
  })

  it('everybody: each state of a recording, from the moment that it has a name', async () => {
    const founder = await newFounder(office)
    const { room: roomId, egressId } = await newRecording(founder)
    const states = async () =>
      (await heard(`org:${founder.organizationId}`, /^recording\./)).map(({ data }) => data)
    await until(async () => (await states()).length >= 2)
    await founder.browser.call('stopRecording', { roomName: roomId, egressId, zoneId: '' })
    await until(async () => (await states()).length >= 4)
    expect(await states()).toEqual(
      ['starting', 'active', 'stopping', 'completed'].map((state) => ({ egressId, roomId, state })),
    )
  })

  it('everybody: that a legal hold of a recording has begun or ended, as another state of it', async () => {
    const founder = await newFounder(office)
    const { room: roomId, egressId } = await newRecording(founder)
    const events = () => heard(`org:${founder.organizationId}`, /^recording\./)
    await until(async () => (await events()).length >= 2)
    await founder.browser.call('stopRecording', { roomName: roomId, egressId, zoneId: '' })
    await until(async () => (await events()).length >= 4)
    for (const hold of [true, true, false, false])
      await founder.browser.call('holdRecording', { egressId, hold })
    const changed = { type: 'recording.changed', data: { egressId, roomId, state: 'completed' } }
    expect((await events()).slice(4)).toEqual([changed, changed])
  })

  it('everybody: a room that is made, changed, and deleted', async () => {
    const founder = await newFounder(office)
    const { room } = await founder.browser.call('createRoom', { name: 'Kitchen', metadata: { floor: 1 } })
    const roomId = room.id
    await founder.browser.call('updateRoom', { roomId, name: 'Lounge', metadata: { floor: 1 } })
    await founder.browser.call('updateRoom', { roomId, metadata: {} })
    await founder.browser.call('updateRoom', { roomId, metadata: {} })
    await founder.browser.call('deleteRoom', { roomId })
    const createdAt = expect.stringMatching(/Z$/)
    const described = {
      name: 'Kitchen',
      metadata: { floor: 1 },
      kind: 'meeting',
      seats: null,
      position: 1_000,
      locked: false,
      sealed: false,
      temporary: false,
      ownerId: null,
    }
    expect(await heard(`org:${founder.organizationId}`, /^room\./)).toEqual([
      { type: 'room.created', data: { roomId, ...described, createdAt } },
      { type: 'room.updated', data: { roomId, name: 'Lounge' } },
      { type: 'room.updated', data: { roomId, metadata: {} } },
      { type: 'room.deleted', data: { roomId } },
    ])
  })
})
