import { realtimeEvents } from '@atrium/contract'
import { describe, expect, it } from 'vitest'
import { schemaFiles } from '../../src/platform/database/schema/schema-files.ts'
import { expectNone, type Violation } from './violations.ts'

const RULE = 'ARCHITECTURE.md §9: an event that SQL makes says what the contract declares of it, and no more'

const EVENTS: Readonly<Record<string, { data: { properties: object; required?: readonly string[] } }>> =
  realtimeEvents
/** By the functions that make a part of several payloads. */
const PARTS: Readonly<Record<string, readonly string[]>> = { ids_of_person: ['userId', 'presenceUserId'] }

interface Told {
  path: string
  line: number
  type: string
  /** Of the payload; undefined where a function makes it whole and its own test holds it to the contract. */
  keys: readonly string[] | undefined
}

function toldBy(text: string): Pick<Told, 'type' | 'keys'>[] {
  return text
    .replaceAll(/--[^\n]*/g, '')
    .split(/perform append_event\(|select append_event\(/)
    .slice(1)
    .flatMap((call) => {
      const [statement = ''] = call.split(';')
      const type = /,\s*'([a-z-]+\.[a-z-]+)'/.exec(statement)
      return type?.[1] === undefined ? [] : [{ type: type[1], keys: keysOf(statement) }]
    })
}

function keysOf(statement: string): readonly string[] | undefined {
  const parts = Object.entries(PARTS).flatMap(([name, keys]) => (statement.includes(`${name}(`) ? keys : []))
  const objects = [...statement.matchAll(/jsonb_build_object\(/g)].flatMap(({ index }) =>
    argumentsOf(statement.slice(index + 'jsonb_build_object('.length)).filter((_, place) => place % 2 === 0),
  )
  const named = objects.map((key) => /^'(\w+)'$/.exec(key)?.[1] ?? key)
  return parts.length + named.length === 0 ? undefined : [...parts, ...named]
}

/** Of a call, up to its closing bracket. */
function argumentsOf(text: string): string[] {
  const found = ['']
  let depth = 0
  for (const sign of text) {
    if (sign === ')' && depth === 0) break
    if (sign === '(') depth += 1
    if (sign === ')') depth -= 1
    if (sign === ',' && depth === 0) found.push('')
    else found[found.length - 1] += sign
  }
  return found.map((one) => one.trim())
}

function faultsOf({ path, line, type, keys }: Told): Violation[] {
  const declared = EVENTS[type]?.data
  if (!declared) return [{ path, line, what: `${type} is not declared` }]
  if (!keys) return []
  const strange = keys.filter((key) => !Object.hasOwn(declared.properties, key))
  const missing = (declared.required ?? []).filter((key) => !keys.includes(key))
  return [
    ...strange.map((key) => ({ path, line, what: `${type} declares no ${key}` })),
    ...missing.map((key) => ({ path, line, what: `${type} says no ${key}` })),
  ]
}

describe('events of schema.sql', () => {
  const told = schemaFiles().flatMap(({ path, line, text }) =>
    toldBy(text).map((one) => ({ path, line, ...one })),
  )

  it('are found, with what they say', () => {
    expect(told.length).toBeGreaterThan(20)
    expect(told.filter(({ keys }) => keys).length).toBeGreaterThan(12)
  })

  it('say what the contract declares', () => {
    expectNone(RULE, told.flatMap(faultsOf))
  })

  it.each([
    ["perform append_event(channels, 'room.deleted', now(), jsonb_build_object('room', 1), 'x');", 2],
    ["perform append_event(channels, 'room.gone', now(), jsonb_build_object('roomId', 1), 'x');", 1],
    ["perform append_event(channels, 'room.deleted', now(), jsonb_build_object('roomId', f(1, 2)), 'x');", 0],
  ])('are refused where they do not: %s', (text, faults) => {
    const [one] = toldBy(text)
    expect(one && faultsOf({ path: 'x', line: 1, ...one })).toHaveLength(faults)
  })
})
