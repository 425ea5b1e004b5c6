import { createHash } from 'node:crypto'
import { eventEntries, type Operation } from '@atrium/contract'
import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import type { Setting } from '../../server/src/configuration/settings.ts'
import { configurationReference, exampleEnvironment } from './configuration.ts'
import { eventsReference } from './events.ts'
import { landedMigrations } from './landed-migrations.ts'
import { openApi } from './openapi.ts'
import { operationsReference } from './operations.ts'
import { wireTable } from './wire-table.ts'

const SETTINGS: readonly Setting[] = [
  {
    name: 'MODE',
    group: 'The office',
    kind: 'choice',
    choices: ['calm', 'busy'],
    default: 'calm',
    description: 'How it feels | or not.',
  },
  {
    name: 'SENDER',
    group: 'Mail',
    kind: 'text',
    default: 'Atrium <no-reply@localhost>',
    description: 'Who writes.',
  },
  {
    name: 'KEY',
    group: 'The office',
    kind: 'secret',
    default: 'for-everybody',
    requiredInProduction: true,
    description: 'Opens <ROOM>.',
  },
  {
    name: 'DOOR',
    group: 'The office',
    kind: 'text',
    description: 'Where to knock.',
    neededWhere: { setting: 'SENDER' },
  },
  {
    name: 'BELL',
    group: 'The office',
    kind: 'text',
    description: 'What rings.',
    neededWhere: { setting: 'MODE', is: 'busy' },
  },
]

