import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  addRoom,
  deliver,
  MEDIA_SETTINGS,
  metricsOf,
  newRoom,
  placeOf,
  type Sample,
  type Session,
  type Somebody,
  somebody,
  tell,
  untilMetrics,
  untilWorkedOff,
} from '../../../tests/chapters/media-events.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import type { MediaParticipant, MediaRoom } from '../../ports/media.ts'
import { mediaSweep } from './sweep.ts'

/** What the media server of a test has: told of in events, and asked for in lists. */
interface World {
  rooms: Map<string, { session: Session; people: Map<string, { who: Somebody; tracks: Set<string> }> }>
  log: object[]
}

/** Numbers that look random and are the same for a seed. */
function randomOf(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const NOW = Math.floor(Date.now() / 1_000)
const STEPS = 300

/** Lets people come and go, and writes down what the media server would tell. */
function live(roomIds: readonly string[], random: (below: number) => number): World {
  const world: World = { rooms: new Map(), log: [] }
  for (let step = 0; step < STEPS; step += 1) {
    const at = NOW - STEPS * 2 + step
    const id = roomIds[random(roomIds.length)] as string
    const room = world.rooms.get(id)
    if (!room) {
      const session = { room: id, sid: `RM_${randomUUID()}`, startedAt: at }
      world.rooms.set(id, { session, people: new Map() })
      world.log.push(tell.room('room_started', session, at))
      continue
    }
    const { session, people } = room
    const present = [...people.values()]
    const one = present[random(Math.max(1, present.length))]
    const dice = random(20)
    if (!one || dice < 7) {
      const who = somebody(`${1 + random(50)}`, at)
      people.set(who.sid, { who, tracks: new Set() })
      world.log.push(tell.participant('participant_joined', session, who, at))
    } else if (dice < 12) {
      const sid = `TR_${randomUUID()}`
      one.tracks.add(sid)
      world.log.push(tell.track('track_published', session, one.who, trackOf(sid), at))
    } else if (dice < 14 && one.tracks.size > 0) {
      const [sid = ''] = one.tracks
      one.tracks.delete(sid)
      world.log.push(tell.track('track_unpublished', session, one.who, trackOf(sid), at))
    } else if (dice < 18) {
      people.delete(one.who.sid)
      world.log.push(tell.participant('participant_left', session, one.who, at))
    } else if (dice === 18 && random(4) === 0) {
      for (const { who } of present) world.log.push(tell.participant('participant_left', session, who, at))
      world.log.push(tell.room('room_finished', session, at))
      world.rooms.delete(id)
    }
  }
  return world
}

const trackOf = (sid: string) => ({ sid, source: 'MICROPHONE' })

/** What becomes of a log on a bad day. */
function disturb(log: readonly object[], random: (below: number) => number): object[] {
  const placed = log.flatMap((event, index) => {
    const dice = random(100)
    if (dice < 10) return []
    const late = dice < 15 ? 100 + random(100) : random(12)
    const once = { event, at: index + late }
    return dice < 30 ? [once, { event, at: index + random(60) }] : [once]
  })
  return placed.sort((a, b) => a.at - b.at).map(({ event }) => event)
}

/** The gauges as they must be, counted in the simplest way from what is really there. */
function truthOf(world: World) {
  const rooms = [...world.rooms.values()]
  const people = rooms.flatMap((room) => [...room.people.values()])
  return {
    rtc_room_active: rooms.length,
    rtc_participants_active: people.length,
    'rtc_tracks_active{source=microphone,type=audio}': people.reduce(
      (sum, { tracks }) => sum + tracks.size,
      0,
    ),
  }
}

function listsOf(world: World) {
  const rooms = [...world.rooms.values()]
  return {
    rooms: async (): Promise<MediaRoom[]> =>
      rooms.map(({ session }) => ({
        sid: session.sid,
        name: session.room,
        startedAt: new Date(session.startedAt * 1_000),
      })),
    participants: async (name: string): Promise<MediaParticipant[]> =>
      [...(world.rooms.get(name)?.people.values() ?? [])].map(({ who, tracks }) => ({
        sid: who.sid,
        identity: who.identity,
        name: '',
        kind: 'person',
        active: true,
        mayPublish: true,
        joinedAt: new Date(who.joinedAt * 1_000),
        tracks: [...tracks].map((sid) => ({ sid, source: 'microphone' as const, type: 'audio' as const })),
      })),
    recordings: async () => [],
    ingresses: async () => [],
  }
}

function sweepOf(office: TestOffice, media: ReturnType<typeof listsOf>) {
  const { db } = office.database
  const round = mediaSweep({
    db,
    clock: office.clock,
    log: office.office.log,
    media,
    placeOfRoom: (_db, room) => placeOf(db, room),
    concernsOthers: () => false,
  })
  return () => round(new AbortController().signal)
}

describe('a log in disorder', () => {
  it.each([1, 2, 3, 4])(
    'ends as if nothing had happened to it (seed %i)',
    async (seed) => {
      const random = randomOf(seed * 7_919)
      const first = await openTestOffice({ settings: MEDIA_SETTINGS })
      const { founder, room } = await newRoom(first)
      const rooms = [
        room,
        await addRoom(first, founder),
        await addRoom(first, founder),
        await addRoom(first, founder),
      ]
      const world = live(rooms, random)
      const heard = disturb(world.log, random)
      const half = heard.length >> 1
      const second = await openTestOffice({ settings: MEDIA_SETTINGS, beside: first })
      let shown: Sample[] = []
      try {
        for (const [index, event] of heard.entries()) {
          // another node takes over in the middle; the first one is closed below, with what it still holds
          const office = index < half ? first : second
          expect((await deliver(office, event)).status).toBe(200)
          if (index === half) await first.office.jobs.stop()
          if (index % 25 === 0) shown = shown.concat(await metricsOf(second))
        }
        await untilWorkedOff(first)
        await untilWorkedOff(second)
        expect(shown.filter(({ value }) => value < 0)).toEqual([])

        const sweep = sweepOf(second, listsOf(world))
        await sweep()
        await sweep()
        await untilMetrics(second, founder.organizationId, truthOf(world))
        expect((await metricsOf(second)).filter(({ value }) => value < 0)).toEqual([])
      } finally {
        await second.close()
        await first.close()
      }
    },
    60_000,
  )
})

describe('the sweep', () => {
  it('ends what is missing in two rounds, since the first of them, and not before', async () => {
    const office = await openTestOffice({ settings: MEDIA_SETTINGS })
    try {
      const { founder, room } = await newRoom(office)
      const world = live([room], randomOf(5))
      for (const event of world.log) await deliver(office, event)
      await untilMetrics(office, founder.organizationId, truthOf(world))
      const truth = truthOf(world)
      expect(truth.rtc_participants_active).toBeGreaterThan(0)
      const nothing = { ...listsOf(world), rooms: async () => [] }
      const sweep = sweepOf(office, nothing)
      await sweep()
      await untilMetrics(office, founder.organizationId, truth)
      await sweep()
      await untilMetrics(office, founder.organizationId, {
        rtc_room_active: 0,
        rtc_participants_active: 0,
        'rtc_tracks_active{source=microphone,type=audio}': 0,
      })
      // it was there all the same: what only a sweep has ended comes back
      const there = sweepOf(office, listsOf(world))
      await there()
      await untilMetrics(office, founder.organizationId, truth)
    } finally {
      await office.close()
    }
  })

  it('changes nothing while the media server does not answer', async () => {
    const office = await openTestOffice({ settings: MEDIA_SETTINGS })
    try {
      const { founder, room } = await newRoom(office)
      const world = live([room], randomOf(9))
      for (const event of world.log) await deliver(office, event)
      await untilMetrics(office, founder.organizationId, truthOf(world))
      let answers = true
      const lists = {
        ...listsOf(world),
        async rooms(): Promise<MediaRoom[]> {
          if (!answers) throw new Error('no answer')
          return []
        },
      }
      const sweep = sweepOf(office, lists)
      await sweep()
      answers = false
      await sweep()
      answers = true
      // the miss before the silence no longer counts
      await sweep()
      await untilMetrics(office, founder.organizationId, truthOf(world))
    } finally {
      await office.close()
    }
  })
})
