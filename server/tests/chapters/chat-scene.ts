import type { Reply } from '@atrium/contract'
import { type Listener, listenAs } from '../listener.ts'
import { openTestOffice, type TestOffice } from '../office.ts'
import { type Chatter, conversationOf } from './chat.ts'

type Listed = Reply<'listConversations'>['body']['conversations'][number]

/** An office with two people who have opened their conversation. */
export interface ChatScene extends Awaited<ReturnType<typeof conversationOf>> {
  office: TestOffice
  /** Their connection, until the scene closes. */
  listen(person: Chatter): Promise<Listener>
  /** The conversation as the person's list shows it. */
  shownTo(person: Chatter, conversation?: number): Promise<Listed | undefined>
  close(): Promise<void>
}

export async function openChatScene(settings: Record<string, string> = {}): Promise<ChatScene> {
  const office = await openTestOffice({ settings })
  const scene = await conversationOf(office)
  const listeners: Listener[] = []
  return {
    office,
    ...scene,
    async listen(person) {
      const listener = await listenAs(person)
      listeners.push(listener)
      return listener
    },
    async shownTo(person, conversation = scene.conversation) {
      const { conversations } = await person.browser.call('listConversations')
      return conversations.find(({ conversationId }) => conversationId === conversation)
    },
    async close() {
      for (const listener of listeners) listener.close()
      await office.close()
    },
  }
}
