import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../tests/fresh-database.ts'
import { until } from '../../../tests/until.ts'
import { systemClock } from '../../platform/clock.ts'
import { transaction } from '../../platform/database/transaction.ts'
import type { MediaEvent } from '../../ports/media-events.ts'
import { type Intake, openIntake } from './intake.ts'

let database: FreshDatabase
beforeEach(async () => {
  database = await freshDatabase()
})
afterEach(() => database.drop())

const eventOf = (id: string, more: object = {}): MediaEvent =>
  ({ kind: 'other', id, at: new Date(), ...more }) as MediaEvent

function open() {
  const seen = { duplicates: 0, dropped: 0, lines: [] as object[] }
  const note = (line: object) => void seen.lines.push(line)
  const intake = openIntake({
    db: database.db,
    clock: systemClock,
    log: { warn: note, error: note } as never,
    duplicateWindowSeconds: 600,
    onDuplicates: (count) => {
      seen.duplicates += count
    },
    onDropped: (count) => {
      seen.dropped += count
    },
  })
  return { intake, seen }
}

const stored = async () =>
  (await database.db.selectFrom('media_events').select('event_id').orderBy('position').execute()).map(
    (row) => row.event_id,
  )

/** Nothing can be written while `work` goes on. */
function whileLocked(work: (intake: Intake) => void, intake: Intake): Promise<void> {
  return transaction(database.db, async (tx) => {
    await tx.selectFrom('media_events').selectAll().execute()
    const { sql } = await import('kysely')
    await sql`lock table media_events in access exclusive mode`.execute(tx)
    work(intake)
  })
}

describe('the intake', () => {
  it('keeps the order in which events came', async () => {
    const { intake } = open()
    const ids = Array.from({ length: 700 }, (_, at) => `EV_${at}`)
    for (const id of ids) intake.take(eventOf(id))
    await until(async () => intake.depth() === 0)
    expect(await stored()).toEqual(ids)
    await intake.close()
  })

  it('holds a thousand while the database cannot, and drops, counts and logs the rest', async () => {
    const { intake, seen } = open()
    await whileLocked(() => {
      for (let at = 0; at < 1_200; at += 1) intake.take(eventOf(`EV_${at}`))
      expect(intake.depth()).toBe(1_000)
      expect(seen.dropped).toBe(200)
    }, intake)
    await until(async () => intake.depth() === 0)
    expect(await stored()).toHaveLength(1_000)
    await intake.close()
    expect(seen.lines).toEqual([expect.objectContaining({ dropped: 200 })])
    intake.take(eventOf('EV_later'))
    await until(async () => (await stored()).includes('EV_later'))
  })

  it('counts what comes twice, in one batch or in two', async () => {
    const { intake, seen } = open()
    for (const id of ['EV_a', 'EV_b', 'EV_a']) intake.take(eventOf(id))
    await until(async () => intake.depth() === 0)
    intake.take(eventOf('EV_b'))
    await until(async () => intake.depth() === 0)
    expect(seen.duplicates).toBe(2)
    expect(await stored()).toEqual(['EV_a', 'EV_b'])
    await intake.close()
  })

  it('writes down on closing what still waits', async () => {
    const { intake } = open()
    for (let at = 0; at < 600; at += 1) intake.take(eventOf(`EV_${at}`))
    await intake.close()
    expect(await stored()).toHaveLength(600)
  })

  it('gives up one event that no database takes, and no other', async () => {
    const { intake, seen } = open()
    intake.take(eventOf('EV_before'))
    intake.take(eventOf('EV_\u0000', { participant: { name: '\u0000' } }))
    intake.take(eventOf('EV_after'))
    await until(async () => intake.depth() === 0)
    expect(await stored()).toEqual(['EV_before', 'EV_after'])
    expect(seen.dropped).toBe(1)
    await intake.close()
  })

  it('tries again when the database is back', async () => {
    const { intake, seen } = open()
    const { sql } = await import('kysely')
    await sql`alter table media_events rename to media_events_away`.execute(database.db)
    intake.take(eventOf('EV_1'))
    await until(async () => seen.lines.length > 0)
    expect(intake.depth()).toBe(1)
    await sql`alter table media_events_away rename to media_events`.execute(database.db)
    await until(async () => intake.depth() === 0)
    expect(await stored()).toEqual(['EV_1'])
    await intake.close()
  })
})
