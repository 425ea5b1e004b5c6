import type { Reply } from '@atrium/contract'
import type { AtriumClient } from '../index.ts'
import { createWantedStore, type WantedState, type WantedStore } from '../live/wanted-store.ts'
import type { Store } from '../store.ts'
import type { MessageRow } from './chat-data.ts'

type Listed = Reply<'listConversations'>['body']['conversations'][number]

/** What is the caller's own of a conversation. */
export type Choice = Pick<Listed, 'unread' | 'mentioned' | 'draft' | 'level' | 'lastReadMessageId'>

export interface ChoicesState extends WantedState {
  /** By the id of the conversation: of the hundred that moved last. */
  of: ReadonlyMap<number, Choice>
  /** Messages that mention the caller and are not read, of all of them. */
  mentioned: number
}

export interface Choices extends Store<ChoicesState> {
  refresh(): Promise<void>
}

const CONVERSATIONS = 100
const GATHER_MS = 100

/** Drafts, levels and counts. */
export function createChoices(client: AtriumClient): WantedStore<ChoicesState> {
  return createWantedStore<Reply<'listConversations'>['body'], ChoicesState>({
    empty: { of: new Map(), mentioned: 0, loaded: false },
    read: () => client.call('listConversations', { limit: CONVERSATIONS }),
    stateOf: ({ conversations }) => ({
      of: new Map(conversations.map((one) => [one.conversationId, one])),
      mentioned: conversations.reduce((sum, { mentioned }) => sum + mentioned, 0),
      loaded: true,
    }),
    gatherMs: GATHER_MS,
  })
}

/** After an unread message of another person. @returns undefined where the office has to say */
export function withUnread(
  state: ChoicesState,
  { conversation_id, mentions, mentionsRoom }: MessageRow,
  ownId: string,
): ChoicesState | undefined {
  const choice = state.of.get(conversation_id)
  if (!choice) return undefined
  const calls = mentionsRoom === true || mentions?.includes(ownId) === true ? 1 : 0
  const changed = { ...choice, unread: choice.unread + 1, mentioned: choice.mentioned + calls }
  return {
    ...state,
    of: new Map(state.of).set(conversation_id, changed),
    mentioned: state.mentioned + calls,
  }
}
