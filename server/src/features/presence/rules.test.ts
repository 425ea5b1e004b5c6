import { describe, expect, it } from 'vitest'
import {
  ABSENT,
  after,
  audienceOf,
  manualAsShown,
  type Occurrence,
  type Presence,
  type Status,
  visible,
} from './rules.ts'

const CHOICES = ['online', 'away', 'busy', 'appear_offline'] as const
const LETTER = { restoreManual: false }
const RESTORING = { restoreManual: true }
const connected: Occurrence = { kind: 'connected' }
const lost: Occurrence = { kind: 'lost' }

/** A presence as one comes by it: a choice, or a connection. */
function presence(status: Status, manual: Presence['manual'] = null): Presence {
  return { status, manual }
}

describe('the state table', () => {
  it('brings everybody who connects online, and overrides no choice', () => {
    expect(after(ABSENT, connected, LETTER)).toEqual(presence('online'))
    for (const choice of CHOICES) {
      const chosen = presence(choice, choice)
      expect(after(chosen, connected, LETTER)).toBe(chosen)
    }
  })

  it.each(CHOICES)('takes the choice %s in every state', (choice) => {
    for (const before of [ABSENT, ...CHOICES.map((status) => presence(status, status))])
      expect(after(before, { kind: 'chosen', status: choice }, LETTER)).toEqual(presence(choice, choice))
  })

  it.each(CHOICES)('ends %s with the last connection, and the choice with it', (choice) => {
    expect(after(presence(choice, choice), lost, LETTER)).toEqual(ABSENT)
    expect(after(ABSENT, lost, LETTER)).toBe(ABSENT)
  })

  it.each(['busy', 'away', 'appear_offline'] as const)('restores %s where it is told to', (choice) => {
    const gone = after(presence(choice, choice), lost, RESTORING)
    expect(gone).toEqual(presence('offline', choice))
    expect(after(gone, connected, RESTORING)).toEqual(presence(choice, choice))
    expect(after(gone, connected, LETTER)).toEqual(presence('online'))
  })

  it('does not keep a chosen online over a lost connection', () => {
    expect(after(presence('online', 'online'), lost, RESTORING)).toEqual(ABSENT)
  })

  it('leaves nothing of who is removed', () => {
    expect(after(presence('busy', 'busy'), { kind: 'removed' }, RESTORING)).toEqual(ABSENT)
    expect(after(presence('offline', 'busy'), { kind: 'removed' }, RESTORING)).toEqual(ABSENT)
  })
})

describe('who hears of a change', () => {
  const chosen: Occurrence = { kind: 'chosen', status: 'online' }

  it('is everybody where the visible status changes', () => {
    expect(audienceOf(ABSENT, presence('online'), connected)).toBe('colleagues')
    expect(audienceOf(presence('busy'), presence('appear_offline'), chosen)).toBe('colleagues')
    expect(audienceOf(presence('appear_offline'), presence('away'), chosen)).toBe('colleagues')
    expect(audienceOf(presence('away'), ABSENT, lost)).toBe('colleagues')
  })

  it('is nobody else where only invisibility begins or ends', () => {
    expect(audienceOf(presence('appear_offline'), ABSENT, lost)).toBe('self')
    expect(audienceOf(ABSENT, presence('appear_offline'), chosen)).toBe('nobody')
    expect(audienceOf(ABSENT, presence('appear_offline'), connected)).toBe('nobody')
    expect(audienceOf(presence('appear_offline'), ABSENT, { kind: 'removed' })).toBe('nobody')
  })

  it('is nobody where nothing changes', () => {
    for (const status of ['offline', ...CHOICES] as const)
      expect(audienceOf(presence(status), presence(status, 'online'), chosen)).toBe('nobody')
  })
})

it('shows others neither the invisible status nor the invisible choice', () => {
  expect(['offline', ...CHOICES].map((status) => visible(status as Status))).toEqual([
    'offline',
    'online',
    'away',
    'busy',
    'offline',
  ])
  expect(manualAsShown('appear_offline')).toBe('offline')
  expect(manualAsShown('busy')).toBe('busy')
  expect(manualAsShown(null)).toBeNull()
})
