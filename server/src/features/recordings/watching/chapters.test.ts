import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endRecording, newRecording, recordingOf } from '../../../../tests/chapters/recordings.ts'
import { atMedia, enterRoom, leaveRoom } from '../../../../tests/chapters/rooms.ts'
import { exportOf, fetchArchive } from '../../../../tests/data/archives.ts'
import { openTestOffice, type TestOffice } from '../../../../tests/office.ts'
import { newFounder, newMember } from '../../../../tests/people.ts'
import { keepChapters } from './chapters.ts'

describe('chapters of a recording', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
    await atMedia(office, 'faults', { recordings: 'no-file' })
  })
  afterAll(() => office.close())

  it('are what the media server has told of the room; it is found by who was in it', async () => {
    const founder = await newFounder(office)
    const member = await newMember(office, founder, 'member')
    const absent = await newMember(office, founder, 'member')
    const about = await newRecording(founder)
    await expect
      .poll(async () => (await recordingOf(founder, about.room)).startedAt, { timeout: 20_000 })
      .not.toBeNull()
    // media servers tell of people by whole seconds: in that of the beginning, one might seem to have left before it
    await office.database.pool.query(
      `update recordings set started_at = started_at - interval '1 second' where egress_id = $1`,
      [about.egressId],
    )
    await enterRoom(office, founder, about.room)
    await enterRoom(office, member, about.room)
    const shared = { room: about.room, identity: member.id, source: 'screen_share' }
    await atMedia(office, 'publish', shared)
    await expect
      .poll(
        async () =>
          (await founder.browser.call('getRoom', { roomId: about.room })).room.people.some(
            (one) => one.screen,
          ),
        { timeout: 20_000 },
      )
      .toBe(true)
    await leaveRoom(office, member, about.room)
    await endRecording(office, about, new Date(Date.now() + 60_000))
    const read = async () => (await recordingOf(founder, about.room)).chapters
    await expect
      .poll(async () => (await read()).map(({ kind, userId }) => [kind, userId]).sort(), { timeout: 20_000 })
      .toEqual(
        [
          ['entered', founder.id],
          ['entered', member.id],
          ['shared', member.id],
          ['left', member.id],
        ].sort(),
      )
    const chapters = await read()
    expect(chapters.every(({ at }) => at >= 0)).toBe(true)
    const found = async (userId: string) =>
      (await founder.browser.call('listRecordings', { userId })).page.total
    expect([await found(member.id), await found(absent.id)]).toEqual([1, 0])
    expect(await found('ada')).toBe(0)
  })

  it('are the recorder’s own where it has noted some, with guests by name; they are in the archive', async () => {
    const founder = await newFounder(office)
    const about = await newRecording(founder)
    const { rows } = await office.database.pool.query(
      'select file_key from recordings where egress_id = $1',
      [about.egressId],
    )
    const guest = 'guest:0d9f5c3e-7b1a-4e52-9c46-2f8a1d3b5e70'
    await keepChapters(office.office.databases.background, rows[0].file_key.replace('.mp4', '.webm'), [
      { at: 0, kind: 'entered', identity: `${founder.id}#second`, name: 'Founder' },
      { at: 1.5, kind: 'spoke', until: 4, identity: guest, name: 'Grete Gast' },
      { at: 2, kind: 'entered', identity: 'agent-1', name: 'Notetaker' },
    ])
    await endRecording(office, about)
    expect((await recordingOf(founder, about.room)).chapters).toEqual([
      { at: 0, kind: 'entered', userId: founder.id },
      { at: 1.5, kind: 'spoke', until: 4, guest: { identity: guest, name: 'Grete Gast' } },
      { at: 2, kind: 'entered', text: 'Notetaker' },
    ])
    const archive = await fetchArchive(await exportOf(office, founder.browser, 'Organization'))
    expect(archive.rows('recordings')).toMatchObject([{ chapters: [{}, { name: 'Grete Gast' }, {}] }])
  })
})
