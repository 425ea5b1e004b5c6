import { createChat } from '@atrium/client/chat'
import { connectRealtime } from '@atrium/client/realtime'
import { inviteTokenOf, newPerson, type WebPerson } from './people.ts'
import type { WebOffice } from './visitor.ts'

/** An organization in which every screen has something to show. */
export interface Scene {
  /** Who administers it. */
  ada: WebPerson
  grace: WebPerson
  /** Somebody without an organization. */
  newcomer: WebPerson
  roomId: string
  conversationId: number
  inviteToken: string
  invitationPath: string
  guestPath: string
}

export async function openScene(office: Pick<WebOffice, 'url'>): Promise<Scene> {
  const ada = await newPerson(office, 'Ada Lovelace', { found: 'Analytical Screens' })
  const inviteToken = await inviteTokenOf(ada)
  const grace = await newPerson(office, 'Grace Hopper', { inviteToken })
  const newcomer = await newPerson(office, 'Edsger Dijkstra')
  const { room } = await ada.client.call('createRoom', { name: 'Kitchen' })
  await ada.client.call('sendInvitation', { email: 'new@screens.example' })
  const { data } = await ada.client.call('listInvitation', {})
  const { id: orgId = '' } =
    (await ada.client.call('getCurrentUser')).organizationMemberships[0]?.organization ?? {}
  const { inviteUrl } = await ada.client.call('inviteGuest', {
    ...{ orgId, roomId: room.id, durationSeconds: 3_600, allowAll: true },
  })
  return {
    ...{ ada, grace, newcomer, inviteToken, roomId: room.id },
    conversationId: await write(ada, await userIdOf(grace), 'Lunch?'),
    invitationPath: pathOf(data[0]?.acceptInvitationUrl ?? ''),
    guestPath: pathOf(inviteUrl),
  }
}

export async function userIdOf({ client }: WebPerson): Promise<string> {
  return (await client.call('getCurrentUser')).id
}

/** Writes to somebody, without the pages. @returns the id of the conversation */
export async function write({ client }: WebPerson, userId: string, text: string): Promise<number> {
  const live = await connectRealtime(client)
  const chat = createChat(client, live)
  try {
    const conversation = await chat.openWith(userId)
    await conversation.send(text)
    return conversation.id
  } finally {
    chat.close()
    live.close()
  }
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url)
  return `${pathname}${search}`
}
