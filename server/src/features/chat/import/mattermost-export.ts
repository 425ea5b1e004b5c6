import { type Fields, fieldsOf, listOf, parsed, readLines, textOf, textsOf } from './bounded-reading.ts'
import { outsideCode } from './code-parts.ts'
import { withEmoji } from './emoji-names.ts'
import type { ExportFiles } from './export-files.ts'
import type { ChatExport, Found, FoundMessage, KnownPerson } from './found.ts'
import { withoutMentions } from './slack-text.ts'

/** A line has a post with all of its replies. */
const LINE_BYTES_MAX = 16 * 1024 * 1024
const MENTION = /(^|[^\w@.-])@([a-z0-9][a-z0-9._-]{0,63})/g

export function bulkFileOf({ names }: Pick<ExportFiles, 'names'>): string | undefined {
  return names.find((name) => name.endsWith('.jsonl'))
}

/** The file of Mattermost's bulk export: a line of JSON for each thing, people and channels before posts. */
export function mattermostExport(files: ExportFiles, name: string): ChatExport {
  return {
    format: 'mattermost',
    keysHaveTwins: true,
    textOf: mattermostText,
    found: () => found(files, name),
  }
}

function mattermostText(text: string, personOf: (key: string) => KnownPerson | undefined): string {
  return outsideCode(withoutMentions(text), withEmoji).replaceAll(
    MENTION,
    (all, before: string, name: string) => {
      // a sentence may end after a name
      const key = name.replace(/[._-]+$/, '')
      const id = personOf(key)?.id
      return id === undefined ? all : `${before}<@${id}>${name.slice(key.length)}`
    },
  )
}

async function* found(files: ExportFiles, name: string): AsyncIterable<Found> {
  /** Members stand with the people, and before them the channels. */
  const members = new Map<string, string[]>()
  const titles = new Map<string, string>()
  const told = new Set<string>()
  for await (const { number, text } of readLines(await files.open(name), LINE_BYTES_MAX)) {
    const where = `line ${number}`
    if (text?.trim() === '') continue
    const line = fieldsOf(text === undefined ? undefined : parsed(text))
    const kind = textOf(line.type)
    const content = fieldsOf(line[kind ?? ''])
    if (kind === undefined)
      yield { kind: 'untaken', reason: text === undefined ? 'too-long' : 'unreadable', where }
    if (kind === 'channel')
      titles.set(channelKey(content), textOf(content.display_name) ?? channelKey(content))
    if (kind === 'user') yield personOf(content, members)
    if (kind === 'direct_channel') yield directChannel(textsOf(content.members))
    if (kind === 'post') {
      const key = channelKey(content)
      if (!told.has(key)) {
        told.add(key)
        const people = members.get(key) ?? []
        yield { kind: 'conversation', key, title: titles.get(key) ?? key, people, isDirect: false }
      }
      yield* messagesOf(content, key, where)
    }
    if (kind === 'direct_post') {
      const people = textsOf(content.channel_members)
      const channel = directChannel(people)
      if (!told.has(channel.key)) {
        told.add(channel.key)
        yield channel
      }
      yield* messagesOf(content, channel.key, where)
    }
  }
}

function channelKey(content: Fields): string {
  return `${textOf(content.team) ?? ''}/${textOf(content.channel) ?? textOf(content.name) ?? ''}`
}

function directChannel(people: readonly string[]) {
  const key = `direct/${people.toSorted().join(' ')}`
  return { kind: 'conversation', key, title: '', people, isDirect: true } as const
}

function personOf(content: Fields, members: Map<string, string[]>): Found {
  const key = textOf(content.username) ?? ''
  for (const team of listOf(content.teams).map(fieldsOf))
    for (const channel of listOf(team.channels).map(fieldsOf)) {
      const of = channelKey({ team: team.name, channel: channel.name })
      const known = members.get(of)
      if (known) known.push(key)
      else members.set(of, [key])
    }
  const name = [textOf(content.first_name), textOf(content.last_name)].filter(Boolean).join(' ')
  return {
    kind: 'person',
    key,
    name: textOf(content.nickname) ?? (name === '' ? key : name),
    email: textOf(content.email),
  }
}

/** A post, then its replies: they have no ids, so each is known by its author and moment. */
function* messagesOf(content: Fields, conversation: string, where: string): Iterable<Found> {
  const root = messageOf(content, conversation, where, undefined)
  yield root
  const parent = root.kind === 'message' ? root.key : undefined
  for (const reply of listOf(content.replies).map(fieldsOf))
    yield messageOf(reply, conversation, `${where}, a reply`, parent)
}

function messageOf(content: Fields, conversation: string, where: string, parent: string | undefined): Found {
  const { create_at: at, edit_at: edited } = content
  if (textOf(content.type)?.startsWith('system_')) return { kind: 'untaken', reason: 'notice', where }
  if (typeof at !== 'number' || !Number.isSafeInteger(at) || at < 0 || at > 8e15)
    return { kind: 'untaken', reason: 'without-time', where }
  const author = textOf(content.user) ?? 'unknown'
  return {
    kind: 'message',
    conversation,
    key: `${author} ${at} ${parent === undefined ? '' : `in ${parent}`}`,
    author,
    authorName: undefined,
    at: new Date(at),
    isEdited: typeof edited === 'number' && edited > at,
    text: textOf(content.message) ?? '',
    files: listOf(content.attachments).flatMap(
      (file) => textOf(fieldsOf(file).path)?.split('/').at(-1) ?? [],
    ),
    parent,
    reactions: reactionsOf(content.reactions),
  }
}

/** One line for each person there, one kind with its people here. */
function reactionsOf(given: unknown): FoundMessage['reactions'] {
  const kinds = new Map<string, string[]>()
  for (const { emoji_name: name, user } of listOf(given).map(fieldsOf)) {
    if (typeof name !== 'string' || typeof user !== 'string') continue
    const known = kinds.get(name)
    if (known) known.push(user)
    else kinds.set(name, [user])
  }
  return [...kinds].map(([name, people]) => ({ name, people }))
}
