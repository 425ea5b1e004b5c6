import { sql } from 'kysely'
import { memberIdsByEmail } from '../../../directory/members/addresses.ts'
import type { Db } from '../../../platform/database/database.ts'
import { transactionOnce } from '../../../platform/database/transaction.ts'
import type { OrganizationId } from '../../../platform/ids.ts'
import type { ChatExport, Reason } from './found.ts'
import { findImported, goesOn, lastImported, makeImported, settleImported } from './imported-conversations.ts'
import { countJoined, type JoinedSince, letJoin, type There } from './joined-since.ts'
import { type ReadExport, readExport } from './read-export.ts'
import {
  closeStage,
  countStaged,
  isAnyLeft,
  leaveEarlier,
  leaveStaged,
  markWritten,
  numberNext,
  type OneConnection,
  openStage,
  writeNumbered,
} from './staged-messages.ts'

/** What an import has done, or would do. */
export interface ImportReport extends JoinedSince {
  /** Conversations that have something new. */
  conversations: number
  messages: number
  /** There by an earlier import. */
  alreadyThere: number
  people: { known: number; unknown: number }
  /** What is not imported, or not as it was: how often, and the first places. */
  told: ReadonlyMap<Reason, { count: number; places: readonly string[] }>
}

interface ImportNeeds {
  db: Db
  now: Date
  /** Called once before anything is written. */
  begin(connection: Db, found: JoinedSince & { conversations: number; messages: number }): Promise<void>
}

/**
 * Brings conversations of another chat into an organization. It keeps nothing of the messages in memory; what an earlier
 * import of the same export has brought is not brought again, so that it may be repeated where it was cut off.
 * @throws ExportProblem
 */
export async function importChat(
  { db, now, begin }: ImportNeeds,
  source: ChatExport,
  organization: OrganizationId,
  { isTrial }: { isTrial: boolean },
): Promise<ImportReport> {
  return await db.connection().execute(async (connection) => {
    try {
      await openStage(connection)
      const members = await memberIdsByEmail(connection, organization)
      const read = await readExport(connection, source, members, now)
      const { alreadyThere, met, ...planned } = await plan(connection, read, organization)
      if (!isTrial && planned.messages + planned.joined + planned.given > 0) await begin(connection, planned)
      if (!isTrial) await letAllJoin(connection, met, organization)
      const written = isTrial ? planned : await writeAll(connection, read, organization)
      return { ...planned, ...written, alreadyThere, people: read.counted, told: read.told.all }
    } finally {
      await closeStage(connection)
    }
  })
}

/** What is to be written. What has come by an earlier import is marked. */
async function plan(connection: OneConnection, read: ReadExport, organization: OrganizationId) {
  let [conversations, messages, alreadyThere, joined, given] = [0, 0, 0, 0, 0]
  const met: There[] = []
  for (const { place, key, title, people } of read.conversations) {
    const known = await findImported(connection, organization, key)
    if (known !== undefined) {
      await markWritten(connection, place, known)
      const since = { place, conversationId: known, people }
      const counted = await countJoined(connection, since)
      if (counted.joined + counted.given > 0) met.push(since)
      joined += counted.joined
      given += counted.given
      const earlier = await leaveEarlier(connection, place)
      if (earlier > 0) read.told.say('conversation-goes-on', title, earlier)
    }
    const { left, there, orphans } = await countStaged(connection, place)
    alreadyThere += there
    if (left === 0) continue
    if (orphans > 0) read.told.say('answers-nothing', title, orphans)
    if (known !== undefined && (await goesOn(connection, known, await lastImported(connection, place)))) {
      read.told.say('conversation-goes-on', title, left)
      await leaveStaged(connection, place)
      continue
    }
    conversations += 1
    messages += left
  }
  return { conversations, messages, alreadyThere, joined, given, met }
}

async function letAllJoin(connection: OneConnection, met: readonly There[], organization: OrganizationId) {
  for (const conversation of met)
    await transactionOnce(connection, async (tx) => {
      await sql`select set_config('atrium.importing', 'on', true)`.execute(tx)
      await letJoin(tx, organization, conversation)
    })
}

async function writeAll(connection: OneConnection, read: ReadExport, organization: OrganizationId) {
  let [conversations, messages] = [0, 0]
  for (const conversation of read.conversations) {
    const written = await writeConversation(connection, read, conversation, organization)
    messages += written
    if (written > 0) conversations += 1
  }
  return { conversations, messages }
}

/** In transactions of some hundred messages each. @returns how many were written */
async function writeConversation(
  connection: OneConnection,
  read: ReadExport,
  conversation: ReadExport['conversations'][number],
  organization: OrganizationId,
): Promise<number> {
  const { place, title, begun } = conversation
  let written = 0
  let last = await lastImported(connection, place)
  for (;;) {
    const ids = await transactionOnce(connection, async (tx) => {
      await sql`select set_config('atrium.importing', 'on', true)`.execute(tx)
      if (begun === undefined || !(await isAnyLeft(tx, place))) return []
      const id =
        (await findImported(tx, organization, conversation.key)) ??
        (await makeImported(tx, organization, conversation, begun))
      if (await goesOn(tx, id, last)) {
        read.told.say('conversation-goes-on', title, (await countStaged(tx, place)).left)
        return []
      }
      const numbered = await numberNext(tx, place)
      await writeNumbered(tx, { conversation: place, conversationId: id, organization }, numbered)
      if (!(await isAnyLeft(tx, place))) await settleImported(tx, id)
      return numbered
    })
    written += ids.length
    last = ids.at(-1) ?? last
    if (ids.length === 0) return written
  }
}
