import { sql } from 'kysely'
import { findOrganizationById } from '../../directory/organizations.ts'
import { decidedLanguage } from '../../directory/settings.ts'
import { listAddressees, listUsersById } from '../../directory/users.ts'
import type { Db } from '../../platform/database/database.ts'
import { trusted, type UserId } from '../../platform/ids.ts'
import { pushWords } from './push-words.ts'
import type { Subscription } from './subscription-store.ts'

/** What the service worker of the web office is given: a notification, and where it leads. */
export interface Notice {
  title: string
  body: string
  /** One of the same takes its place. */
  tag: string
  /** A path of the web office, and in which organization it is. */
  path: string
}

/** What a browser is to be told of. */
export type Occasion =
  | { message: string }
  | { call: 'knock' | 'talk'; from: string; roomId?: string | undefined }

/** A text of chat without the marks of its form; a mention without a name stays as it is. */
export type PlainText = (text: string, nameOf: (id: string) => string | undefined) => string

interface Asked {
  message: string
  /** The first message of its conversation that was not told of: where the later ones say nothing, it may. */
  since?: string | undefined
  /** How far the person had read when an edit mentioned them. */
  readTo?: string | undefined
  person: UserId
  shows: Subscription['shows']
}

const BODY_MAX = 200
/** Of a text, as much as is read for it, marks included: a whole one of marks would take the parser 80 ms for each device. */
const READ_MAX = 3 * BODY_MAX

/** What to say of a message, as it stands now. @returns undefined: nothing (any more); `seen`: a page tells of it */
export async function noticeOfMessage(
  { db, plainText }: { db: Db; plainText: PlainText },
  { message, since, readTo, person, shows }: Asked,
  now: Date,
): Promise<Notice | 'seen' | undefined> {
  const { rows } = await sql<Told>`
    select unsent.message, conversation_id as conversation, organization_id as organization, sender, title,
      is_direct as "isDirect", content, is_seen as "isSeen"
    from (select case when ${since ?? null}::bigint is null then ${message}::bigint
        else message_to_push(${since ?? null}, ${message}, ${person}, ${now}) end as message) unsent
      cross join lateral push_of_message(unsent.message, ${person}, ${now}, ${readTo ?? null})`.execute(db)
  const [told] = rows
  if (!told) return undefined
  if (told.isSeen) return 'seen'
  const words = await wordsOf(db, person, told.organization)
  const place = await organizationOf(db, told.organization)
  const why = told.isDirect ? words.wrote : words.mentions(told.title)
  return {
    title: told.sender,
    body: shows === 'who' ? why : inShort(told.content, plainText, await namesIn(db, told, words.everybody)),
    tag: `conversation ${told.conversation}`,
    path: `/chat/${told.conversation}?${place}`,
  }
}

/** What to say of a call. @returns undefined where the person is not to be called now */
export async function noticeOfCall(
  db: Db,
  { call, from, roomId }: Extract<Occasion, { call: string }>,
  { person, organization }: { person: UserId; organization: string },
  now: Date,
): Promise<Notice | undefined> {
  const { rows } = await sql<{ may: boolean }>`
    select may_push_to(${person}, ${organization}, ${now}) and not has_page_open(${person}) as may`.execute(
    db,
  )
  const sender = trusted.userId(from)
  const name = (await listUsersById(db, [sender])).get(sender)?.displayName
  if (!rows[0]?.may || name === undefined) return undefined
  const words = await wordsOf(db, person, organization)
  const path = call === 'talk' && roomId !== undefined ? `/room/${roomId}` : '/'
  return {
    title: name,
    body: call === 'talk' ? words.calls : words.knocks,
    tag: `call ${from}`,
    path: `${path}?${await organizationOf(db, organization)}`,
  }
}

interface Told {
  message: string
  conversation: string
  organization: string
  sender: string
  title: string
  isDirect: boolean
  content: string
  isSeen: boolean
}

/** The web office switches to it where another one is open. */
async function organizationOf(db: Db, organization: string): Promise<URLSearchParams> {
  const found = await findOrganizationById(db, trusted.organizationId(organization))
  return new URLSearchParams({ organization: found?.identityId ?? '' })
}

async function wordsOf(db: Db, person: UserId, organization: string) {
  const decided = await decidedLanguage(db, trusted.organizationId(organization))
  const [addressee] = await listAddressees(db, [person], decided)
  return pushWords[addressee?.language ?? 'en']
}

/** The names of the members whom a message mentions. A person of another organization has none here. */
async function namesIn(
  db: Db,
  { message }: { message: string },
  everybody: string,
): Promise<(id: string) => string | undefined> {
  const { rows } = await sql<{
    id: string
    name: string
  }>`select id, name from people_mentioned(${message})`.execute(db)
  const names = new Map([['room', everybody], ...rows.map(({ id, name }) => [id, name] as const)])
  return (id) => names.get(id)
}

function inShort(content: string, plainText: PlainText, nameOf: (id: string) => string | undefined): string {
  const written = [...content]
  const letters = [...plainText(written.slice(0, READ_MAX).join(''), nameOf)]
  const isWhole = written.length <= READ_MAX && letters.length <= BODY_MAX
  return isWhole ? letters.join('') : `${letters.slice(0, BODY_MAX - 1).join('')}…`
}
