import Type from 'typebox'
import { operation } from './operation.ts'
import { NameField, nullable, Timestamp } from './shapes.ts'

const chapter = 'Bots'
const mayManage = { kind: 'organization', permission: 'ManageServiceTokens' } as const

const BotId = Type.String({ minLength: 1, maxLength: 128, description: 'The User.id of a bot' })
const BotName = NameField({ min: 2, max: 100 })

const Bot = Type.Object(
  {
    botId: Type.String({ description: 'Its User.id: it is a member' }),
    name: Type.String(),
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
    body: Type.Object({ name: BotName }),
    replies: {
      201: Type.Object({ botId: Type.String(), token: Type.String({ description: 'Shown this once' }) }),
    },
    errors: ['too-many-bots'],
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
    summary: 'Give a bot another name',
    chapter,
    access: mayManage,
    body: Type.Object({ botId: BotId, name: BotName }),
    replies: { 200: Type.Object({ bot: Bot }) },
    errors: ['bot-not-found'],
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
