import { describe, expect, it } from 'vitest'
import type { Db } from '../../platform/database/database.ts'
import { trusted } from '../../platform/ids.ts'
import { openRooms } from './open-rooms.ts'

const ROOM = trusted.roomId('0196b8f0-0000-7000-8000-000000000001')
const ORGANIZATION = trusted.organizationId('1')

/** A media server that counts, and a database in which the room is there. */
function scene({ fails = false } = {}) {
  const row = { id: ROOM }
  const query = { select: () => query, where: () => query, executeTakeFirst: async () => row }
  let now = 0
  const asked: string[] = []
  const state = { fails }
  const media = {
    async openRoom(room: string) {
      asked.push(room)
      if (state.fails) throw new Error('the media server is away')
    },
    closeRoom: async () => true,
  }
  const rooms = openRooms(() => now)
  const needs = { db: { selectFrom: () => query } as unknown as Db, media }
  return {
    asked,
    state,
    later: (ms: number) => {
      now += ms
    },
    enter: (identity: string, afresh = false) =>
      rooms.ensure(needs, { organization: ORGANIZATION, room: ROOM, identity }, afresh),
  }
}

describe('rooms that were opened a moment ago', () => {
  it('are opened once for those who enter together', async () => {
    const { asked, enter } = scene()
    await Promise.all(['1', '2', '3'].map((identity) => enter(identity)))
    await enter('4')
    expect(asked).toEqual([ROOM])
  })

  it('are opened again for whoever comes twice, or comes back, and after five seconds', async () => {
    const { asked, enter, later } = scene()
    await enter('1')
    await enter('1')
    expect(asked).toHaveLength(2)
    await enter('2', true)
    expect(asked).toHaveLength(3)
    later(5_000)
    await enter('3')
    expect(asked).toHaveLength(4)
  })

  it('are not known where the media server did not answer, and all who waited for it hear so', async () => {
    const { asked, enter, state } = scene({ fails: true })
    const entered = await Promise.allSettled([enter('1'), enter('2')])
    expect(entered.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    state.fails = false
    await enter('2')
    expect(asked).toHaveLength(2)
  })
})