describe('the reference of the configuration', () => {
  const text = configurationReference(SETTINGS).make(undefined) as string

  it('lists every setting under its group', () => {
    expect(text.match(/^## .*/gm)).toEqual(['## The office', '## Mail'])
    expect(text).toContain('| `MODE` | `calm`, `busy` | `calm` | How it feels \\| or not. |')
  })

  it('shows no value of a secret, and what production requires', () => {
    expect(text).not.toContain('for-everybody')
    expect(text).toContain('Opens &lt;ROOM&gt;. **Required.**')
  })

  it('says which other setting makes one needed, and with which value', () => {
    expect(text).toContain('Where to knock. Needed with `SENDER`.')
    expect(text).toContain('What rings. Needed with `MODE=busy`.')
  })
})

describe('the example environment', () => {
  it('is all comments that can be uncommented as they stand', () => {
    const lines = (exampleEnvironment(SETTINGS).make(undefined) as string).trim().split('\n')
    expect(lines.filter((line) => line !== '' && !line.startsWith('#'))).toEqual([])
    expect(lines).toContain('#MODE=calm')
    expect(lines).toContain('#SENDER="Atrium <no-reply@localhost>"')
  })
})

describe('the checksums of landed migrations', () => {
  const checksum = (text: string) => createHash('sha256').update(text).digest('hex')
  const first = { name: '0001_a.sql', text: 'a' }
  const second = { name: '0002_b.sql', text: 'b' }

  it('add what is new and keep what there is', async () => {
    const once = (await landedMigrations([first]).make(undefined)) as string
    expect(JSON.parse(once)).toEqual({ '0001_a.sql': checksum('a') })
    const twice = (await landedMigrations([first, second]).make(once)) as string
    expect(Object.keys(JSON.parse(twice))).toEqual(['0001_a.sql', '0002_b.sql'])
  })

  it('refuse a migration that was edited or taken away', () => {
    const landed = JSON.stringify({ '0001_a.sql': checksum('a') })
    expect(() => landedMigrations([{ ...first, text: 'changed' }]).make(landed)).toThrow(
      '0001_a.sql was edited',
    )
    expect(() => landedMigrations([]).make(landed)).toThrow('0001_a.sql has landed')
  })
})

describe('the reference of the events', () => {
  it('lists every event with its channels, its data and an example', () => {
    const text = eventsReference(eventEntries).make(undefined) as string
    expect(text.match(/^## .*/gm)).toEqual(eventEntries.map(([name]) => `## ${name}`))
    expect(text).toContain('| `status.changed` | `status:<org>:<uid>`, `user:<org>:<uid>` |')
    expect(text).toContain('| `parent_message_id` | integer or null |')
    expect(text).toContain('"type": "guest.waiting"')
  })
})

describe('the published document', () => {
  it('is the same text each time', () => {
    expect(openApi('1.2.3').make(undefined)).toBe(openApi('1.2.3').make('old'))
  })
})

const probe: Operation = {
  method: 'POST',
  path: '/rooms/{id}',
  summary: 'Probe',
  chapter: 'Probes',
  access: { kind: 'public' },
  params: Type.Object({ id: Type.String() }),
  replies: { 204: null },
}

describe('the reference of the operations', () => {
  const paths = ['server/src/features/rooms/probe-room.ts', 'server/src/features/rooms/probe-room.test.ts']
  const linesOf = (declared: Operation, current?: string) =>
    (operationsReference([['probeRoom', declared]], paths).make(current) as string).split('\n')

  it('lists what each takes and answers, and its handler', () => {
    expect(linesOf(probe)).toContain(
      '| `POST /rooms/{id}` | `probeRoom` | `id` | `204` | `rooms/probe-room.ts` |',
    )
    const peer = Type.Object({ id: Type.Integer() }, { title: 'Peer' })
    const body = Type.Object({ note: Type.Optional(Type.String()), seats: Type.Array(Type.Integer()) })
    const room = Type.Union([Type.Object({ peers: Type.Array(peer) }), Type.Object({ id: Type.String() })])
    const lines = linesOf({ ...probe, body, replies: { 200: Type.Object({ room }) } })
    expect(lines.find((line) => line.includes('probeRoom'))).toContain(
      '| `id, note?, seats[]` | `200 {room: {peers: Peer[]} \\| {id}}` |',
    )
    expect(lines).toContain('| `Peer` | `id` |')
  })

  it('takes in a new path, and refuses to lose one', () => {
    const current = linesOf(probe).join('\n')
    const moved = { ...probe, path: '/room/{id}' }
    expect(() => linesOf(moved, current)).toThrow('POST /rooms/{id} is served no longer')
    expect(() => linesOf({ ...probe, method: 'PUT' }, current)).toThrow('POST /rooms/{id}')
    const both = operationsReference(
      [
        ['probeRoom', probe],
        ['probeRoom', moved],
      ],
      paths,
    )
    expect(both.make(current)).toContain('| `POST /room/{id}` |')
  })

  it('wants a handler, which a test alone is not', () => {
    expect(() => operationsReference([['probeRoom', probe]], paths.slice(1)).make(undefined)).toThrow(
      'no handler',
    )
  })
})

describe('the table of the client', () => {
  it('has method, path and query of each operation, whether there is a body, and whether it takes an idempotency key', () => {
    const query = Type.Object({ limit: Type.Optional(Type.Integer()), after: Type.String() })
    const body = Type.Object({ name: Type.String(), note: Type.String() })
    const text = wireTable([
      ['bare', { ...probe, method: 'GET' }],
      ['empty', { ...probe, body: Type.Object({}) }],
      ['full', { ...probe, query, body, idempotent: true }],
    ]).make(undefined) as string
    expect(text).toContain("  bare: 'GET /rooms/{id}',\n")
    expect(text).toContain("  empty: 'POST /rooms/{id} {}',\n")
    expect(text).toContain("  full: 'POST /rooms/{id}?limit,after {} idempotent',\n")
  })

  it('refuses an empty success with another status than 204, which the client could not read', () => {
    expect(() => wireTable([['odd', { ...probe, replies: { 200: null } }]]).make(undefined)).toThrow('odd')
    expect(() =>
      wireTable([['odd', { ...probe, replies: { 204: Type.String() } }]]).make(undefined),
    ).toThrow()
  })
})
