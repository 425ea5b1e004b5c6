import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

export const MIGRATIONS_FOLDER = fileURLToPath(new URL('../../../../migrations', import.meta.url))
/** Where a database keeps which of them it has. */
export const MIGRATIONS_TABLE = 'schema_migrations'

/** Names of this release's migrations, in order. */
export async function migrationNames(): Promise<string[]> {
  const files = await readdir(MIGRATIONS_FOLDER)
  return files
    .filter((file) => file.endsWith('.sql'))
    .map((file) => file.slice(0, -'.sql'.length))
    .sort()
}
