import pg from 'pg'
import { pino } from 'pino'
import { readCommandLine } from '../../../scripts/command-line.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { testCluster } from '../run/test-cluster.ts'
import { seedResting } from './resting-office.ts'
import { openResting, rowsRead } from './rows-read.ts'

const SIZES = [100, 1_000, 10_000]

readCommandLine({
  usage: `npx node server/tests/data/rows-read-table.ts

What an office reads by itself where nobody is there, for ${SIZES.join(', ')} organizations, as a table. It takes no
arguments (docs/operations/scale.md).`,
})

const cluster = await testCluster()
const pool = new pg.Pool({ connectionString: cluster.connectionString, max: 1 })
// it ends with its server where something has failed
pool.on('error', () => {})
try {
  await migrate(cluster.connectionString, pino({ level: 'silent' }))
  const columns: Map<string, number>[] = []
  for (const size of SIZES) {
    await seedResting(pool, size)
    await using office = await openResting(cluster.connectionString)
    columns.push(await rowsRead(office, pool))
  }
  console.log(`| task | ${SIZES.map((size) => size.toLocaleString('en')).join(' | ')} |`)
  console.log(`|---|${SIZES.map(() => '--:|').join('')}`)
  for (const name of columns[0]?.keys() ?? [])
    console.log(
      `| ${name} | ${columns.map((column) => column.get(name)?.toLocaleString('en')).join(' | ')} |`,
    )
} finally {
  await pool.end()
  await cluster.stop()
}
