import { describe, expect, it } from 'vitest'
import { type Device, deviceInUse, replacementOf } from './device-choice.ts'

const device = (id: string, kind: Device['kind'] = 'audioinput'): Device => ({ id, kind, label: `The ${id}` })
const all = [device('default'), device('headset'), device('desk'), device('webcam', 'videoinput')]

describe('the device in use', () => {
  it('is the chosen one, else what the system takes, else the first', () => {
    expect(deviceInUse(all, 'audioinput', 'headset')).toBe('headset')
    expect(deviceInUse(all, 'audioinput', 'sold last year')).toBe('default')
    expect(deviceInUse(all, 'videoinput', '')).toBe('webcam')
    expect(deviceInUse([], 'audioinput', 'headset')).toBe('')
  })
})

describe('a device that is unplugged', () => {
  it('is replaced by what the system takes', () => {
    const now = all.filter(({ id }) => id !== 'headset')
    expect(replacementOf(all, now, 'audioinput', 'headset')).toEqual({
      gone: device('headset'),
      next: device('default'),
    })
  })

  it('is replaced by none where there is no other', () => {
    expect(replacementOf(all, [], 'videoinput', 'webcam')).toEqual({
      gone: device('webcam', 'videoinput'),
      next: undefined,
    })
  })

  it('changes nothing where another one is in use', () => {
    const now = all.filter(({ id }) => id !== 'desk')
    expect(replacementOf(all, now, 'audioinput', 'headset')).toBeUndefined()
    expect(replacementOf(all, now, 'audioinput', 'never there')).toBeUndefined()
  })
})
