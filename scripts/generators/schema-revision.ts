import { schemaDigest } from '../../server/src/platform/database/schema/schema-files.ts'
import type { SchemaRevision } from '../../server/src/platform/database/schema/schema-revision.ts'
import type { Generator } from './generator.ts'

/** `server/migrations/schema.json`: counts up with every change of a `schema.sql`, so that no older release takes it back. */
export function schemaRevision(): Generator {
  return {
    path: 'server/migrations/schema.json',
    async make(current) {
      const before = current ? (JSON.parse(current) as SchemaRevision) : { revision: 0, digest: '' }
      const digest = schemaDigest()
      if (before.digest === digest) return current as string
      return `${JSON.stringify({ revision: before.revision + 1, digest }, null, 2)}\n`
    },
  }
}
