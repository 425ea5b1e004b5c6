import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../fresh-database.ts'
import { openTestOffice, type TestOffice } from '../office.ts'
import { openLargeOrganization } from './large-organization.ts'
import { rowsOf } from './rows-read.ts'

const FEW = 10
/** So many that PostgreSQL has a use for its indexes. */
const MANY = 2_000
/** Of a page that is full at the larger size alone: its rows, with what each is joined to. */
const TOLERATED = 250
/** What reads more than that, each with its reason. */
const MORE: Record<string, number> = {
  // the total is counted by an index: one entry for each
  'members/list': MANY,
  'recordings/list': MANY,
  // a text that is in everybody's address, and a status that anybody may have
  'members/list by a text': 2 * MANY,
  'members/list by presence': 2 * MANY,
  // one plan for pages of any length sorts all of them, where that seems cheap: not at 50,000
  invitations: MANY,
  // as many as there are, up to 500: the list has no pages
  'guest links': 500,
  // one look at the memberships of the organization: once in a while, by an administrator
  bots: MANY,
  'directory refusals': MANY,
  // row-level security asks for the conversations of a reader: once for each table
  'messages/list': 4 * MANY,
  // those of the reader are sorted by their moment, once, whatever the page shows
  'conversations/list': 3 * MANY,
  // one look for the newest reply of each thread that is followed: unread replies are counted for the page alone
  'threads/list': 3 * MANY,
}

/** `npx node server/tests/data/list-rows-table.ts` tells the same of real sizes. */
describe('what a list of one organization reads', () => {
  let database: FreshDatabase
  let office: TestOffice
  let few: Map<string, number>
  let readAt: (people: number) => Promise<Map<string, number>>
  beforeAll(async () => {
    database = await freshDatabase()
    office = await openTestOffice({ database, settings: { DATABASE_POOL_SIZE: '3' } })
    // what they read of all organizations would be counted as read by a list
    await office.office.jobs.stop()
    const { grow, lists } = await openLargeOrganization(office)
    readAt = async (people) => {
      await grow(people)
      return await rowsOf(lists, office.office, database.pool)
    }
    few = await readAt(FEW)
  })
  afterAll(async () => {
    await office.close()
    await database.drop()
  })

  it('does not grow with its people', async () => {
    // here, and not before: tried again, the tables are analyzed anew, by another sample of their rows
    const many = await readAt(MANY)
    expect(few.get('members/list')).toBeGreaterThan(10)
    expect(many.get('rooms/list')).toBeGreaterThanOrEqual(MANY / 10)
    const grown = [...many].filter(
      ([name, rows]) => rows - (few.get(name) ?? 0) > TOLERATED + (MORE[name] ?? 0),
    )
    expect(grown.map(([name, rows]) => `${name}: ${few.get(name)} of ${FEW}, ${rows} of ${MANY}`)).toEqual([])
  })
})
