import type { Operation } from '@atrium/contract'
import Type from 'typebox'
import { afterEach, describe, expect, it } from 'vitest'
import { recordedLog } from '../../../tests/recorded-log.ts'
import { Refusal } from '../refusal.ts'
import { type Serving, serveOperation } from './operations.ts'
import { checkReplies } from './reply-check.ts'
import { createServer, type Server } from './server.ts'

const declared = {
  method: 'POST',
  path: '/rooms/{roomId}/rename',
  summary: 'Rename a room',
  chapter: 'Rooms',
  access: { kind: 'public' },
  params: Type.Object({ roomId: Type.String({ minLength: 1 }) }),
  query: Type.Object({ quietly: Type.Optional(Type.String()) }),
  body: Type.Object({
    name: Type.String({ minLength: 2, maxLength: 20, label: 'a name' }),
    size: Type.Optional(Type.Integer()),
    floor: Type.Optional(Type.Object({ level: Type.Integer() })),
    doors: Type.Optional(Type.Array(Type.Object({ side: Type.String() }))),
    metadata: Type.Optional(Type.Object({}, { additionalProperties: true })),
  }),
  replies: { 200: Type.Object({ name: Type.String() }), 204: null },
  refusals: [409],
} as const satisfies Operation

type Caller = { name: string }
const seen: { caller: Caller; input: Record<string, unknown> }[] = []

let server: Server | undefined
afterEach(async () => {
  seen.length = 0
  await server?.close()
})

/** A server with the operation: who calls is Ada, and the reply is `answer`. */
async function serve(
  answer: { status: number; body?: unknown },
  options: { serving?: Partial<Serving<Caller>>; operation?: Partial<Operation>; strict?: boolean } = {},
): Promise<Server> {
  const { log } = recordedLog()
  server = await createServer({ log, trustProxy: [], origins: [], secure: false })
  if (options.strict !== false) checkReplies(server)
  const operation: Operation = { ...declared, ...options.operation }
  serveOperation<Caller>(server, operation, {
    operation: 'renameRoom',
    admit: async () => ({ name: 'Ada' }),
    handle: async (caller, input) => {
      seen.push({ caller, input })
      return answer
    },
    databaseWaitMs: 2_000,
    ...options.serving,
  })
  return server
}

const rename = (to: Server, payload: object, url = '/rooms/7/rename') =>
  to.inject({ method: 'POST', url, payload })
const FINE = { status: 200, body: { name: 'Lobby' } }

