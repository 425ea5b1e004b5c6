import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const PAGE = join(import.meta.dirname, '../../../docs/security/data-map.md')

/** What `docs/security/data-map.md` says: of each column its kind. A column that is named twice is there twice. */
export function readDataMap(): { column: string; kind: string }[] {
  const rows = readFileSync(PAGE, 'utf8').matchAll(/^\| (`\w+\.\w+`.*?) \| (\w+) \|/gm)
  return [...rows].flatMap(([, columns = '', kind = '']) =>
    [...columns.matchAll(/`(\w+\.\w+)`/g)].map(([, column = '']) => ({ column, kind })),
  )
}
