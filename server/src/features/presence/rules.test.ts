import { describe, expect, it } from 'vitest'
import {
  ABSENT,
  after as afterAt,
  audienceOf,
  isBusyByMeeting,
  manualAsShown,
  noteToTell,
  type Occurrence,
  type Presence,
  type PresenceRules,
  type Status,
  visible,
  visibleNote,
} from './rules.ts'

const CHOICES = ['online', 'away', 'busy', 'appear_offline'] as const
const LETTER = { restoreManual: false }
const RESTORING = { restoreManual: true }
const connected: Occurrence = { kind: 'connected' }
const lost: Occurrence = { kind: 'lost' }

const BEFORE = new Date('2026-03-23T08:00:00Z')

function after(presence: Presence, occurrence: Occurrence, rules: PresenceRules, now = BEFORE): Presence {
  return afterAt(presence, occurrence, rules, now)
}

/** A presence as one comes by it: a choice, or a connection. */
function presence(status: Status, manual: Presence['manual'] = null): Presence {
  return { status, manual, note: null, until: null, inMeeting: false }
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

describe('a note and the end of a choice', () => {
  const AT = new Date('2026-03-23T09:00:00Z')
  const LATER = new Date('2026-03-23T17:00:00Z')
  const ended = (isConnected = true): Occurrence => ({ kind: 'ended', connected: isConnected })
  const lunch: Presence = { status: 'away', manual: 'away', note: 'Lunch', until: LATER, inMeeting: false }
  const choose = (before: Presence, more: object): Presence =>
    after(before, { kind: 'chosen', status: 'busy', ...more }, LETTER)

  it('are of the choice that gives them', () => {
    expect(choose(ABSENT, { note: 'Focus', until: LATER })).toMatchObject({ note: 'Focus', until: LATER })
    expect(choose(lunch, { note: 'Focus' })).toMatchObject({ note: 'Focus', until: null })
    expect(choose(lunch, { note: null })).toMatchObject({ note: null, until: null })
    expect(choose(lunch, { until: AT })).toMatchObject({ note: 'Lunch', until: AT })
  })

  it('stay together where neither is given, and no end stays of a choice without note', () => {
    expect(choose(lunch, {})).toEqual({ ...lunch, status: 'busy', manual: 'busy' })
    expect(choose({ ...lunch, note: null }, {})).toMatchObject({ note: null, until: null })
  })

  it('are the same choice when made twice', () => {
    const busy = choose(ABSENT, { note: 'Focus', until: LATER })
    expect(choose(busy, { note: 'Focus', until: new Date(LATER) })).toBe(busy)
  })

  it('outlive a lost connection; an end of nothing does not', () => {
    const gone = after(lunch, lost, LETTER)
    expect(gone).toEqual({ ...lunch, status: 'offline', manual: null })
    expect(after(gone, connected, LETTER)).toMatchObject({ status: 'online', note: 'Lunch', until: LATER })
    expect(after({ ...lunch, note: null }, lost, LETTER)).toEqual(ABSENT)
    expect(after({ ...lunch, note: null }, lost, RESTORING)).toMatchObject({ manual: 'away', until: LATER })
  })

  it('end together, not before their time, and leave what connectivity says', () => {
    expect(after(lunch, ended(), LETTER, AT)).toBe(lunch)
    expect(after(lunch, ended(), LETTER, LATER)).toEqual(presence('online'))
    expect(after({ ...lunch, until: null }, ended(), LETTER, LATER)).toMatchObject({ note: 'Lunch' })
    const gone = after(lunch, lost, RESTORING)
    expect(after(gone, ended(), RESTORING, LATER)).toEqual(ABSENT)
  })

  it('that have ended are nothing that a new choice, or a connection, takes over', () => {
    const rests = { note: null, until: null }
    const chooses = (more = {}): Occurrence => ({ kind: 'chosen', status: 'busy', ...more })
    expect(after(lunch, chooses(), LETTER, LATER)).toEqual(presence('busy', 'busy'))
    const again = new Date('2026-03-23T18:00:00Z')
    expect(after(lunch, chooses({ until: again }), LETTER, LATER)).toMatchObject({ note: null, until: again })
    const gone = after(lunch, lost, RESTORING)
    expect(after(gone, connected, RESTORING, LATER)).toEqual({ ...presence('online'), ...rests })
    expect(after(gone, connected, RESTORING, AT)).toMatchObject({ status: 'away', note: 'Lunch' })
    // a member who is there keeps their choice until its end
    expect(after(lunch, connected, LETTER, LATER)).toBe(lunch)
  })

  it('of before show none who has hidden since without saying until when', () => {
    const hides: Occurrence = { kind: 'chosen', status: 'appear_offline' }
    const hidden = presence('appear_offline', 'appear_offline')
    expect(after(lunch, hides, LETTER)).toEqual(hidden)
    expect(after({ ...lunch, until: null }, hides, LETTER)).toEqual({ ...hidden, note: 'Lunch' })
    expect(after(lunch, { ...hides, until: LATER }, LETTER)).toEqual({
      ...hidden,
      note: 'Lunch',
      until: LATER,
    })
  })

  it('make none visible who is not there', () => {
    const hidden: Presence = { ...lunch, status: 'appear_offline', manual: 'appear_offline' }
    expect(after(lunch, ended(false), LETTER, LATER)).toEqual(ABSENT)
    expect(after(hidden, ended(false), LETTER, LATER)).toEqual(ABSENT)
    expect(audienceOf(hidden, ABSENT, ended(false))).toBe('self')
    expect(after(hidden, ended(), LETTER, LATER)).toEqual(presence('online'))
    expect(audienceOf(hidden, presence('online'), ended())).toBe('colleagues')
  })

  it('are shown of who is seen, until they end', () => {
    const none = { note: null, until: null }
    expect(visibleNote(lunch, AT)).toEqual({ note: 'Lunch', until: LATER })
    expect(visibleNote(lunch, LATER)).toEqual(none)
    for (const status of ['offline', 'appear_offline'] as const)
      expect(visibleNote({ ...lunch, status }, AT)).toEqual(none)
  })

  it('are told where what is shown of them changes, whichever way they go offline', () => {
    const [offline, hidden] = [
      { ...lunch, status: 'offline' as const },
      { ...lunch, status: 'appear_offline' as const },
    ]
    const none = { note: null, until: null }
    expect(noteToTell(lunch, offline, AT)).toEqual(none)
    expect(noteToTell(lunch, hidden, AT)).toEqual(none)
    expect(noteToTell(offline, lunch, AT)).toEqual({ note: 'Lunch', until: LATER })
    expect(noteToTell(hidden, offline, AT)).toBeUndefined()
    expect(noteToTell(lunch, { ...lunch, status: 'busy' }, AT)).toBeUndefined()
    expect(noteToTell(lunch, presence('online'), LATER)).toEqual(none)
  })
})

describe('a meeting of the calendar', () => {
  const begins: Occurrence = { kind: 'meeting', goesOn: true }
  const ends: Occurrence = { kind: 'meeting', goesOn: false }
  const run = (start: Presence, ...occurrences: Occurrence[]) =>
    occurrences.reduce((state, occurrence) => after(state, occurrence, LETTER), start)

  it('reads as busy, and what was before comes back', () => {
    expect(run(presence('online'), begins)).toEqual({ ...presence('busy'), inMeeting: true })
    expect(isBusyByMeeting(run(presence('online'), begins))).toBe(true)
    expect(run(presence('online'), begins, begins, ends, ends)).toEqual(presence('online'))
  })

  it.each(CHOICES)('is lower than the choice %s, made before or meanwhile', (choice) => {
    const chosen = presence(choice, choice)
    const chooses: Occurrence = { kind: 'chosen', status: choice }
    for (const meanwhile of [run(chosen, begins), run(presence('online'), begins, chooses)]) {
      expect(meanwhile).toEqual({ ...chosen, inMeeting: true })
      expect(isBusyByMeeting(meanwhile)).toBe(false)
      expect(run(meanwhile, ends)).toEqual(chosen)
    }
  })

  it('leaves offline as it is; members who connect meanwhile are busy', () => {
    expect(run(ABSENT, begins)).toEqual({ ...ABSENT, inMeeting: true })
    expect(run(ABSENT, begins, connected)).toEqual({ ...presence('busy'), inMeeting: true })
    expect(run(ABSENT, begins, ends, connected)).toEqual(presence('online'))
    expect(run(presence('online'), begins, lost, ends, connected)).toEqual(presence('online'))
    expect(run(presence('online'), begins, { kind: 'removed' })).toEqual(ABSENT)
  })

  it('is what a choice gives way to when its time is over', () => {
    const at = new Date('2026-03-23T09:00:00Z')
    const away: Occurrence = { kind: 'chosen', status: 'away', until: at }
    const over = after(run(presence('online'), away, begins), { kind: 'ended', connected: true }, LETTER, at)
    expect(over).toEqual({ ...presence('busy'), inMeeting: true })
  })
})
