import { afterEach, beforeEach } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../fresh-database.ts'
import { openProcessHarness, type ProcessHarness } from '../process/office-process.ts'

/** Offices as processes, and a database that several of them may be nodes on: another for each test of the file. */
export interface NodesHarness extends ProcessHarness {
  readonly database: FreshDatabase
}

/** To be called once in a file: it sets up and clears by itself. */
export function openNodesHarness(): NodesHarness {
  const harness = openProcessHarness()
  let database: FreshDatabase
  beforeEach(async () => {
    database = await freshDatabase()
  })
  afterEach(async () => {
    await harness.clear()
    await database.drop()
  })
  return {
    ...harness,
    get database() {
      return database
    },
  }
}
