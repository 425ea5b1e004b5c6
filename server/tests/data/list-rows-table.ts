import { pino } from 'pino'
import { readCommandLine } from '../../../scripts/command-line.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { openTestPool } from '../fresh-database.ts'
import { openTestOffice } from '../office.ts'
import { testCluster } from '../run/test-cluster.ts'
import { openLargeOrganization } from './large-organization.ts'
import { rowsOf } from './rows-read.ts'

const SIZES = [10, 2_000, 50_000]

readCommandLine({
  usage: `npx node server/tests/data/list-rows-table.ts

How many rows PostgreSQL reads for each list of one organization of ${SIZES.join(', ')} people, as a table. It takes no
arguments (docs/operations/scale.md).`,
})

const cluster = await testCluster()
const { connectionString } = cluster
try {
  await migrate(connectionString, pino({ level: 'silent' }))
  const { pool, db, end } = openTestPool(connectionString)
  await using stack = new AsyncDisposableStack()
  stack.defer(end)
  const office = await openTestOffice({
    database: { connectionString, pool, db, drop: end },
    settings: { DATABASE_POOL_SIZE: '3' },
  })
  stack.defer(() => office.close())
  const { grow, lists } = await openLargeOrganization(office)
  const columns: Map<string, number>[] = []
  for (const size of SIZES) {
    await grow(size)
    columns.push(await rowsOf(lists, office.office, pool))
  }
  console.log(`| list | ${SIZES.map((size) => size.toLocaleString('en')).join(' | ')} |`)
  console.log(`|---|${SIZES.map(() => '--:|').join('')}`)
  for (const { name } of lists)
    console.log(
      `| ${name} | ${columns.map((column) => column.get(name)?.toLocaleString('en')).join(' | ')} |`,
    )
} finally {
  await cluster.stop()
}
