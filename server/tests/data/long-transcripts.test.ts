import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readRows } from '../../src/features/exports/chapter-rows.ts'
import { recordingsChapter } from '../../src/features/recordings/archive-chapters.ts'
import { transaction } from '../../src/platform/database/transaction.ts'
import { trusted } from '../../src/platform/ids.ts'
import { newFilm } from '../chapters/recordings.ts'
import { openTestOffice, type TestOffice } from '../office.ts'
import { atrium } from '../operator/command-line.ts'
import { newFounder } from '../people.ts'
import { exportOf, fetchArchive } from './archives.ts'

describe('transcripts of many words', () => {
  let office: TestOffice
  let target: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
    target = await openTestOffice()
  })
  afterAll(async () => {
    await target.close()
    await office.close()
  })
  const lengthsIn = async ({ database }: TestOffice) =>
    (await database.pool.query('select id, length(transcript::text) as length from recordings order by id'))
      .rows

  it('are in an archive, and come back from it', async () => {
    const founder = await newFounder(office)
    const { id } = await newFilm(office, founder)
    await newFilm(office, founder)
    await office.database.pool.query(
      `update recordings set transcript = (select jsonb_agg(jsonb_build_object('from', n, 'to', n + 0.25,
        'identity', 'guest:0d9f5c3e-7b1a-4e52-9c46-2f8a1d3b5e70', 'name', 'Grete Gast', 'text', md5(n::text)))
        from generate_series(1, 60000) as n) where id = $1`,
      [id],
    )
    const archive = await fetchArchive(await exportOf(office, founder.browser, 'Organization'))
    await atrium(target, ['organization', 'import', archive.path], { settings: { DATA_DIR: target.dataDir } })
    await archive.remove()
    const lengths = await lengthsIn(office)
    expect(lengths.find((row) => row.id === id).length).toBeGreaterThan(5_000_000)
    expect(await lengthsIn(target)).toEqual(lengths)
  })

  it('are read a few at a time', async () => {
    const founder = await newFounder(office)
    for (let count = 0; count < 7; count += 1) await newFilm(office, founder)
    const { rows } = await office.database.pool.query(
      'select organization_id as id from recordings group by 1 having count(*) = 7',
    )
    const organization = trusted.organizationId(rows[0].id)
    const archived = { kind: 'organization' as const, organization, chapters: [recordingsChapter] }
    const read = await transaction(office.database.db, async (tx) => {
      const lengths: number[] = []
      for await (const lines of readRows(tx, archived, recordingsChapter)) lengths.push(lines.length)
      return lengths
    })
    expect(read).toEqual([5, 2])
  })
})
