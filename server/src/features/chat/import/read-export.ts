import { createHash } from 'node:crypto'
import { normalizeEmail } from '../../../directory/email-address.ts'
import { emojiOf } from './emoji-names.ts'
import type {
  ChatExport,
  FoundConversation,
  FoundMessage,
  FoundPerson,
  KnownPerson,
  Reason,
} from './found.ts'
import type { ConversationToImport } from './imported-conversations.ts'
import { partsOf } from './message-parts.ts'
import { endStaging, type OneConnection, type StagedMessage, stage } from './staged-messages.ts'

const BATCH = 500
const NAME_MAX = 100
const KINDS_MAX = 20
const PLACES_MAX = 5

/** What of an export was not taken, or not as it was. */
export class Told {
  readonly all = new Map<Reason, { count: number; places: string[] }>()

  say(reason: Reason, where: string, count = 1): void {
    const known = this.all.get(reason) ?? { count: 0, places: [] }
    known.count += count
    if (known.places.length < PLACES_MAX) known.places.push(where.slice(0, 200))
    this.all.set(reason, known)
  }
}

interface ReadConversation extends ConversationToImport {
  /** Its number in the stage. */
  place: number
  /** The moment of its first message; undefined: it has none. */
  begun: Date | undefined
}

/** An export of which the messages are staged. */
export interface ReadExport {
  conversations: readonly ReadConversation[]
  counted: { known: number; unknown: number }
  told: Told
}

/** Reads all of an export: its messages go to the stage, a few hundred at a time. */
export async function readExport(
  db: OneConnection,
  source: ChatExport,
  members: ReadonlyMap<string, string>,
  now: Date,
): Promise<ReadExport> {
  const told = new Told()
  const people = new Map<string, KnownPerson>()
  const conversations = new Map<string, ReadConversation | undefined>()
  let batch: StagedMessage[] = []
  const flush = async () => {
    await stage(db, batch)
    batch = []
  }
  for await (const found of source.found()) {
    if (found.kind === 'untaken') told.say(found.reason, found.where)
    if (found.kind === 'person') people.set(found.key, knownOf(found, members))
    if (found.kind === 'conversation')
      conversations.set(found.key, conversationOf(source, found, people, { place: conversations.size, told }))
    if (found.kind !== 'message') continue
    const conversation = conversations.get(found.conversation)
    if (!conversation) {
      if (!conversations.has(found.conversation)) told.say('unknown-conversation', found.conversation)
      continue
    }
    const staged = stagedOf(source, found, conversation, { people, told, now })
    for (const { at } of staged.slice(0, 1))
      if (!conversation.begun || at < conversation.begun) conversation.begun = at
    batch.push(...staged)
    if (batch.length >= BATCH) await flush()
  }
  await flush()
  const twice = await endStaging(db, source)
  if (twice > 0) told.say('twice', 'messages of the same author and moment', twice)
  const known = [...people.values()].filter(({ id }) => id !== undefined).length
  return {
    conversations: [...conversations.values()].filter((one) => one !== undefined),
    counted: { known, unknown: people.size - known },
    told,
  }
}

function knownOf({ name, email }: FoundPerson, members: ReadonlyMap<string, string>): KnownPerson {
  const address = email === undefined ? undefined : normalizeEmail(email)
  return { name: shortened(name), id: address === undefined ? undefined : members.get(address) }
}

/** One without a member here has no reader. */
function conversationOf(
  { format }: ChatExport,
  { key, title, people: keys, isDirect }: FoundConversation,
  people: ReadonlyMap<string, KnownPerson>,
  { place, told }: { place: number; told: Told },
): ReadConversation | undefined {
  const members = keys.map((one) => people.get(one))
  const known = [...new Set(members.flatMap((one) => one?.id ?? []))]
  const named = shortened(title === '' ? members.flatMap((one) => one?.name ?? []).join(', ') : title)
  if (known.length === 0) {
    told.say('no-members', named === '' ? key : named)
    return undefined
  }
  return {
    // names of people change their owners: a conversation of two is that of these two
    key: uuidOf(format, 'conversation', key, ...(isDirect ? known.toSorted() : [])),
    title: named,
    people: known,
    // of three, of whom one is not here, it is not the conversation of the other two
    isDirect: isDirect && new Set(keys).size === 2,
    place,
    begun: undefined,
  }
}

/** A message as one or more of ours; none where it cannot be one, which is told. */
function stagedOf(
  { format, textOf }: ChatExport,
  found: FoundMessage,
  conversation: ReadConversation,
  { people, told, now }: { people: ReadonlyMap<string, KnownPerson>; told: Told; now: Date },
): StagedMessage[] {
  const where = `${conversation.title}, ${found.key}`
  const parts = partsOf(found, textOf, (key) => people.get(key))
  if (typeof parts === 'string') {
    told.say(parts, where)
    return []
  }
  if (parts.length > 1) told.say('divided', where)
  if (found.files.length > 0) told.say('files-left', where, found.files.length)
  const author = people.get(found.author)
  if (author?.id === undefined) told.say('unknown-author', author?.name ?? found.authorName ?? found.author)
  const keyOf = (message: string, part: number) =>
    uuidOf(format, 'message', conversation.key, message, ...(part === 0 ? [] : [String(part)]))
  const guest = {
    guest: uuidOf(format, 'author', found.author),
    guestName: shortened(author?.name ?? found.authorName ?? found.author) || 'unknown',
  }
  const common = {
    conversation: conversation.place,
    // a clock that went ahead
    at: found.at > now ? now : found.at,
    sender: author?.id,
    ...(author?.id === undefined ? guest : { guest: undefined, guestName: undefined }),
    isEdited: found.isEdited,
    parent: found.parent === undefined ? undefined : keyOf(found.parent, 0),
  }
  return parts.map((content, part) => ({
    ...common,
    content,
    key: keyOf(found.key, part),
    reactions: part === 0 ? reactionsOf(found, people, told) : [],
  }))
}

function reactionsOf(
  { reactions }: FoundMessage,
  people: ReadonlyMap<string, KnownPerson>,
  told: Told,
): StagedMessage['reactions'] {
  const kinds = reactions.flatMap(({ name, people: keys }) => {
    const emoji = emojiOf(name)
    if (emoji === undefined) told.say('unknown-reaction', name)
    return emoji === undefined ? [] : [{ emoji, users: keys.flatMap((key) => people.get(key)?.id ?? []) }]
  })
  return kinds
    .filter(({ users }) => users.length > 0)
    .slice(0, KINDS_MAX)
    .flatMap(({ emoji, users }) => [...new Set(users)].map((user) => ({ user, emoji })))
}

function shortened(name: string): string {
  const seen = name
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, '')
    .trim()
  return [...seen].slice(0, NAME_MAX).join('')
}

/** The same for the same: a UUID of version 8 (RFC 9562). */
function uuidOf(...of: readonly string[]): string {
  const hash = createHash('sha256')
    .update(JSON.stringify(['atrium chat import', ...of]))
    .digest()
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x80
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80
  const hex = hash.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  )
}
