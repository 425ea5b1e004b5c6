import { describe, expect, it } from 'vitest'
import { localTime } from './local-time.ts'

const NOON = new Date('2026-07-01T12:00:00Z')

describe('localTime', () => {
  it('reads as the clocks of the zone do, summer time and quarters of an hour in it', () => {
    expect(localTime('Europe/Berlin', NOON, 'de')).toBe('14:00')
    expect(localTime('Asia/Kathmandu', NOON, 'de')).toBe('17:45')
    expect(localTime('America/New_York', new Date('2026-01-01T12:00:00Z'), 'de')).toBe('7:00')
  })

  it('tells the day where it is another one there', () => {
    expect(localTime('Pacific/Auckland', NOON, 'en')).toMatch(/^Thu.* 12:00 AM$/)
    expect(localTime('Pacific/Auckland', NOON, 'en', 'Pacific/Auckland')).toMatch(/^12:00 AM$/)
  })

  it('is none where this browser does not know the zone', () => {
    expect(localTime('Mars/Olympus', NOON, 'en')).toBeUndefined()
  })
})
