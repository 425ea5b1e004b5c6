import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newRecording } from '../../../tests/chapters/recordings.ts'
import { atMedia, guestLink, insideOf, joinRoom, knock, newRoom } from '../../../tests/chapters/rooms.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { auditOf, newFounder, newMember } from '../../../tests/people.ts'
import { until } from '../../../tests/until.ts'
import { openRoom } from './reads.ts'

describe('deleteRoom', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  const run = (job: string) => office.office.jobs.runNow(job)
  const live = async () => (await office.office.media.needs.media.rooms()).map(({ name }) => name)

  async function scene() {
    const founder = await newFounder(office)
    const { id: roomId, name } = await newRoom(founder)
    const { token } = await founder.browser.call('authorizeRoom', { username: 'Ada', roomId })
    await joinRoom(office, token)
    return { founder, roomId, name, token }
  }

  it('puts everybody out, and nobody finds the room again', async () => {
    const { founder, roomId, token } = await scene()
    const moderator = await newMember(office, founder, 'moderator')
    expect(await moderator.browser.request('deleteRoom', { roomId })).toMatchObject({ status: 204 })
    expect((await insideOf(office, roomId)).size).toBe(0)
    expect(await live()).not.toContain(roomId)
    expect((await atMedia(office, 'join', { token })).status).not.toBe(200)
    const asked = [
      await founder.browser.request('getRoom', { roomId }),
      await founder.browser.request('updateRoom', { roomId, name: 'Again' }),
      await founder.browser.request('deleteRoom', { roomId }),
      await founder.browser.request('authorizeRoom', { username: 'Ada', roomId }),
    ]
    expect(asked.map(({ status }) => status)).toEqual([404, 404, 404, 404])
    expect((await founder.browser.call('listRooms')).rooms).toEqual([])
  })

  it('leaves its name free, and is written down with it', async () => {
    const { founder, roomId, name } = await scene()
    await founder.browser.call('deleteRoom', { roomId })
    expect((await founder.browser.request('createRoom', { name })).status).toBe(200)
    expect((await auditOf(founder)).find(({ action }) => action === 'room.deleted')).toMatchObject({
      target: { kind: 'room', id: roomId },
      detail: { name },
    })
  })

  it('ends the links of its guests and the stay of those who wait or are inside', async () => {
    const { founder, roomId } = await scene()
    const link = await guestLink(founder, roomId, { allowAll: true })
    await knock(link, office.browser())
    const { guestIdentity } = await knock(link, office.browser())
    await founder.browser.call('admitGuest', { roomId, guestIdentity, action: 'admit' })
    await founder.browser.call('deleteRoom', { roomId })
    const asking = { inviteToken: link, guestName: 'Gast' }
    expect(await office.browser().request('authorizeGuest', asking)).toMatchObject({ status: 404 })
    await run('expire-guests')
    const { rows } = await office.database.pool.query('select state from guests where room_id = $1', [roomId])
    expect(rows).toEqual([{ state: 'expired' }, { state: 'expired' }])
  })

  it('ends a recording with the room, and keeps it', async () => {
    const founder = await newFounder(office)
    const { room, egressId } = await newRecording(founder)
    await until(async () => (await founder.browser.call('listRooms')).rooms[0]?.recording === true)
    await founder.browser.call('deleteRoom', { roomId: room })
    const recordings = async () => (await founder.browser.call('listRecordings')).data
    await until(async () => (await recordings())[0]?.endedAt !== null)
    expect(await recordings()).toMatchObject([{ egressId, roomId: room }])
  })

  it('closes the room later where the media server was away', async () => {
    const { founder, roomId } = await scene()
    await atMedia(office, 'faults', { calls: 'refused' })
    expect(await founder.browser.request('deleteRoom', { roomId })).toMatchObject({ status: 204 })
    await atMedia(office, 'faults', { calls: 'answered' })
    await until(async () => !(await live()).includes(roomId))
  })

  it('leaves nobody in a room that was opened while it was deleted', async () => {
    const { founder, roomId } = await scene()
    const { db } = office.database
    const { id: organization } = await db
      .selectFrom('organizations')
      .select('id')
      .where('identity_organization_id', '=', founder.organizationId)
      .executeTakeFirstOrThrow()
    const { media } = office.office.media.needs
    const opening = openRoom(
      {
        db,
        media: {
          closeRoom: media.closeRoom,
          async openRoom(id) {
            await founder.browser.call('deleteRoom', { roomId })
            await media.openRoom(id)
          },
        },
      },
      organization as never,
      roomId as never,
    )
    await expect(opening).rejects.toMatchObject({ kind: 'not-found' })
    expect(await live()).not.toContain(roomId)
  })

  it('knows no room of another organization', async () => {
    const founder = await newFounder(office)
    const other = await scene()
    expect(await founder.browser.request('deleteRoom', { roomId: other.roomId })).toMatchObject({
      status: 404,
      body: { error: 'room-not-found' },
    })
    expect((await insideOf(office, other.roomId)).size).toBe(1)
  })
})
