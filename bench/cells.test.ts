import { describe, expect, it } from 'vitest'
import {
  arrivedBy,
  HABITS,
  largestOrganization,
  morningOf,
  organizationsOf,
  peopleOf,
  placed,
  SLOPES,
} from './cells-model.ts'

const capacity = { cores: 8 }
const cellOf = (...people: number[]) => ({ organizations: people.map((one) => ({ people: one })) })

describe('the simulation of cells', () => {
  it('places every organization and everybody in one cell, and fills cells evenly', () => {
    const organizations = organizationsOf(1_000_000, 50_000)
    const cells = placed(organizations, 50)
    expect(organizations.reduce((sum, { people }) => sum + people, 0)).toBe(1_000_000)
    expect(new Set(cells.flatMap((cell) => cell.organizations))).toEqual(new Set(organizations))
    expect(cells.flatMap((cell) => cell.organizations)).toHaveLength(organizations.length)
    expect(cells.reduce((sum, cell) => sum + peopleOf(cell), 0)).toBe(1_000_000)
  })

  it.each([
    ['a quiet one', cellOf(1_000, 500), capacity, undefined],
    ['one with too few cores', cellOf(20_000), { cores: 0.05 }, undefined],
    ['one that is lost and comes back', cellOf(20_000, 3), capacity, { minute: 90, length: 30 }],
  ])('its books balance: what was given is done or waits (%s)', (_, cell, cores, outage) => {
    const day = morningOf(cell, cores, outage)
    for (const { given, done, waiting } of [day.processor, day.commits, day.deliveries]) {
      expect(done + waiting).toBeCloseTo(given, 3)
      expect(given).toBeGreaterThan(0)
    }
    expect(day.online).toBeCloseTo(peopleOf(cell) * HABITS.present, 6)
  })

  it('gives each who comes their requests once, without an outage', () => {
    const day = morningOf(cellOf(10_000), capacity)
    const there = Array.from({ length: 240 }, (_, n) => arrivedBy(n + 1)).reduce((sum, part) => sum + part, 0)
    const people = 10_000 * HABITS.present
    const expected =
      people * (HABITS.requestsOfArrival * SLOPES.request + SLOPES.presence) +
      people * there * HABITS.requestsAMinute * SLOPES.request
    expect(day.processor.given).toBeCloseTo(expected, 6)
  })

  it('shows that a cell which comes back has its arrivals twice, and one that does not suffice is late', () => {
    const [quiet, lost] = [undefined, { minute: 120, length: 60 }].map((outage) =>
      morningOf(cellOf(20_000), capacity, outage),
    )
    expect(lost?.processor.peak).toBeGreaterThan(quiet?.processor.peak ?? Number.NaN)
    expect(morningOf(cellOf(20_000), { cores: 0.05 }).processor.lateMinutes).toBeGreaterThan(0)
  })

  it('finds the limit: one person more has to wait', () => {
    const { people, limit } = largestOrganization(capacity)
    expect(morningOf(cellOf(people), capacity)[limit].lateMinutes).toBe(0)
    expect(morningOf(cellOf(people + 1), capacity)[limit].lateMinutes).toBeGreaterThan(0)
  })
})
