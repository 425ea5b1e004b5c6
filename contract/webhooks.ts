import Type from 'typebox'
import type { EventDeclaration } from './event-declaration.ts'
import { memberEvents } from './members.ts'
import { operation } from './operation.ts'
import { organizationEvents } from './organizations.ts'
import { presenceEvents } from './presence.ts'
import { recordingEvents } from './recording-events.ts'
import { roomEvents } from './rooms.ts'
import { cursorPage, cursors, nullable, Timestamp, words } from './shapes.ts'

const chapter = 'Webhooks'
const mayManage = { kind: 'organization', permission: 'ManageWebhooks' } as const

const chapters: Readonly<Record<string, EventDeclaration>> = {
  ...memberEvents,
  ...organizationEvents,
  ...presenceEvents,
  ...roomEvents,
  ...recordingEvents,
}

/**
 * The events that an endpoint can be sent: those for all members of the organization, without hints that last seconds.
 */
export const webhookEventNames: readonly string[] = Object.entries(chapters)
  .filter(
    ([name, { scopes }]) => name !== 'room.activity' && scopes.some((scope) => scope === 'organization'),
  )
  .map(([name]) => name)

/** The events of its own conversations that the endpoint of a bot can be sent beside those. */
export const botEventNames: readonly string[] = [
  'message.created',
  'message.updated',
  'message.deleted',
  'reaction.changed',
  'conversation.joined',
]

const WebhookUrl = Type.String({
  minLength: 1,
  maxLength: 2_048,
  label: 'an address',
  description:
    'https, at a public address, without user name and password; in development http and any address too',
  examples: ['https://hooks.example/atrium'],
})
const WebhookEvents = Type.Array(words([...webhookEventNames, ...botEventNames]), {
  minItems: 1,
  maxItems: 100,
  label: 'events',
})
const WebhookId = Type.String({ minLength: 1, maxLength: 128 })

const WebhookState = words(['unverified', 'verified'], {
  title: 'WebhookState',
  description: 'Whether the receiver has agreed. Until it has, it is sent nothing but tests.',
})

const Webhook = Type.Object(
  {
    id: Type.String(),
    url: Type.String(),
    events: Type.Array(Type.String()),
    botId: Type.Optional(Type.String({ description: 'The bot that it is of' })),
    state: WebhookState,
    enabled: Type.Boolean({
      description:
        'False: switched off by an admin, or by us after a day in which nothing could be delivered',
    }),
    failingSince: nullable(Timestamp),
    createdBy: Type.String({ description: 'A User.id; empty where there is no such user any more' }),
    createdAt: Timestamp,
  },
  { title: 'Webhook' },
)

/** What became of one event at one endpoint. */
export const deliveryStates = ['pending', 'delivered', 'failed'] as const
export type DeliveryState = (typeof deliveryStates)[number]

const Delivery = Type.Object(
  {
    id: Type.String(),
    event: Type.String({ description: 'The name of the event' }),
    eventId: Type.String({ description: 'The `webhook-id` that it is sent with, each time' }),
    at: Timestamp,
    attempts: Type.Integer(),
    state: words(deliveryStates, { title: 'DeliveryState' }),
    status: nullable(Type.Integer({ description: 'HTTP status of the last answer; null: there was none' })),
  },
  { title: 'WebhookDelivery' },
)