describe('an operation', () => {
  it('is given the caller, and path, query and body in one object', async () => {
    const answer = await rename(await serve(FINE), { name: 'Lobby' }, '/rooms/7/rename?quietly=yes')
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({ name: 'Lobby' })
    expect(seen).toEqual([{ caller: { name: 'Ada' }, input: { roomId: '7', quietly: 'yes', name: 'Lobby' } }])
  })

  it('never sees unknown fields, however deep, unless the contract lets them through', async () => {
    await rename(await serve(FINE), {
      name: 'Lobby',
      admin: true,
      floor: { level: 1, secret: true },
      doors: [{ side: 'north', locked: true }],
      metadata: { any: { thing: 1 } },
    })
    expect(seen[0]?.input).toEqual({
      roomId: '7',
      name: 'Lobby',
      floor: { level: 1 },
      doors: [{ side: 'north' }],
      metadata: { any: { thing: 1 } },
    })
  })

  it.each<[string, object, string[]]>([
    ['of the wrong type', { name: 7 }, ['name']],
    ['that a text could stand for', { name: 'Lobby', size: '3' }, ['size']],
    ['missing', {}, ['name']],
    ['null', { name: null }, ['name']],
    ['too short', { name: 'x' }, ['name']],
    ['wrong inside', { name: 'Lobby', floor: { level: 1.5 } }, ['floor.level']],
    ['wrong at several places', { size: 'x', doors: [{}] }, ['doors.0.side', 'name', 'size']],
  ])('refuses a value %s by the name of its field', async (_case, payload, fields) => {
    const answer = await rename(await serve(FINE), payload)
    expect(answer.statusCode).toBe(400)
    const body = answer.json()
    expect(body).toMatchObject({ code: 400, error: 'invalid-input' })
    expect(body.details.map(({ field }: { field: string }) => field).sort()).toEqual(fields)
    expect(seen).toEqual([])
  })

  it.each([
    [{}, 'name', 'Enter a name of 2 to 20 characters'],
    [{ name: 7 }, 'name', 'Enter a name as text'],
    [{ name: 'x'.repeat(21) }, 'name', 'Enter a name of 2 to 20 characters'],
    [{ name: 'Lobby', size: 'x' }, 'size', 'Enter a whole number'],
    [{ name: 'Lobby', mood: 'x' }, 'mood', 'Choose calm or busy'],
    [{ name: 'Lobby', mood: 7 }, 'mood', 'Choose calm or busy'],
    [{ name: 'Lobby', area: [] }, 'area', 'Enter a whole number from 1 to 9'],
    [{ name: 'Lobby', left: 'x', right: 'x' }, 'body', 'Give either left or right'],
  ])('tells a person what to enter instead of %j', async (payload, field, message) => {
    const body = Type.Object(
      {
        ...declared.body.properties,
        mood: Type.Optional(Type.Enum(['calm', 'busy'], { type: 'string' })),
        area: Type.Optional(
          Type.Union([Type.Integer({ minimum: 1, maximum: 9 }), Type.String({ pattern: '^[1-9]$' })]),
        ),
        left: Type.Optional(Type.String()),
        right: Type.Optional(Type.String()),
      },
      {
        // one of the two, or none
        not: { required: ['left', 'right'] },
        sentence: 'Give either left or right',
      },
    )
    const answer = await rename(await serve(FINE, { operation: { body } }), payload)
    expect(answer.json()).toMatchObject({
      code: 400,
      message,
      error: 'invalid-input',
      details: [{ field, message }],
    })
    expect(answer.json().details).toHaveLength(1)
  })

  it('tells what is missing, and not how much of it would be too much', async () => {
    const body = Type.Object({
      contentType: Type.String({ maxLength: 255 }),
      doors: Type.Array(Type.String(), { maxItems: 9 }),
    })
    const answer = await rename(await serve(FINE, { operation: { body } }), {})
    expect(answer.json().details).toEqual([
      { field: 'contentType', message: 'Enter a content type' },
      { field: 'doors', message: 'Give a list of doors' },
    ])
  })

  it('tells of several forms, of which one is wanted, in one sentence', async () => {
    const either = Type.Object(
      { left: Type.Optional(Type.String()), right: Type.Optional(Type.String()) },
      { oneOf: [{ required: ['left'] }, { required: ['right'] }], sentence: 'Give either left or right' },
    )
    const to = await serve(FINE, { operation: { body: either } })
    for (const payload of [{}, { left: 'x', right: 'x' }])
      expect((await rename(to, payload)).json().details).toEqual([
        { field: 'body', message: 'Give either left or right' },
      ])
  })

  it('counts a letter with its accent as one character, however it is written', async () => {
    const to = await serve(FINE)
    expect((await rename(to, { name: 'e\u0301'.repeat(20) })).statusCode).toBe(200)
    expect((await rename(to, { name: 'e\u0301'.repeat(21) })).statusCode).toBe(400)
    expect((await rename(to, { name: 'e\u0301' })).statusCode).toBe(400)
    expect((await rename(to, { name: '\u{1f98a}'.repeat(20) })).statusCode).toBe(200)
  })

  it('refuses a query that is not UTF-8', async () => {
    const answer = await rename(await serve(FINE), { name: 'Lobby' }, '/rooms/7/rename?quietly=%ff')
    expect(answer.json()).toMatchObject({ code: 400, error: 'malformed-request' })
  })

  it.each([[[1, 2]], ['text'], [7], [null]])('refuses the body %j', async (payload) => {
    const answer = await (await serve(FINE)).inject({
      method: 'POST',
      url: '/rooms/7/rename',
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify(payload),
    })
    expect(answer.statusCode).toBe(400)
    expect(seen).toEqual([])
  })

  it('takes a missing body for an empty one', async () => {
    const operation = { body: Type.Object({ name: Type.Optional(Type.String()) }) }
    const to = await serve(FINE, { operation })
    expect((await to.inject({ method: 'POST', url: '/rooms/7/rename' })).statusCode).toBe(200)
  })

  it('answers 422 to a wrong body where the contract says so', async () => {
    const answer = await rename(await serve(FINE, { operation: { invalidStatus: 422 } }), {})
    expect(answer.json()).toMatchObject({ code: 422, error: 'invalid-input' })
  })

  it('tells at most 20 fields', async () => {
    const answer = await rename(await serve(FINE), { name: 'Lobby', doors: Array(50).fill({}) })
    expect(answer.json().details).toHaveLength(20)
  })

  it('refuses strangers before it looks at their body', async () => {
    const stops: string[] = []
    const refuse = (where: string) => async () => {
      stops.push(where)
      throw new Refusal('forbidden', where, { error: 'cross-site' })
    }
    const stranger = await serve(FINE, { serving: { admit: refuse('admit') } })
    const malformed = { method: 'POST', url: '/rooms/7/rename', payload: '{' } as const
    const headers = { 'content-type': 'application/json' }
    expect((await stranger.inject({ ...malformed, headers })).json()).toMatchObject({ message: 'admit' })
    await stranger.close()
    expect(stops).toEqual(['admit'])
    expect(seen).toEqual([])
  })

  it('that is superseded says so, and by what, on every reply', async () => {
    const to = await serve(FINE, { operation: { supersededBy: 'getCurrentUser' } })
    for (const payload of [{ name: 'Lobby' }, {}]) {
      const { headers } = await rename(to, payload)
      expect(headers.deprecation).toMatch(/^@\d+$/)
      expect(headers.link).toBe('</user/get>; rel="successor-version"')
    }
  })

  it('names a path with a parameter as an address can have it', async () => {
    const to = await serve(FINE, { operation: { supersededBy: 'updateMember' } })
    const { headers } = await rename(to, { name: 'Lobby' })
    expect(headers.link).toBe('</members/%7Bid%7D/update>; rel="successor-version"')
  })

  it('may answer with a body that is written already', async () => {
    for (const strict of [true, false]) {
      const written = { status: 200, body: Buffer.from('{"name" : "Lobby ü"}') }
      const answer = await rename(await serve(written, { strict }), { name: 'Lobby' })
      expect([answer.statusCode, answer.body]).toEqual([200, '{"name" : "Lobby ü"}'])
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
      await server?.close()
    }
  })

  it('may answer without a body', async () => {
    const answer = await rename(await serve({ status: 204 }), { name: 'Lobby' })
    expect([answer.statusCode, answer.body]).toEqual([204, ''])
  })
})

