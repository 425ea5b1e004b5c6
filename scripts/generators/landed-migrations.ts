import { createHash } from 'node:crypto'
import type { Generator } from './generator.ts'

export interface Migration {
  name: string
  text: string
}

/**
 * `server/migrations/landed.json`: the checksum of every migration that databases out there may have run. New ones
 * are added; an entry is never changed.
 */
export function landedMigrations(migrations: readonly Migration[]): Generator {
  return {
    path: 'server/migrations/landed.json',
    make: (current) => {
      const landed = JSON.parse(current ?? '{}') as Record<string, string>
      for (const { name, text } of migrations) {
        const checksum = createHash('sha256').update(text).digest('hex')
        landed[name] ??= checksum
        if (landed[name] !== checksum) throw new Error(edited(name))
      }
      const gone = Object.keys(landed).find(
        (name) => !migrations.some((migration) => migration.name === name),
      )
      if (gone) throw new Error(`server/migrations/${gone} has landed and must stay`)
      const sorted = Object.entries(landed).sort(([a], [b]) => (a < b ? -1 : 1))
      return `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`
    },
  }
}

function edited(name: string): string {
  return (
    `server/migrations/${name} was edited after landing: databases that have run it will never see the change. ` +
    'Put the change into a new migration. (Only where it has not left this machine: delete its line from landed.json.)'
  )
}
