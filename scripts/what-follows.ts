import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { schemaFiles } from '../server/src/platform/database/schema/schema-files.ts'
import { readCommandLine } from './command-line.ts'
import { type Change, effectsOf, type Places, readSchema } from './effects.ts'

/** Causes by the words of the product: which rows change where they happen. */
const CAUSES: Readonly<Record<string, readonly Change[]>> = {
  'a membership ends': [
    { table: 'memberships', event: 'delete' },
    { table: 'memberships', event: 'update', column: 'status' },
  ],
  'a membership begins': [{ table: 'memberships', event: 'insert' }],
  'a session ends': [{ table: 'sessions', event: 'update', column: 'revoked_at' }],
  'an organization is deleted': [{ table: 'organizations', event: 'update', column: 'deleted_at' }],
  'a person changes': [{ table: 'users', event: 'update' }],
  'a room is deleted': [{ table: 'rooms', event: 'update', column: 'deleted_at' }],
  'a guest is decided on': [{ table: 'guests', event: 'update', column: 'state' }],
  'a message is sent': [{ table: 'messages', event: 'insert' }],
  'a knock ends': [{ table: 'knocks', event: 'update', column: 'outcome' }],
  'a recording changes': [{ table: 'recordings', event: 'update', column: 'state' }],
  'an event is told': [{ table: 'centrifugo_outbox', event: 'insert' }],
}

const USAGE = `npm run what-follows -- "<cause>"

Prints what follows from a change of rows, whichever statement makes it: what schema.sql does, and who in TypeScript hears
of it. Read from the code. Causes:
${Object.keys(CAUSES)
  .map((cause) => `  ${cause}`)
  .join('\n')}
or a change itself: "update users.email", "delete memberships", "insert messages"`

const ROOT = join(import.meta.dirname, '..')
const SOURCES = 'server/src'

const { positionals, refuse } = readCommandLine({ usage: USAGE, options: {}, names: 1 })
const cause = positionals[0] ?? refuse('Name a cause.')
const changes = CAUSES[cause] ?? [changeOf(cause) ?? refuse(`There is no cause "${cause}".`)]
for (const line of effectsOf(readSchema(schemaFiles()), changes, typescriptPlaces())) console.log(line)

function changeOf(text: string): Change | undefined {
  const [, event, table, column] = /^(insert|update|delete) (\w+)(?:\.(\w+))?$/.exec(text) ?? []
  if (!event || !table) return undefined
  return { table, event: event as Change['event'], ...(column && { column }) }
}

/** Where TypeScript works on a queue or listens to a notification of the database, by its name. */
function typescriptPlaces(): Places {
  const files = readdirSync(join(ROOT, SOURCES), { recursive: true, encoding: 'utf8' })
    .map((path) => `${SOURCES}/${path.replaceAll('\\', '/')}`)
    .filter((path) => /(?<!\.test)\.ts$/.test(path))
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))
  const called = new Map<string, string>()
  for (const { text } of files)
    for (const [, constant = '', name = ''] of text.matchAll(
      /const (\w+(?:QUEUE|CHANNEL)|QUEUE|CHANNEL) = '([\w-]+)'/g,
    ))
      called.set(constant, name)
  const places: Places = { queues: new Map(), notifications: new Map() }
  for (const { path, text } of files) {
    const own = new Map(
      [...text.matchAll(/const (\w+) = '([\w-]+)'/g)].map(([, key = '', name = '']) => [key, name]),
    )
    const nameOf = (constant = '') => own.get(constant) ?? called.get(constant) ?? ''
    for (const [, constant] of text.matchAll(/\bname: (\w*QUEUE)\b/g))
      places.queues.set(nameOf(constant), path)
    for (const [, constant] of text.matchAll(/\.on\((\w*CHANNEL)\b/g))
      places.notifications.set(nameOf(constant), path)
    for (const [, name = ''] of text.matchAll(/^\s*(?:listeners: \{ )?(\w+_(?:changed|ended)): \w+/gm))
      places.notifications.set(name, path)
  }
  return places
}
