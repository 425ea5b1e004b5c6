import { describe, expect, it } from 'vitest'
import { CAST, LINES, ROOMS } from './cast.ts'
import { type Act, emptyScene, nextAct, seeded } from './story.ts'

const cast = { people: CAST.length, rooms: ROOMS, lines: LINES.length }

function day(seed: number, acts: number) {
  const scene = emptyScene()
  const random = seeded(seed)
  const told: Act[] = []
  for (let act = 0; act < acts; act += 1) told.push(nextAct(scene, cast, random))
  return { scene, told }
}

describe('the story of the demo', () => {
  it('is the same for the same seed, and another for another', () => {
    expect(day(1, 500).told).toEqual(day(1, 500).told)
    expect(day(2, 500).told).not.toEqual(day(1, 500).told)
  })

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('holds together (seed %i)', (seed) => {
    const before = emptyScene()
    for (const act of day(seed, 2_000).told) {
      const isHere = before.here.has(act.person)
      if (act.act === 'come') expect(isHere).toBe(false)
      else expect(isHere || before.here.size === 0, JSON.stringify(act)).toBe(true)
      if (act.act === 'enter') {
        expect(before.rooms.has(act.person)).toBe(false)
        expect(before.locked.has(act.room) && act.room !== 0).toBe(false)
      }
      if (['leave', 'share', 'camera', 'hand', 'lock'].includes(act.act))
        expect(before.rooms.has(act.person), JSON.stringify(act)).toBe(true)
      if ('to' in act) expect(act.to).not.toBe(act.person)
      if (act.act === 'come') before.here.add(act.person)
      if (act.act === 'go') before.here.delete(act.person)
      if (act.act === 'go' || act.act === 'leave') before.rooms.delete(act.person)
      if (act.act === 'enter') before.rooms.set(act.person, act.room)
    }
  })

  it('fills the office: people, rooms with people in them, one who shares', () => {
    const { scene } = day(7, 300)
    expect(scene.here.size).toBeGreaterThan(20)
    expect(new Set(scene.rooms.values()).size).toBeGreaterThan(5)
    expect(day(7, 400).told.some(({ act }) => act === 'share')).toBe(true)
  })
})
