import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  deliverAll,
  MEDIA_SETTINGS,
  newRoom,
  newSession,
  type Session,
  type Somebody,
  seconds,
  somebody,
  tell,
  untilWorkedOff,
} from '../../../tests/chapters/media-events.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newMember } from '../../../tests/people.ts'
import { type RecordedOutbox, recordOutbox } from '../../../tests/recorded-outbox.ts'
import { until } from '../../../tests/until.ts'

describe('what an organization hears of its rooms', () => {
  let office: TestOffice
  let outbox: RecordedOutbox
  beforeAll(async () => {
    office = await openTestOffice({ settings: MEDIA_SETTINGS })
    outbox = await recordOutbox(office.database)
    await until(async () => office.office.jobs.isLeader())
  })
  afterAll(() => office.close())

  async function scene() {
    const { founder, room } = await newRoom(office)
    const session = newSession(room, seconds() - 1_000)
    const heard = async () =>
      (await outbox.events(`org:${founder.organizationId}`))
        .filter(({ type }) => type.startsWith('room.'))
        .map(({ type, data }) => ({ type, ...(data as object) }))
    /** Delivers, and waits until everything has had its effect. */
    const happens = async (...events: object[]) => {
      await deliverAll(office, events)
      await untilWorkedOff(office)
    }
    return { founder, room, session, heard, happens, me: somebody(founder.id, session.startedAt + 10) }
  }
  const joined = (session: Session, who: Somebody) => tell.participant('participant_joined', session, who)
  const left = (session: Session, who: Somebody) =>
    tell.participant('participant_left', session, who, who.joinedAt + 50)
  const entered = (roomId: string, userId: string) => ({ type: 'room.entered', roomId, userId })
  const gone = (roomId: string, userId: string) => ({ type: 'room.left', roomId, userId })

  it('is told where its members are now: of several rooms the one they came into last, and nothing of others', async () => {
    const { founder, room, session, happens, me } = await scene()
    const { rooms } = await founder.browser.call('listRooms')
    expect(rooms.map(({ id }) => id)).toEqual([room])
    const { room: second } = await founder.browser.call('createRoom', { name: 'Second' })
    const next = newSession(second.id, session.startedAt)
    const there = somebody(founder.id, me.joinedAt + 5)
    await happens(joined(session, me), joined(session, somebody('4711')))
    await happens(joined(next, there))
    await happens(left(session, me))
    await happens(left(next, there))
    const profiles = (await outbox.events(`org:${founder.organizationId}`)).filter(
      ({ type, data }) => type === 'profile.updated' && 'activity' in (data as object),
    )
    const { data } = await founder.browser.call('listMembers')
    const { id: userId, presenceUserId } = data[0] as (typeof data)[number]
    const at = (roomId: string) => ({ userId, presenceUserId, activity: 'in-room', roomId })
    expect(profiles.map((event) => event.data)).toEqual([
      at(room),
      at(second.id),
      at(second.id),
      { userId, presenceUserId, activity: null, roomId: null },
    ])
    // in one order for one person, whichever the rooms are
    expect(new Set(profiles.map(({ partition }) => partition)).size).toBe(1)
  })

  it('shows in every Member where they are, also who appears offline, and nobody who only waits', async () => {
    const { founder, room, session, happens, me } = await scene()
    const colleague = await newMember(office, founder, 'member')
    const stranger = await newRoom(office)
    await founder.browser.call('setPresenceStatus', { status: 'appear_offline' })
    await colleague.browser.call('setPresenceStatus', { status: 'appear_offline' })
    const shown = async () => {
      const { data } = await colleague.browser.call('listMembers', { query: founder.email })
      expect(await colleague.browser.call('getMember', { id: founder.id })).toEqual(data[0])
      const { presenceStatus, activity, roomId } = data[0] as (typeof data)[number]
      return { presenceStatus, activity, roomId }
    }
    const nowhere = { presenceStatus: 'offline', activity: undefined, roomId: undefined }
    await happens(joined(session, somebody(`guest:${randomUUID()}`)))
    await happens(joined(newSession(stranger.room), somebody(founder.id)))
    expect(await shown()).toEqual(nowhere)
    await happens(joined(session, me))
    expect(await shown()).toEqual({ presenceStatus: 'offline', activity: 'in-room', roomId: room })
    const updated = await founder.browser.call('updateMember', { id: colleague.id, role: 'moderator' })
    expect(updated).not.toHaveProperty('activity')
    const offline = await colleague.browser.call('listMembers', { presence: 'offline' })
    expect(offline.data.map(({ id, activity }) => [id, activity])).toContainEqual([founder.id, 'in-room'])
    await happens(left(session, me))
    expect(await shown()).toEqual(nowhere)
  })

  it('is told once who came and who left, whatever comes twice or late', async () => {
    const { founder, room, session, heard, happens, me } = await scene()
    const came = joined(session, me)
    await happens(tell.room('room_started', session), came)
    await happens(came, { ...came, id: `EV_${randomUUID()}` })
    expect(await heard()).toEqual([entered(room, founder.id)])
    await happens(left(session, me))
    await happens(left(session, me), joined(session, me))
    expect(await heard()).toEqual([entered(room, founder.id), gone(room, founder.id)])
  })

  it('is told nothing where somebody came and left before anybody looked', async () => {
    const { session, heard, happens, me } = await scene()
    await happens(left(session, me))
    await happens(joined(session, me))
    expect(await heard()).toEqual([])
  })

  it('is told that somebody left when the last of their connections has ended', async () => {
    const { founder, room, session, heard, happens, me } = await scene()
    const tablet = somebody(`${founder.id}#tablet`, session.startedAt + 20)
    await happens(joined(session, me))
    await happens(joined(session, tablet))
    // the same identity again: the media server ends the connection before
    const again = somebody(founder.id, session.startedAt + 30)
    await happens(joined(session, again))
    await happens(left(session, me))
    await happens(left(session, tablet))
    expect(await heard()).toEqual([entered(room, founder.id)])
    await happens(left(session, again))
    expect(await heard()).toEqual([entered(room, founder.id), gone(room, founder.id)])
  })

  it('is told that everybody left a room that is over, but for who is in its next session', async () => {
    const { founder, room, session, heard, happens, me } = await scene()
    const other = somebody('4711', session.startedAt + 20)
    await happens(joined(session, me), joined(session, other))
    const next = newSession(room, session.startedAt + 500)
    await happens(joined(next, somebody(founder.id, next.startedAt + 1)))
    await happens(tell.room('room_finished', session, session.startedAt + 600))
    expect(await heard()).toEqual([entered(room, founder.id), entered(room, '4711'), gone(room, '4711')])
  })

  it('is told what people publish, also where that was heard of before they came', async () => {
    const { founder, room, session, heard, happens, me } = await scene()
    const track = (source: string) => ({ sid: `TR_${randomUUID()}`, source, type: 'VIDEO' })
    const [camera, screen, unshown] = [track('CAMERA'), track('SCREEN_SHARE'), track('SCREEN_SHARE_AUDIO')]
    const publishes = (shown: object) => ({
      type: 'room.updated',
      roomId: room,
      person: { userId: founder.id, microphone: false, camera: false, screen: false, ...shown },
    })
    await happens(tell.track('track_published', session, me, camera))
    expect(await heard()).toEqual([])
    await happens(joined(session, me))
    await happens(tell.track('track_published', session, me, screen))
    await happens(tell.track('track_published', session, me, unshown))
    await happens(tell.track('track_unpublished', session, me, camera))
    await happens(left(session, me))
    expect(await heard()).toEqual([
      entered(room, founder.id),
      publishes({ camera: true }),
      publishes({ camera: true, screen: true }),
      publishes({ screen: true }),
      gone(room, founder.id),
    ])
  })

  it('is told nothing of guests who wait, and nothing of machinery', async () => {
    const { session, heard, happens } = await scene()
    await happens(joined(session, somebody(`guest:${randomUUID()}`)))
    await happens(joined(session, { ...somebody('EG_1'), kind: 'EGRESS' }))
    expect(await heard()).toEqual([])
  })

  it('is told by the transaction that has the effects: where that fails, of nothing', async () => {
    const { founder, room, session, heard, happens, me } = await scene()
    await office.database.pool.query(`
      create function refuse_series() returns trigger language plpgsql as
        $$ begin raise exception 'not now' using errcode = '57014'; end $$;
      create trigger refused before update of processed_at on media_events
        for each row execute function refuse_series()`)
    await deliverAll(office, [joined(session, me)])
    await until(async () => {
      const { rows } = await office.database.pool.query(
        'select count(*)::int as count from media_events where processed_at is null',
      )
      return rows[0].count === 1
    })
    await expect(office.office.jobs.runNow('process-media-events')).rejects.toThrow()
    expect(await heard()).toEqual([])
    await office.database.pool.query('drop trigger refused on media_events')
    await happens()
    expect(await heard()).toEqual([entered(room, founder.id)])
  })
})