describe('in tests, a reply that the contract does not declare', () => {
  it.each<[string, { status: number; body?: unknown }]>([
    ['a status', { status: 201, body: { name: 'Lobby' } }],
    ['a status without a body', { status: 202 }],
    ['a body where there is none', { status: 204, body: { name: 'Lobby' } }],
    ['no body where there is one', { status: 200 }],
    ['a missing field', { status: 200, body: {} }],
    ['a field of another type', { status: 200, body: { name: 7 } }],
    ['nothing at all', { status: 200, body: null }],
    ['a written body without a field', { status: 200, body: Buffer.from('{}') }],
    ['a written body with a field too many', { status: 200, body: Buffer.from('{"name":"Lobby","hash":1}') }],
    ['a written body that is no JSON', { status: 200, body: Buffer.from('{') }],
    ['a written body of a status that is none of its own', { status: 201, body: Buffer.from('{}') }],
  ])('(%s) is a 500', async (_case, reply) => {
    const answer = await rename(await serve(reply), { name: 'Lobby' })
    expect(answer.statusCode).toBe(500)
    expect(answer.json()).toMatchObject({ code: 500, error: 'internal-error' })
  })

  it('is one even where it is a refusal', async () => {
    const gone = async () => {
      throw new Refusal('gone', 'It is gone')
    }
    expect(
      (await rename(await serve(FINE, { serving: { handle: gone } }), { name: 'Lobby' })).statusCode,
    ).toBe(500)
    await server?.close()
    const conflict = async () => {
      throw new Refusal('conflict', 'There is one')
    }
    const declaredOne = await serve(FINE, { serving: { handle: conflict } })
    expect((await rename(declaredOne, { name: 'Lobby' })).statusCode).toBe(409)
  })

  it('is one where the refusal has another word than those of the operation', async () => {
    const handle = async () => {
      throw new Refusal('conflict', 'There is one', { error: 'room-exists' })
    }
    const answer = await rename(await serve(FINE, { serving: { handle } }), { name: 'Lobby' })
    expect(answer.statusCode).toBe(500)
    await server?.close()
    const operation = { errors: ['room-exists'] } as const
    const declaredOne = await serve(FINE, { serving: { handle }, operation })
    expect((await rename(declaredOne, { name: 'Lobby' })).json()).toMatchObject({ error: 'room-exists' })
  })

  it('is no reason to fail a person in production: it goes out by its schema', async () => {
    const reply = { status: 200, body: { name: 'Lobby', passwordHash: 'canary' } }
    const answer = await rename(await serve(reply, { strict: false }), { name: 'Lobby' })
    expect([answer.statusCode, answer.json()]).toEqual([200, { name: 'Lobby' }])
  })
})
