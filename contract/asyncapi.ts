import type { EventDeclaration } from './event-declaration.ts'
import { type EventScope, organizationChannel, statusChannel, userChannel } from './events.ts'
import { eventEntries } from './index.ts'
import { createShapes, type Shapes } from './published-shapes.ts'
import { Timestamp } from './shapes.ts'

type Json = Record<string, unknown>

export interface AsyncApiOptions {
  /** Version of the office, as `info.version`. */
  version: string
  /** WebSocket address of the broker; left out, the document speaks of an office on this machine. */
  serverUrl?: string
}

export interface AsyncApiDocument {
  asyncapi: string
  info: Json
  defaultContentType: string
  servers: Record<string, Json>
  channels: Record<EventScope, { address: string; messages: Record<string, Json> } & Json>
  operations: Record<string, { action: string; channel: Json; messages: Json[] } & Json>
  components: { messages: Record<string, Json>; schemas: Json }
}

type Entries = readonly (readonly [name: string, declared: EventDeclaration])[]

const OWN_MACHINE = 'ws://localhost:3000/connection/websocket'

const DESCRIPTION = `What an office publishes to its clients. \`POST /websocket/token\` (\`/openapi.json\`) answers a token and the address to connect to with a client of Centrifugo (protocol: JSON over WebSocket); \`@atrium/client/realtime\` does all of it.

Every publication has the envelope \`{id, type, time, data}\`. \`type\` is the name of the event. \`id\` is the same where an event is delivered twice. Ignore events whose name is unknown, and unknown fields: releases add some. Channels keep a history, from which the client recovers what a lost connection has missed.`

const parameters = {
  organizationId: { description: "The identity provider's id of the organization: `org_…`" },
  userId: { description: "The identity provider's id of the person (`presenceUserId`): `user_…`" },
}
const [ORGANIZATION, USER] = ['{organizationId}', '{userId}']

const channels: Record<EventScope, { address: string; title: string; description: string }> = {
  user: {
    address: userChannel(ORGANIZATION, USER),
    title: 'One person',
    description: 'What concerns one person. Their connections are subscribed to it by the token.',
  },
  organization: {
    address: organizationChannel(ORGANIZATION),
    title: 'An organization',
    description: 'What concerns everybody in an organization. Connections are subscribed to it by the token.',
  },
  status: {
    address: statusChannel(ORGANIZATION, USER),
    title: "A colleague's visible status",
    description:
      'Clients subscribe to those of their own organization, read `POST /presence/snapshot`, and then apply its events.',
  },
}
const scopes = Object.keys(channels) as EventScope[]

/**
 * The AsyncAPI 3 document of the event table (or of the given entries). Pure: the same table and options give the
 * same text. Actions are those of the office: it sends, clients receive.
 *
 * Throws where two different shapes have one title.
 */
export function asyncApiDocument(
  options: AsyncApiOptions,
  entries: Entries = eventEntries,
): AsyncApiDocument {
  const shapes = createShapes()
  const messages = Object.fromEntries(
    entries.map(([name, declared]) => [name, describeMessage(name, declared, shapes)]),
  )
  const namesIn = (scope: EventScope) =>
    entries.filter(([, declared]) => declared.scopes.includes(scope)).map(([name]) => name)
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Atrium: realtime events',
      description: DESCRIPTION,
      version: options.version,
      license: { name: 'Apache License 2.0' },
    },
    defaultContentType: 'application/json',
    servers: { broker: describeServer(options.serverUrl ?? OWN_MACHINE) },
    channels: {
      user: describeChannel('user', namesIn('user')),
      organization: describeChannel('organization', namesIn('organization')),
      status: describeChannel('status', namesIn('status')),
    },
    operations: Object.fromEntries(
      scopes
        .filter((scope) => namesIn(scope).length > 0)
        .map((scope) => [`${scope}Events`, describeOperation(scope, namesIn(scope))]),
    ),
    components: { messages, schemas: shapes.all() },
  }
}

function describeServer(url: string): Json {
  const { host, protocol, pathname } = new URL(url)
  return {
    host,
    protocol: protocol.replace(':', ''),
    pathname,
    description: 'The realtime broker: client protocol of Centrifugo, JSON',
  }
}

function describeChannel(scope: EventScope, names: readonly string[]) {
  const { address, title, description } = channels[scope]
  return {
    address,
    title,
    description,
    parameters: Object.fromEntries(
      Object.entries(parameters).filter(([name]) => address.includes(`{${name}}`)),
    ),
    messages: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/messages/${name}` }])),
  }
}

function describeOperation(scope: EventScope, names: readonly string[]) {
  return {
    action: 'send',
    channel: { $ref: `#/channels/${scope}` },
    summary: channels[scope].title,
    messages: names.map((name) => ({ $ref: `#/channels/${scope}/messages/${name}` })),
  }
}

function describeMessage(name: string, { summary, data, example }: EventDeclaration, shapes: Shapes): Json {
  return {
    name,
    title: name,
    summary,
    payload: {
      type: 'object',
      required: ['id', 'type', 'time', 'data'],
      properties: {
        id: { type: 'string', description: 'The same where the event is delivered twice' },
        type: { type: 'string', const: name },
        time: {
          ...shapes.write(Timestamp as unknown as Json),
          description: 'When it happened: RFC 3339, UTC',
        },
        data: shapes.write(data as unknown as Json),
      },
    },
    examples: [{ payload: exampleEvent(name, example) }],
  }
}

/** An event in its envelope, as a client would receive it. */
export function exampleEvent(name: string, data: object): Json {
  return { id: '8f14e45f-ceea-467f-9575-6a3c0f0d1b2e', type: name, time: '2026-03-23T09:00:00.000Z', data }
}
