import { createRequire } from 'node:module'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { type AsyncApiDocument, asyncApiDocument } from './asyncapi.ts'
import { type EventDeclaration, eventEntries, realtimeEvent } from './index.ts'

type Json = Record<string, unknown>

const official = createRequire(import.meta.url)('@asyncapi/specs/schemas/3.0.0-without-$id.json') as Json
const document = asyncApiDocument({
  version: '1.2.3',
  serverUrl: 'wss://broker.example/connection/websocket',
})

function validator(): Ajv {
  const ajv = new Ajv({ strict: false, allErrors: true })
  ;(addFormats as unknown as (to: Ajv) => void)(ajv)
  return ajv
}

/** What the official schema of AsyncAPI 3 finds wrong with documents. */
const isAsyncApi = validator().compile(official)
function faultsOf(of: AsyncApiDocument): unknown {
  return isAsyncApi(JSON.parse(JSON.stringify(of))) ? [] : isAsyncApi.errors
}

function referencesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '$ref' && typeof inner === 'string' ? [inner] : referencesIn(inner),
  )
}

function resolve(of: AsyncApiDocument, reference: string): unknown {
  return reference
    .split('/')
    .slice(1)
    .reduce<unknown>((at, step) => (at as Json | undefined)?.[step], of)
}

describe('the AsyncAPI document', () => {
  it('is valid by the official schema of AsyncAPI 3', () => {
    expect(faultsOf(document)).toEqual([])
  })

  it('has a referenced place for every reference', () => {
    const references = referencesIn(document)
    expect(references.length).toBeGreaterThan(0)
    for (const reference of references) expect(resolve(document, reference), reference).toBeDefined()
  })

  it('names every event of the table on the channels of its scopes, and no other', () => {
    for (const [name, { scopes }] of eventEntries) {
      const channels = Object.entries(document.channels).filter(([, { messages }]) => messages[name])
      expect(channels.map(([scope]) => scope).sort(), name).toEqual([...scopes].sort())
    }
    expect(Object.keys(document.components.messages)).toEqual(eventEntries.map(([name]) => name))
  })

  it('names the channels as the office does', () => {
    expect(document.channels).toMatchObject({
      user: { address: 'user:{organizationId}:{userId}' },
      organization: { address: 'org:{organizationId}' },
      status: { address: 'status:{organizationId}:{userId}' },
    })
    expect(Object.keys(document.channels.organization.parameters as Json)).toEqual(['organizationId'])
  })

  it('names the broker of the office, or one on this machine', () => {
    expect(document.servers.broker).toMatchObject({
      host: 'broker.example',
      protocol: 'wss',
      pathname: '/connection/websocket',
    })
    expect(asyncApiDocument({ version: '1' }).servers.broker).toMatchObject({ host: 'localhost:3000' })
  })

  it('is the same text each time', () => {
    expect(JSON.stringify(asyncApiDocument({ version: '1' }))).toBe(
      JSON.stringify(asyncApiDocument({ version: '1' })),
    )
  })
})

describe('a message of the document', () => {
  const ajv = validator()
  ajv.addSchema({ $id: 'document', ...document })

  it.each(eventEntries.map(([name]) => name))('has an example of its own shape: %s', (name) => {
    const message = document.components.messages[name] as { payload: Json; examples: { payload: unknown }[] }
    const text = JSON.stringify(message.payload).replaceAll('"#/components', '"document#/components')
    const validate = ajv.compile(JSON.parse(text) as Json)
    const [example] = message.examples
    expect(validate(example?.payload) ? [] : validate.errors).toEqual([])
    expect(validate({ ...(example?.payload as object), type: 'another' })).toBe(false)
  })
})

describe('the table of events', () => {
  it('takes events of rooms, knocks and typing as they are', () => {
    const id = Type.String()
    const planned: [string, EventDeclaration][] = Object.entries({
      'room.entered': realtimeEvent({
        scopes: ['organization'],
        summary: 'Somebody entered a room.',
        data: Type.Object({ roomId: id, userId: id }),
        example: { roomId: 'r', userId: 'u' },
      }),
      'knock.received': realtimeEvent({
        scopes: ['user'],
        summary: 'Somebody knocks.',
        data: Type.Object({ knockId: id, from: id, message: Type.Optional(Type.String()) }),
        example: { knockId: 'k', from: 'u' },
      }),
      'conversation.typing': realtimeEvent({
        scopes: ['user'],
        summary: 'Somebody types.',
        data: Type.Object({ conversationId: id, userId: id }),
        example: { conversationId: '1', userId: 'u' },
      }),
    })
    const grown = asyncApiDocument({ version: '1' }, planned)
    expect(faultsOf(grown)).toEqual([])
    expect(Object.keys(grown.channels.organization.messages)).toEqual(['room.entered'])
    expect(grown.operations).toHaveProperty('organizationEvents')
    expect(grown.operations).not.toHaveProperty('statusEvents')
  })
})
