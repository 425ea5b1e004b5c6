import { describe, expect, it } from 'vitest'
import { addsMention, isAnnounced, isQuietAt } from './announced.ts'

describe('whether a message is announced', () => {
  it.each([
    ['all', {}, true],
    [undefined, {}, true],
    ['none', { mentions: ['42'] }, false],
    ['mentions', {}, false],
    ['mentions', { mentions: ['7'] }, false],
    ['mentions', { mentions: ['42'] }, true],
    ['mentions', { mentionsRoom: true }, true],
  ] as const)('at %s, of %j: %s', (level, message, expected) => {
    expect(
      isAnnounced(
        { ...message, mentions: [...('mentions' in message ? message.mentions : [])] },
        { level },
        '42',
      ),
    ).toBe(expected)
  })
})

describe('whether a reply is announced', () => {
  it.each([
    ['all', true, true],
    ['all', false, false],
    ['mentions', true, true],
    ['mentions', false, false],
    ['none', true, false],
    ['all', null, true],
    ['mentions', null, false],
  ] as const)('at %s, where its thread is followed (%s): %s', (level, follows, expected) => {
    expect(isAnnounced({}, { level, follows }, '42')).toBe(expected)
    expect(isAnnounced({ mentions: ['42'] }, { level, follows }, '42')).toBe(level !== 'none')
  })
})

describe('an edit', () => {
  it('calls those whom it mentions anew, and nobody whom the message mentioned before', () => {
    expect(addsMention({ mentionsAdded: ['7', '42'] }, '42')).toBe(true)
    expect(addsMention({ mentionsAdded: ['room'] }, '42')).toBe(true)
    expect(addsMention({ mentionsAdded: ['7'] }, '42')).toBe(false)
    expect(addsMention({}, '42')).toBe(false)
  })
})

describe('quiet hours', () => {
  const at = (time: string) => new Date(`2026-11-27T${time}:00Z`)
  const berlin = { from: '18:00', to: '08:00', zone: 'Europe/Berlin' }

  it('go over midnight, by the clocks of their zone', () => {
    expect(isQuietAt(berlin, at('16:59'))).toBe(false)
    expect(isQuietAt(berlin, at('17:00'))).toBe(true)
    expect(isQuietAt(berlin, at('23:30'))).toBe(true)
    expect(isQuietAt(berlin, at('06:59'))).toBe(true)
    expect(isQuietAt(berlin, at('07:00'))).toBe(false)
  })

  it('stand within a day, last all of it, or are none', () => {
    const noon = { from: '12:00', to: '13:00', zone: 'UTC' }
    expect([at('11:59'), at('12:00'), at('13:00')].map((now) => isQuietAt(noon, now))).toEqual([
      false,
      true,
      false,
    ])
    expect(isQuietAt({ ...noon, to: '12:00' }, at('09:00'))).toBe(true)
    expect(isQuietAt(null, at('12:30'))).toBe(false)
  })
})