export const webhookOperations = {
  createWebhook: operation({
    method: 'POST',
    path: '/api/v1/organizations/webhooks/create',
    summary: 'Have events of the organization sent to an address',
    description:
      'Each event is a `POST` with the JSON body `{id, type, timestamp, organizationId, data}`, signed as [Standard Webhooks](https://www.standardwebhooks.com) says (`webhook-id`, `webhook-timestamp`, `webhook-signature`) with the secret, which is shown this once. Any 2xx answer within 10 seconds takes it; anything else, a redirect included, is tried again for a day. What concerns one room, conversation or person comes in its order; an event may come twice, with the same `webhook-id`. 410 switches the endpoint off. Before anything else the address is sent one event `webhook.test` with `data: {challenge}`; it is `verified` once a 2xx answer carries the challenge in its body, or an admin enters it (`verify`). What happens until then is kept for a day. With `botId` it is sent, beside events of all members, the events of that bot’s own conversations: `message.created`, `message.updated`, `message.deleted`, `reaction.changed` and `conversation.joined`. Messages are sent as they are then, not as they were.',
    chapter,
    access: mayManage,
    body: Type.Object({
      url: WebhookUrl,
      events: WebhookEvents,
      botId: Type.Optional(Type.String({ minLength: 1, maxLength: 128, description: 'A bot' })),
    }),
    replies: {
      201: Type.Object({
        id: Type.String(),
        secret: Type.String({ description: '`whsec_…`, shown this once' }),
      }),
    },
    errors: ['address-not-public', 'too-many-webhooks', 'bot-not-found'],
  }),
  listWebhooks: operation({
    method: 'POST',
    path: '/api/v1/organizations/webhooks/list',
    summary: "List the organization's webhooks, newest first",
    chapter,
    access: mayManage,
    replies: { 200: Type.Object({ webhooks: Type.Array(Webhook) }) },
  }),
  updateWebhook: operation({
    method: 'POST',
    path: '/api/v1/organizations/webhooks/update',
    summary: 'Change where a webhook goes, what it is sent, or whether it is on',
    description:
      'What happens while it is off is not sent later. Another address is `unverified`, and sent a test as a new one is.',
    chapter,
    access: mayManage,
    body: Type.Object({
      id: WebhookId,
      url: Type.Optional(WebhookUrl),
      events: Type.Optional(WebhookEvents),
      enabled: Type.Optional(Type.Boolean()),
    }),
    replies: { 200: Type.Object({ webhook: Webhook }) },
    errors: ['address-not-public', 'webhook-not-found'],
  }),
  verifyWebhook: operation({
    method: 'POST',
    path: '/api/v1/organizations/webhooks/verify',
    summary: 'Have the test sent again, or enter what it has carried',
    description:
      'Without `challenge` another test is sent, whose challenge is good for a day: three an hour to one host. With `challenge` it is compared with that of the last test, five times at most.',
    chapter,
    access: mayManage,
    body: Type.Object({
      id: WebhookId,
      challenge: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
    }),
    replies: { 200: Type.Object({ state: WebhookState }) },
    errors: ['webhook-not-found', 'already-verified', 'wrong-challenge'],
  }),
  deleteWebhook: operation({
    method: 'POST',
    path: '/api/v1/organizations/webhooks/delete',
    summary: 'Delete a webhook, with what waits for it and its log',
    chapter,
    access: mayManage,
    body: Type.Object({ id: WebhookId }),
    replies: { 204: null },
    errors: ['webhook-not-found'],
  }),
  rotateWebhook: operation({
    method: 'POST',
    path: '/api/v1/organizations/webhooks/rotate',
    summary: 'Give a webhook another secret',
    description: 'For a day everything is signed with the new and the former secret: either one verifies.',
    chapter,
    access: mayManage,
    body: Type.Object({ id: WebhookId }),
    replies: { 200: Type.Object({ secret: Type.String({ description: '`whsec_…`, shown this once' }) }) },
    errors: ['webhook-not-found'],
  }),
  listWebhookDeliveries: operation({
    method: 'POST',
    path: '/api/v1/organizations/webhooks/deliveries',
    summary: 'Read what became of the events of a webhook, newest first',
    description: 'Of the last 30 days.',
    chapter,
    access: mayManage,
    body: Type.Object({
      id: WebhookId,
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 100, description: '1 to 100; 10 where not given' }),
      ),
      ...cursors,
    }),
    replies: { 200: cursorPage(Delivery) },
    errors: ['webhook-not-found'],
  }),
  replayWebhook: operation({
    method: 'POST',
    path: '/api/v1/organizations/webhooks/replay',
    summary: 'Send again one event, or all that could not be delivered',
    description: 'With the same `webhook-id`: a receiver that has it already knows it.',
    chapter,
    access: mayManage,
    body: Type.Object({
      id: WebhookId,
      deliveryId: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 128,
          description: 'Where not given: the oldest 1,000 that have failed',
        }),
      ),
    }),
    replies: { 200: Type.Object({ replayed: Type.Integer({ description: 'How many are sent again' }) }) },
    errors: ['webhook-not-found', 'delivery-not-found', 'webhook-off', 'webhook-unverified'],
  }),
} as const
