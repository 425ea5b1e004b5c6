import type { Person } from '@atrium/client/people'
import { describe, expect, it } from 'vitest'
import { floorGroups } from './floor-groups.ts'

const person = (displayName: string, status: Person['status'], more: Partial<Person> = {}): Person => ({
  ...{ id: displayName, displayName, avatarUrl: '', email: `${displayName}@people.example`, role: 'member' },
  ...{ presenceUserId: `user_${displayName}`, presenceStatus: 'offline', status },
  ...more,
})

describe('the floor', () => {
  it('shows those who can be reached first, and none twice', () => {
    const people = [
      person('Ada', 'busy'),
      person('Ben', 'online'),
      person('Cy', 'offline'),
      person('Di', 'away'),
      person('Me', 'online'),
    ]
    const { around, offline } = floorGroups(people, 'Me')
    expect(around.map(({ id }) => id)).toEqual(['Ben', 'Di', 'Ada'])
    expect(offline.map(({ id }) => id)).toEqual(['Cy'])
  })

  it('shows the people in a room, also where they appear offline', () => {
    const { around } = floorGroups([person('Ada', 'offline', { activity: 'in-room' })], 'Me')
    expect(around.map(({ id }) => id)).toEqual(['Ada'])
  })

  it('shows bots by themselves, whatever their status', () => {
    const { around, offline, bots } = floorGroups(
      [person('Minutes', 'online', { isBot: true }), person('Off', 'offline', { isBot: true })],
      'Me',
    )
    expect([around, offline]).toEqual([[], []])
    expect(bots.map(({ id }) => id)).toEqual(['Minutes', 'Off'])
  })
})
