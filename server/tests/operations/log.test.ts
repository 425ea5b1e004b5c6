import { limitNames, operationEntries } from '@atrium/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openLog } from '../../src/platform/log.ts'
import type { TestOffice } from '../office.ts'
import { mailsTo } from '../people.ts'
import { rows } from './rows.ts'
import { type AnyInput, openTrialOffice, type Stage, send, setStage, standingStage } from './stage.ts'

/** Under these names travels what opens something, or what a person is called by or has written. */
const PERSONAL =
  /token|secret|code|cookie|password|email|name|title|content|topic|participants|url|link|message$/i
/** Said by the office itself, in words that are no secret. */
const OURS = new Set(['message', 'error', 'operationName', 'providerName'])
/** Names that are words of the office: of its limits. */
const OUR_NAMES = new Set<string>(limitNames)
/** Shorter ones stand in other words by chance. */
const LENGTH_MIN = 6

/** Everything in a request or a reply that no log may hold. */
function personalIn(value: unknown, name = '', found = new Set<string>()): Set<string> {
  if (typeof value === 'string') {
    const email = /^[^@\s]+@[^@\s]+$/.test(value)
    const isOurs = OURS.has(name) || OUR_NAMES.has(value)
    if ((email || (PERSONAL.test(name) && !isOurs)) && value.length >= LENGTH_MIN) found.add(value)
  } else if (Array.isArray(value)) for (const item of value) personalIn(item, name, found)
  else if (value && typeof value === 'object')
    for (const [key, item] of Object.entries(value)) personalIn(item, key, found)
  return found
}

/** What the office or the machine itself says in each line, in which a short word or number may stand by chance. */
function withoutOurs(line: string): string {
  const { time, pid, hostname, requestId, route, operation, ...rest } = JSON.parse(line) as Record<
    string,
    unknown
  >
  return JSON.stringify(rest)
}

/** A code is a number of its own, and not a part of another one. */
function holds(line: string, canary: string): boolean {
  if (!/^\d+$/.test(canary)) return line.includes(canary)
  return new RegExp(`(?<!\\d)${canary}(?!\\d)`).test(line)
}

describe('the log of every operation, done, refused and failed', () => {
  const lines: string[] = []
  const canaries = new Set<string>()
  let office: TestOffice
  beforeAll(async () => {
    const into = { write: (line: string) => void lines.push(line) }
    office = await openTrialOffice({ log: openLog({ level: 'trace', forPeople: false, into }) })
    await office.database.pool.query(`
      create function refuse_entry() returns trigger language plpgsql as
      $$ begin raise exception 'no entry today'; end $$`)
  })
  afterAll(() => office.close())
  const standing = standingStage(() => setStage(office, 'Canary Works'))

  async function tryAll(id: (typeof operationEntries)[number][0]): Promise<void> {
    const stage = await standing.now()
    stage.visitor = office.browser()
    const caller = callerOf(id, stage)
    const input = (await rows[id].input?.(stage, caller)) ?? {}
    for (const made of [stage.founder, stage.guest, stage.newcomer]) {
      canaries.add(made.email).add(made.cookie)
      for (const mail of await mailsTo(office, made.email)) if (mail.code) canaries.add(mail.code)
    }
    const answer = await send(caller.browser, id, input)
    for (const found of personalIn([input, answer.body])) canaries.add(found)
    const spoiled = Object.fromEntries(
      Object.entries(input).map(([name, value]) => [
        name,
        typeof value === 'string' ? `canary-${value}` : ['canary-in-a-list'],
      ]),
    ) as AnyInput
    await send(caller.browser, id, spoiled)
    if (typeof rows[id].audit !== 'string') return
    await office.database.pool.query(
      'create trigger refused before insert on audit_entries for each row execute function refuse_entry()',
    )
    await send(caller.browser, id, input)
    await office.database.pool.query('drop trigger refused on audit_entries')
    standing.leave()
  }

  function callerOf(id: (typeof operationEntries)[number][0], stage: Stage) {
    const { caller } = rows[id]
    if (caller === 'visitor') return { id: stage.founder.id, browser: stage.visitor }
    return caller === 'newcomer' ? stage.newcomer : stage.founder
  }

  it('holds no e-mail, name, code, token or text of any person', async () => {
    for (const [id] of operationEntries) await tryAll(id)
    const log = lines.join('')
    expect(canaries.size).toBeGreaterThan(100)
    for (const [id] of operationEntries) expect(log.includes(`"operation":"${id}"`), id).toBe(true)
    const ours = lines.map(withoutOurs)
    const leaked = [...canaries, 'canary-', 'Canary Works']
      .map((canary) => [canary, ours.find((line) => holds(line, canary))])
      .filter(([, line]) => line !== undefined)
    expect(leaked).toEqual([])
    expect(holds(withoutOurs('{"msg":"a code: 123456."}'), '123456')).toBe(true)
  })
})
