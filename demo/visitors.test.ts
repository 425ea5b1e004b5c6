import { describe, expect, it } from 'vitest'
import { type Seated, toReceive } from './visitors.ts'

const cast = { ids: new Set(['Ada', 'Ben', 'Cy', 'Di', 'Ed']), mediaRoom: 'Kitchen' }
const inRoom = (id: string, people: string[], guests = 0) => ({
  ...{ id, guests },
  people: people.map((userId) => ({ userId })),
})
const seat = (id: string, isHeard = false, roomId = 'Workshop'): Seated => ({ id, roomId, isHeard })
const idsOf = ({ heard, leaving }: ReturnType<typeof toReceive>) =>
  [heard, leaving].map((all) => all.map(({ id }) => id))

describe('toReceive', () => {
  it('leaves a room alone that only the cast is in, and the kitchen always', () => {
    const rooms = [inRoom('Workshop', ['Ada']), inRoom('Kitchen', ['Ben', 'me'])]
    expect(idsOf(toReceive(rooms, [seat('Ada'), seat('Ben', true, 'Kitchen')], cast))).toEqual([[], []])
  })
  it('lets three be heard beside a visitor or a guest, and the others go', () => {
    const seated = [seat('Ada', true), seat('Ben'), seat('Cy'), seat('Di')]
    const visited = [inRoom('Workshop', ['Ada', 'Ben', 'Cy', 'Di', 'me'])]
    expect(idsOf(toReceive(visited, seated, cast))).toEqual([['Ben', 'Cy'], ['Di']])
    expect(idsOf(toReceive([inRoom('Workshop', ['Ben'], 1)], [seat('Ben')], cast))).toEqual([['Ben'], []])
  })
  it('ends what was for a visitor who has gone', () => {
    const rooms = [inRoom('Workshop', ['Ada', 'Ben'])]
    expect(idsOf(toReceive(rooms, [seat('Ada', true), seat('Ben')], cast))).toEqual([[], ['Ada']])
  })
})
