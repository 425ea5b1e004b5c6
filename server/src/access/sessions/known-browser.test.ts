import { expect, it } from 'vitest'
import { isKnownBrowser, rememberBrowser } from './known-browser.ts'

const DAY_MS = 24 * 3_600_000
const now = new Date('2026-03-01T09:00:00Z')
const later = (days: number) => new Date(now.getTime() + days * DAY_MS)

/** A browser that keeps what it is given, and how long it was told to. */
function browser(secret = 'k') {
  const kept = new Map<string, string>()
  const seconds: number[] = []
  const key = Buffer.alloc(32, secret)
  const keys = { current: key, all: [key] }
  const cookies = {
    read: (name: string) => kept.get(name),
    hasAny: () => false,
    write(name: string, value: string, { maxAgeSeconds }: { maxAgeSeconds: number }) {
      kept.set(name, value)
      seconds.push(maxAgeSeconds)
    },
    remove: () => {},
  }
  return { keys, cookies, seconds }
}

it('knows an address for 180 days after its last sign-in, and no other address', () => {
  const here = browser()
  rememberBrowser(here, 'ada@people.example', now)
  expect(here.seconds).toEqual([180 * 24 * 3_600])
  expect(isKnownBrowser(here, 'ada@people.example', later(179.9))).toBe(true)
  expect(isKnownBrowser(here, 'ada@people.example', later(180.1))).toBe(false)
  expect(isKnownBrowser(here, 'ben@people.example', now)).toBe(false)
  expect(isKnownBrowser({ ...here, keys: browser('x').keys }, 'ada@people.example', now)).toBe(false)
  rememberBrowser(here, 'ada@people.example', later(100))
  expect(isKnownBrowser(here, 'ada@people.example', later(270))).toBe(true)
})

it('knows the five who came last', () => {
  const here = browser()
  const people = Array.from({ length: 6 }, (_, at) => `person-${at}@people.example`)
  for (const email of people) rememberBrowser(here, email, now)
  expect(people.map((email) => isKnownBrowser(here, email, now))).toEqual([
    false,
    true,
    true,
    true,
    true,
    true,
  ])
})
