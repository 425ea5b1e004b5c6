import { createHash } from 'node:crypto'
import { startTemporaryCluster } from '@atrium/embedded-postgres/temporary-cluster.ts'
import { pino } from 'pino'
import { describeCatalogue, parseCatalogue } from '../../server/src/platform/database/catalogue.ts'
import { CATALOGUE_QUERY } from '../../server/src/platform/database/catalogue-query.ts'
import { openDatabase, openPool } from '../../server/src/platform/database/database.ts'
import { migrate } from '../../server/src/platform/database/migrate.ts'
import { applyStatements } from '../../server/src/platform/database/schema/apply-schema.ts'
import {
  isInSchemaFiles,
  schemaDigest,
  schemaFiles,
} from '../../server/src/platform/database/schema/schema-files.ts'
import { transaction } from '../../server/src/platform/database/transaction.ts'
import type { Generator } from './generator.ts'
import type { Migration } from './landed-migrations.ts'

/**
 * `server/migrations/catalogue.jsonl`: what the migrations and `schema.sql` make of an empty database, one part a line. A database is
 * started for it only where a migration, or the way it is read, has changed.
 */
export function catalogueOf(migrations: readonly Migration[]): Generator {
  return {
    path: 'server/migrations/catalogue.jsonl',
    async make(current) {
      const source = digestOf(migrations)
      if (current && parseCatalogue(current).source === source) return current
      const { roles, items } = await describeFresh(migrations)
      return `${[{ source, roles }, ...items].map((line) => JSON.stringify(line)).join('\n')}\n`
    },
  }
}

function digestOf(migrations: readonly Migration[]): string {
  const hash = createHash('sha256').update(CATALOGUE_QUERY).update(schemaDigest())
  for (const { name, text } of migrations) hash.update(name).update(text)
  return hash.digest('hex')
}

async function describeFresh(migrations: readonly Migration[]): ReturnType<typeof describeCatalogue> {
  const cluster = await startTemporaryCluster()
  try {
    const upTo = migrations.at(-1)?.name.replace(/\.sql$/, '') as string
    await migrate(cluster.connectionString, pino({ level: 'silent' }), { upTo })
    const db = openDatabase(
      openPool({
        connectionString: cluster.connectionString,
        maxConnections: 1,
        statementTimeoutMs: 60_000,
        onIdleError: () => undefined,
      }),
    )
    try {
      await transaction(db, (tx) => applyStatements(tx, schemaFiles()))
      const { roles, items } = await describeCatalogue(db)
      return { roles, items: items.map((item) => (isInSchemaFiles(item) ? { ...item, mend: [] } : item)) }
    } finally {
      await db.destroy()
    }
  } finally {
    await cluster.stop()
  }
}
