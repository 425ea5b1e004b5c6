import Type from 'typebox'
import { operation } from './operation.ts'

const chapter = 'Chat'

/** Chat data are served to PostgREST clients: no operations, but names of functions and tables below this path. */
export const CHAT_DATA_PATH = '/rest/v1'
export const CHAT_FUNCTIONS = [
  'open_dm',
  'get_recent_dms',
  'get_conversation_messages',
  'update_read_cursor',
  'update_presence',
  'get_recent_dm_presence',
] as const
/** Those that may be read. Messages may be inserted too. */
export const CHAT_TABLES = ['conversations', 'conversation_members', 'messages', 'presence'] as const

const code = (name: string) => `\`${name}\``
const functionPaths = CHAT_FUNCTIONS.map((name) => code(`POST ${CHAT_DATA_PATH}/rpc/${name}`))
const tablePaths = CHAT_TABLES.map((name) => code(`GET ${CHAT_DATA_PATH}/${name}`))

/** What the chapter has beside its operations. */
export const chatNote = [
  `Conversations, messages and who is there are data of ${code(CHAT_DATA_PATH)}, for an unmodified PostgREST client with the token of this chapter; they are described in ${code('docs/chat.md')} of the source.`,
  `Functions: ${functionPaths.join(', ')}.`,
  `Rows: ${tablePaths.join(', ')}; ${code(`POST ${CHAT_DATA_PATH}/messages`)} sends.`,
  'Errors are those of PostgREST: `{code, message, details, hint}`.',
].join('\n\n')

export const chatOperations = {
  mintChatToken: operation({
    method: 'POST',
    path: '/api/v1/realtime/token',
    summary: `Get a token for the chat data under ${CHAT_DATA_PATH}`,
    description:
      'For a PostgREST client: its bearer token (docs/chat.md). Bound to the active organization: after a switch, ask anew. Refresh it about 5 minutes before it expires.',
    chapter,
    access: { kind: 'organization' },
    replies: {
      200: Type.Object(
        {
          token: Type.String({
            description: 'JWT (HS256), 1 hour; aud and role `authenticated`, user_id, org_id',
          }),
        },
        { title: 'ChatToken' },
      ),
    },
  }),
} as const
