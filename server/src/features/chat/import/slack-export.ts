import { type Fields, fieldsOf, listOf, parsed, readBounded, textOf, textsOf } from './bounded-reading.ts'
import type { ExportFiles } from './export-files.ts'
import { type ChatExport, ExportProblem, type Found, type FoundMessage } from './found.ts'
import { slackText } from './slack-text.ts'

/** Of one file: the messages of a day, or a list of people or conversations. */
const FILE_BYTES_MAX = 64 * 1024 * 1024
const DAY = /^\d{4}-\d\d-\d\d\.json$/
const TIME = /^\d{1,10}\.\d{1,6}$/
/** Messages that a person has written; the others are notices of the program. */
const WRITTEN = new Set(['', 'thread_broadcast', 'me_message', 'bot_message', 'file_share', 'file_comment'])
const LISTS = [
  { file: 'channels.json', isDirect: false, folder: 'name' },
  { file: 'groups.json', isDirect: false, folder: 'name' },
  { file: 'mpims.json', isDirect: true, folder: 'name' },
  { file: 'dms.json', isDirect: true, folder: 'id' },
] as const

export function isSlackExport({ names }: Pick<ExportFiles, 'names'>): boolean {
  return names.includes('users.json')
}

/** The export of a workspace: a folder for each conversation, a file for each day. */
export function slackExport(files: ExportFiles): ChatExport {
  return { format: 'slack', keysHaveTwins: false, textOf: slackText, found: () => found(files) }
}

async function* found(files: ExportFiles): AsyncIterable<Found> {
  for (const person of await listIn(files, 'users.json')) {
    const profile = fieldsOf(person.profile)
    const key = textOf(person.id)
    if (key !== undefined)
      yield {
        kind: 'person',
        key,
        name: textOf(profile.display_name) ?? textOf(profile.real_name) ?? textOf(person.name) ?? key,
        email: textOf(profile.email),
      }
  }
  const days = daysByFolder(files.names)
  for (const { file, isDirect, folder } of LISTS)
    for (const conversation of files.names.includes(file) ? await listIn(files, file) : []) {
      const key = textOf(conversation.id)
      if (key === undefined) continue
      const title = isDirect ? '' : (textOf(conversation.name) ?? key)
      yield { kind: 'conversation', key, title, people: textsOf(conversation.members), isDirect }
      for (const day of days.get(textOf(conversation[folder]) ?? '') ?? []) yield* messagesOf(files, day, key)
    }
}

/** @throws ExportProblem where it is no list */
async function listIn(files: ExportFiles, name: string): Promise<Fields[]> {
  const text = await readBounded(await files.open(name), FILE_BYTES_MAX)
  const list = text === undefined ? undefined : parsed(text)
  if (!Array.isArray(list)) throw new ExportProblem(`${name} is not the list that Slack writes`)
  return list.map(fieldsOf)
}

function daysByFolder(names: readonly string[]): Map<string, string[]> {
  const days = new Map<string, string[]>()
  for (const name of names.toSorted()) {
    const [folder = '', file = '', ...deeper] = name.split('/')
    if (deeper.length > 0 || !DAY.test(file)) continue
    const known = days.get(folder)
    if (known) known.push(name)
    else days.set(folder, [name])
  }
  return days
}

async function* messagesOf(files: ExportFiles, day: string, conversation: string): AsyncIterable<Found> {
  const text = await readBounded(await files.open(day), FILE_BYTES_MAX)
  const list = text === undefined ? undefined : parsed(text)
  if (!Array.isArray(list)) {
    yield { kind: 'untaken', reason: text === undefined ? 'too-long' : 'unreadable', where: day }
    return
  }
  for (const [at, one] of list.entries()) yield messageOf(fieldsOf(one), conversation, `${day}, ${at + 1}`)
}

function messageOf(message: Fields, conversation: string, where: string): Found {
  const { type, ts, thread_ts: thread } = message
  if (type !== 'message' || !WRITTEN.has(textOf(message.subtype) ?? ''))
    return { kind: 'untaken', reason: 'notice', where }
  if (typeof ts !== 'string' || !TIME.test(ts)) return { kind: 'untaken', reason: 'without-time', where }
  return {
    kind: 'message',
    conversation,
    key: ts,
    author: textOf(message.user) ?? textOf(message.bot_id) ?? 'unknown',
    authorName: textOf(message.username) ?? textOf(fieldsOf(message.user_profile).real_name),
    at: new Date(Number(ts) * 1_000),
    isEdited: message.edited !== undefined,
    text: textOf(message.text) ?? '',
    files: listOf(message.files).flatMap((file) => textOf(fieldsOf(file).name) ?? []),
    parent: typeof thread === 'string' && thread !== ts ? thread : undefined,
    reactions: reactionsOf(message.reactions),
  }
}

function reactionsOf(given: unknown): FoundMessage['reactions'] {
  return listOf(given)
    .map(fieldsOf)
    .flatMap(({ name, users }) => (typeof name === 'string' ? [{ name, people: textsOf(users) }] : []))
}
