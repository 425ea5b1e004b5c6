import { PostgrestClient } from '@supabase/postgrest-js'
import type { TestOffice } from '../office.ts'
import { newFounder, newMember, type Person } from '../people.ts'

/** A person with a token for the chat data, and the official client that uses it. */
export interface Chatter extends Person {
  token: string
  // biome-ignore lint/suspicious/noExplicitAny: no generated types of the schema
  rest: PostgrestClient<any, any, 'public', any>
}

export async function chatterOf(office: TestOffice, person: Person): Promise<Chatter> {
  const { token } = await person.browser.call('mintChatToken')
  return { ...person, token, rest: restOf(office, token) }
}

export function restOf(office: TestOffice, token: string): Chatter['rest'] {
  return new PostgrestClient(`${office.baseUrl}/rest/v1`, { headers: { authorization: `Bearer ${token}` } })
}

/** Two people of one organization who have opened their conversation. */
export async function conversationOf(office: TestOffice): Promise<{
  ada: Chatter
  ben: Chatter
  conversation: number
  founder: Person & { organizationId: string }
}> {
  const founder = await newFounder(office)
  const ada = await chatterOf(office, founder)
  const ben = await chatterOf(office, await newMember(office, founder, 'member'))
  return { ada, ben, conversation: await openDm(ada, ben), founder }
}

export async function openDm(from: Pick<Chatter, 'rest'>, to: { id: string }): Promise<number> {
  const { data, error } = await from.rest.rpc('open_dm', { p_peer_user_id: Number(to.id) }).single()
  if (error) throw error
  return (data as { conversation_id: number }).conversation_id
}

/** A group of one chatter and others. */
export async function openGroup(
  from: Chatter,
  others: readonly { id: string }[],
  title?: string,
): Promise<number> {
  const p_user_ids = others.map(({ id }) => Number(id))
  const { data, error } = await from.rest
    .rpc('open_conversation', { p_user_ids, ...(title === undefined ? {} : { p_title: title }) })
    .single()
  if (error) throw error
  return (data as { conversation_id: number }).conversation_id
}

/** As if what is there had been sent that long ago: out of the reach of the limits. */
export async function letTimePass(office: TestOffice, conversation: number, seconds = 120): Promise<void> {
  await office.database.pool.query(
    `update messages set created_at = created_at - make_interval(secs => $2) where conversation_id = $1`,
    [conversation, seconds],
  )
}

/** Sends until it is sent, against any limit. */
export async function sendMany(
  office: TestOffice,
  from: Chatter,
  conversation: number,
  contents: readonly string[],
): Promise<number[]> {
  const ids: number[] = []
  for (const content of contents) {
    await letTimePass(office, conversation)
    const { data, error } = await from.rest
      .from('messages')
      .insert({ conversation_id: conversation, content })
      .select('message_id')
      .single()
    if (error) throw error
    ids.push(data.message_id)
  }
  return ids
}
