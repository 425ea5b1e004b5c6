import Type from 'typebox'
import { operation } from './operation.ts'
import { NameField, nullable, Timestamp } from './shapes.ts'

const chapter = 'Bots'
const mayManage = { kind: 'organization', permission: 'ManageServiceTokens' } as const

const BotId = Type.String({ minLength: 1, maxLength: 128, description: 'The User.id of a bot' })
const BotName = NameField({ min: 2, max: 100 })
const AgentName = NameField({
  min: 1,
  max: 64,
  label: 'the name of a worker',
  description: 'The `agentName` by which workers of livekit-agents register that come into rooms as this bot',
})

const Bot = Type.Object(
  {
    botId: Type.String({ description: 'Its User.id: it is a member' }),
    name: Type.String(),
    agentName: nullable(Type.String({ description: 'Of the workers that come into rooms as it' })),
    createdBy: Type.String({ description: 'A User.id; empty of a bot that came by an archive' }),
    createdAt: Timestamp,
    lastUsedAt: nullable(Timestamp),
  },
  { title: 'Bot' },
)

export const botOperations = {
  createBot: operation({
    method: 'POST',
    path: '/api/v1/organizations/bots/create',
    summary: 'Make a program a member of the organization',
    description:
      'A bot is a member with `isBot: true`, of the role `member` and without an address: it signs in nowhere, and counts as nobody. The token is shown this once. It is sent as `Authorization: Bearer atrbot_…`, and may call what is open to bots, and nothing else, until the bot is deleted.',
    chapter,
    access: mayManage,
    body: Type.Object({ name: BotName, agentName: Type.Optional(AgentName) }),
    replies: {
      201: Type.Object({ botId: Type.String(), token: Type.String({ description: 'Shown this once' }) }),
    },
    errors: ['too-many-bots', 'agent-name-taken'],
  }),
  listBots: operation({
    method: 'POST',
    path: '/api/v1/organizations/bots/list',
    summary: "List the organization's bots, newest first",
    chapter,
    access: mayManage,
    replies: { 200: Type.Object({ bots: Type.Array(Bot) }) },
  }),
  updateBot: operation({
    method: 'POST',
    path: '/api/v1/organizations/bots/update',
    summary: 'Give a bot another name, or other workers',
    description:
      'Workers of livekit-agents that register by its `agentName` are dispatched into the rooms that it is asked into, and are shown as this bot; `null`: none are.',
    chapter,
    access: mayManage,
    body: Type.Object({
      botId: BotId,
      name: Type.Optional(BotName),
      agentName: Type.Optional(nullable(AgentName)),
    }),
    replies: { 200: Type.Object({ bot: Bot }) },
    errors: ['bot-not-found', 'agent-name-taken'],
  }),
  deleteBot: operation({
    method: 'POST',
    path: '/api/v1/organizations/bots/delete',
    summary: 'Delete a bot: its token and its connections end',
    description: 'What it has written stays, under its name.',
    chapter,
    access: mayManage,
    body: Type.Object({ botId: BotId }),
    replies: { 204: null },
    errors: ['bot-not-found'],
  }),
} as const
