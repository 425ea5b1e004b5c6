import { describe, expect, it } from 'vitest'
import { compactUtc, isTimeZone, momentOf, offsetAt, zonedText } from './zoned-time.ts'

describe('times in zones', () => {
  it.each([
    ['2026-03-28T09:30:00', 'Europe/Berlin', '2026-03-28T08:30:00.000Z', '2026-03-28T09:30:00+01:00'],
    ['2026-03-29T09:30:00', 'Europe/Berlin', '2026-03-29T07:30:00.000Z', '2026-03-29T09:30:00+02:00'],
    ['2026-10-25T09:30:00', 'Europe/Berlin', '2026-10-25T08:30:00.000Z', '2026-10-25T09:30:00+01:00'],
    ['2026-03-08T10:00:00', 'America/New_York', '2026-03-08T14:00:00.000Z', '2026-03-08T10:00:00-04:00'],
    ['2026-03-07T10:00:00', 'America/New_York', '2026-03-07T15:00:00.000Z', '2026-03-07T10:00:00-05:00'],
    ['2026-01-01T00:00:00', 'Asia/Kathmandu', '2025-12-31T18:15:00.000Z', '2026-01-01T00:00:00+05:45'],
    ['2026-06-01T12:00:00', 'America/St_Johns', '2026-06-01T14:30:00.000Z', '2026-06-01T12:00:00-02:30'],
    ['2026-04-05T01:45:00', 'Australia/Lord_Howe', '2026-04-04T14:45:00.000Z', '2026-04-05T01:45:00+11:00'],
    ['2026-06-01T12:00:00', 'UTC', '2026-06-01T12:00:00.000Z', '2026-06-01T12:00:00+00:00'],
    // shown twice: the first
    ['2026-10-25T02:30:00', 'Europe/Berlin', '2026-10-25T00:30:00.000Z', '2026-10-25T02:30:00+02:00'],
    // left out
    ['2026-03-29T02:30:00', 'Europe/Berlin', '2026-03-29T01:30:00.000Z', '2026-03-29T03:30:00+02:00'],
    ['2026-04-24T00:00:00', 'Africa/Cairo', '2026-04-23T22:00:00.000Z', '2026-04-24T01:00:00+03:00'],
  ])('%s in %s is %s, shown as %s', (local, zone, utc, text) => {
    const at = momentOf(local, zone)
    expect(at.toISOString()).toBe(utc)
    expect(zonedText(at, zone)).toBe(text)
    expect(Date.parse(text)).toBe(at.getTime())
  })

  it('knows what is a zone', () => {
    expect(
      ['Europe/Berlin', 'Etc/GMT+12', 'UTC', 'Asia/Calcutta'].filter((zone) => !isTimeZone(zone)),
    ).toEqual([])
    expect(['', 'Mars/Olympus', 'W. Europe Standard Time', '+02:00', '\u0000'].filter(isTimeZone)).toEqual([])
  })

  it('refuses what is no zone and no time', () => {
    expect(() => offsetAt('Mars/Olympus', new Date())).toThrow(RangeError)
    expect(() => momentOf('yesterday', 'UTC')).toThrow(RangeError)
  })

  it('writes the compact form', () => {
    expect(compactUtc(new Date('2026-03-30T07:30:00.123Z'))).toBe('20260330T073000Z')
  })
})
