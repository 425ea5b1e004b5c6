import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { atMedia, guestLink, insideOf, joinRoom, knock, newRoom } from '../../../tests/chapters/rooms.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder } from '../../../tests/people.ts'
import { type RecordedOutbox, recordOutbox } from '../../../tests/recorded-outbox.ts'
import { GUEST_QUEUE } from './state-store.ts'

describe('what happens to guests by itself', () => {
  let office: TestOffice
  let outbox: RecordedOutbox
  beforeAll(async () => {
    office = await openTestOffice()
    outbox = await recordOutbox(office.database)
  })
  afterAll(() => office.close())

  const run = (job: string) => office.office.jobs.runNow(job)
  const carryOut = async () => {
    await run('expire-guests')
    await office.office.work.worker(GUEST_QUEUE).drain()
  }

  async function scene(durationSeconds = 3_600) {
    const founder = await newFounder(office)
    const { id: roomId } = await newRoom(founder)
    const link = await guestLink(founder, roomId, { durationSeconds })
    const guest = await knock(link, office.browser())
    const { guestIdentity } = guest
    const decide = (action: 'admit' | 'deny') =>
      founder.browser.call('admitGuest', { roomId, guestIdentity, action })
    const isIn = async () => (await insideOf(office, roomId)).has(guestIdentity)
    const stateOf = async () => (await founder.browser.call('listGuests', { roomId })).guests[0]?.state
    const told = async () => {
      const types = (await outbox.events(`user:${founder.organizationId}`)).map(({ type }) => type)
      // the comparison with the media server may tell once more meanwhile that a guest waits
      return types.filter((type, place) => type !== types[place - 1])
    }
    return { founder, roomId, guest, guestIdentity, decide, isIn, stateOf, told }
  }

  it('links expire: whoever waits is put out, whoever was admitted stays', async () => {
    const [waiting, admitted] = [await scene(60), await scene(60)]
    await joinRoom(office, waiting.guest.rtcToken)
    await joinRoom(office, admitted.guest.rtcToken)
    await admitted.decide('admit')
    await carryOut()
    expect([await waiting.isIn(), await admitted.isIn()]).toEqual([true, true])
    office.clock.advance(61)
    await carryOut()
    expect([await waiting.isIn(), await admitted.isIn()]).toEqual([false, true])
    expect([await waiting.stateOf(), await admitted.stateOf()]).toEqual(['expired', 'admitted'])
    expect(await waiting.told()).toEqual(['guest.waiting', 'guest.left'])
    expect(await admitted.told()).toEqual(['guest.waiting', 'guest.decided'])
  })

  it('whoever was admitted stays as long as they are seen, days after their link has expired', async () => {
    const { guest, founder, roomId, guestIdentity, decide, isIn, stateOf, told } = await scene(60)
    await joinRoom(office, guest.rtcToken)
    await decide('admit')
    for (let time = 0; time < 7; time += 1) {
      office.clock.advance(11 * 3_600)
      await run('look-for-guests')
      await carryOut()
    }
    expect([await isIn(), await stateOf()]).toEqual([true, 'admitted'])
    await founder.browser.call('removeGuest', { roomId, guestIdentity })
    expect([await isIn(), await stateOf()]).toEqual([false, 'denied'])
    expect(await told()).toEqual(['guest.waiting', 'guest.decided', 'guest.left'])
  })

  it('whoever was admitted is out when they have left, and when the room is gone', async () => {
    const [gone, without] = [await scene(60), await scene(60)]
    for (const { guest, decide } of [gone, without]) {
      await joinRoom(office, guest.rtcToken)
      await decide('admit')
    }
    office.clock.advance(3_600)
    await run('look-for-guests')
    await atMedia(office, 'leave', { room: gone.roomId, identity: gone.guestIdentity })
    office.clock.advance(121)
    await run('look-for-guests')
    expect(await gone.stateOf()).toBe('left')
    await without.founder.browser.call('deleteRoom', { roomId: without.roomId })
    office.clock.advance(1)
    await run('look-for-guests')
    await carryOut()
    expect(await without.isIn()).toBe(false)
    expect((await without.told()).at(-1)).toBe('guest.left')
  })

  it('an expiry that the media server could not be told is told it later', async () => {
    const { guest, isIn } = await scene(60)
    await joinRoom(office, guest.rtcToken)
    await atMedia(office, 'faults', { calls: 'refused' })
    office.clock.advance(61)
    await carryOut()
    await atMedia(office, 'faults', { calls: 'answered' })
    expect(await isIn()).toBe(true)
    office.clock.advance(6)
    await carryOut()
    expect(await isIn()).toBe(false)
  })

  it('who never joined has left when their token is worth nothing any more', async () => {
    const { stateOf, told } = await scene()
    office.clock.advance(600)
    await run('look-for-guests')
    expect(await stateOf()).toBe('waiting')
    office.clock.advance(61)
    await run('look-for-guests')
    expect(await stateOf()).toBe('left')
    expect(await told()).toEqual(['guest.waiting', 'guest.left'])
  })

  it('who is there has not left, though no event has ever told so', async () => {
    const { guest, stateOf, roomId, guestIdentity } = await scene()
    await joinRoom(office, guest.rtcToken)
    for (let hour = 0; hour < 3; hour += 1) {
      office.clock.advance(700)
      await run('look-for-guests')
      expect(await stateOf()).toBe('waiting')
    }
    await atMedia(office, 'leave', { room: roomId, identity: guestIdentity })
    office.clock.advance(121)
    await run('look-for-guests')
    expect(await stateOf()).toBe('left')
  })

  it('nobody has left where the media server cannot say', async () => {
    const { stateOf } = await scene()
    office.clock.advance(661)
    await atMedia(office, 'faults', { calls: 'refused' })
    await run('look-for-guests')
    await atMedia(office, 'faults', { calls: 'answered' })
    expect(await stateOf()).toBe('waiting')
    await run('look-for-guests')
    expect(await stateOf()).toBe('left')
  })

  it('who is out and back in with an old token is found without any event', async () => {
    const { guest, decide, isIn, stateOf } = await scene()
    await decide('deny')
    await joinRoom(office, guest.rtcToken)
    expect(await isIn()).toBe(true)
    await run('look-for-guests')
    expect(await isIn()).toBe(false)
    expect(await stateOf()).toBe('denied')
  })

  it('who is out is looked for beyond the first hundred, a page at a time', async () => {
    const { guest, roomId, decide, isIn } = await scene()
    await decide('deny')
    await joinRoom(office, guest.rtcToken)
    const { pool } = office.database
    const { rows } = await pool.query('select * from guests where room_id = $1', [roomId])
    const columns = Object.keys(rows[0])
    const copied = columns.map((column) => {
      // earlier ones come first, by their ids
      if (column === 'id') return `(left(md5(n::text || id), 8) || '-0000-0000-0000-000000000000')::uuid`
      return column === 'cookie_hash' ? 'null' : column
    })
    await pool.query(
      `insert into guests (${columns}) select ${copied} from guests, generate_series(1, 150) n
      where room_id = $1`,
      [roomId],
    )
    await run('look-for-guests')
    expect(await isIn()).toBe(false)
    await pool.query('delete from guests where room_id = $1', [roomId])
  })

  it('survives a restart: state, place and what is still to be done', async () => {
    const { guest, decide, isIn, stateOf } = await scene()
    await joinRoom(office, guest.rtcToken)
    await atMedia(office, 'faults', { calls: 'refused' })
    await decide('deny')
    await atMedia(office, 'faults', { calls: 'answered' })
    const { log, needs, media } = office.office
    const { guestJobs } = await import('./jobs.ts')
    office.clock.advance(6)
    // jobs made again know nothing but what is stored
    for (const job of guestJobs({ db: needs.db, log, media: media.needs.media, clock: office.clock }))
      await job.run(new AbortController().signal)
    expect(await isIn()).toBe(false)
    expect(await stateOf()).toBe('denied')
  })

  it('what is over for a month is forgotten', async () => {
    const { founder, roomId, decide } = await scene()
    await decide('deny')
    const count = async () =>
      (await office.database.pool.query('select count(*)::int from guests where room_id = $1', [roomId]))
        .rows[0].count
    await run('purge-guests')
    expect(await count()).toBe(1)
    office.clock.advance(31 * 86_400)
    await run('purge-guests')
    expect(await count()).toBe(0)
    expect(founder.id).toBeTruthy()
  })
})
