import type { VisibleStatus } from '@atrium/contract'
import { CompiledQuery } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { PLANNED_EACH_TIME } from '../../platform/database/named-statements.ts'
import type { OrganizationId, RoomId } from '../../platform/ids.ts'
import { asciiHost } from '../../platform/text/unicode.ts'
import { type MemberRecord, type MemberRow, toMember } from './members.ts'

/** What to look for, and which part of what is found. */
export interface MemberSearch {
  /** Part of a name or an address, in any case; `''` finds all members. */
  query: string
  limit: number
  offset: number
  /** Only who appears so to the others. */
  presence?: VisibleStatus
}

/** A member in a list: who they are, and what is stored of how they appear. */
export interface ListedMember extends MemberRecord {
  presence: StoredPresence
}

interface StoredPresence {
  /** Null: presence stores nothing of them. */
  status: string | null
  /** Their own choice. */
  manual: string | null
  note: string | null
  until: Date | null
  /** Of several rooms the one they came into last. */
  room: RoomId | null
}

interface FoundRow extends MemberRow, StoredPresence {
  /** Of all who are found. */
  total: string
  /** People of the whole office whom a text was found in, up to one more than `FEW`. */
  hits?: string
}

const COLUMNS = `u.id, u.identity_user_id as "identityId", u.display_name as "displayName", u.email,
  u.avatar_key as "avatarKey", u.is_bot as "isBot",
  u.time_zone as "timeZone"`
const OF_MEMBERSHIP = 'm.role, m.sort_name as "sortName"'
/** The expression that is searched is the one of the index; neither a name nor an address holds a line break. Bots have no address. */
const MATCHING = String.raw`(lower(u.display_name) || E'\n' || u.email) like lower($4) and $4 not like E'%\n%'
  and (not u.is_bot or lower(u.display_name) like lower($4))`
/** The same by one of two texts. An address keeps its domain in ASCII, people write it as it is read. */
const MATCHING_EITHER = `(${MATCHING} or ${MATCHING.replaceAll('$4', '$5')})`
/** Who appears offline, and of whom presence stores nothing, is offline. */
const SHOWN = `coalesce(nullif(p.status, 'appear_offline'), 'offline')`
const PRESENCE = 'left join presence p on p.organization_id = m.organization_id and p.user_id = m.user_id'
const MEMBERS = `memberships m join users u on u.id = m.user_id`
const ACTIVE = `m.organization_id = $1 and m.status = 'active'`

/** The index of all people is of no use for shorter texts. */
const INDEXED_LENGTH = 3
/**
 * The index of all people of the office is asked first where they are at most so many for each member of the organization: a
 * word that is in all of them then costs it about three times what a look at each member costs. Members are counted up to a
 * thousand, so that no office of more than 60,000 people is asked this way.
 */
const PEOPLE_FOR_A_MEMBER = 60
const MEMBERS_COUNTED = 1_000
/** A text that finds so few people of the office is looked up by the index, against the planner's estimate. */
const FEW = 1_000

/** Members whom something was found in: counted, and one page of them, from one look. */
const foundIn = (source: string, condition: string) =>
  `found as materialized (select ${COLUMNS}, ${OF_MEMBERSHIP} from ${source} where ${ACTIVE} and ${condition})`
const PAGE_OF_FOUND = `page as (select * from found order by "sortName", id limit $2 offset $3)`
const TOTAL_OF_FOUND = 'select count(*) as total from found'

/** In the order of `memberships_by_name`; people are looked up for one page alone. */
export const EVERYBODY = statement({
  parts: [
    `places as (select user_id, role, sort_name from memberships m where ${ACTIVE}
      order by sort_name, user_id limit $2 offset $3)`,
    `page as (select ${COLUMNS}, ${OF_MEMBERSHIP} from places m
      cross join lateral (select * from users where id = m.user_id limit 1) u)`,
  ],
  counted: `select count(*) as total from memberships m where ${ACTIVE}`,
})

/**
 * Whether the index of all people is of use depends on the text: one letter is in every name, and a word may be in as
 * many addresses of other organizations as there are people in this one. So the text is planned for each time, which
 * takes as long as finding a few people: those are looked for first, by a plan that is made once and gives up early.
 */
const STATEMENTS = {
  everybody: EVERYBODY,
  few: statement({
    parts: [
      `office as (select reltuples <= ${PEOPLE_FOR_A_MEMBER} * (
        select count(*) from (select from memberships m where ${ACTIVE} limit ${MEMBERS_COUNTED}) counted) as small
        from pg_class where oid = 'users'::regclass)`,
      `hits as materialized (
        select ${COLUMNS} from users u where (select small from office) and ${MATCHING} limit ${FEW + 1})`,
      `found as materialized (select hits.*, ${OF_MEMBERSHIP} from hits cross join lateral (
        select role, sort_name from memberships m where ${ACTIVE} and m.user_id = hits.id limit 1) m)`,
      PAGE_OF_FOUND,
    ],
    counted: `select count(*) as total,
      case when (select small from office) then (select count(*) from hits) else ${FEW + 1} end as hits from found`,
  }),
  matching:
    statement({ parts: [foundIn(MEMBERS, MATCHING), PAGE_OF_FOUND], counted: TOTAL_OF_FOUND }) +
    PLANNED_EACH_TIME,
  matchingEither:
    statement({ parts: [foundIn(MEMBERS, MATCHING_EITHER), PAGE_OF_FOUND], counted: TOTAL_OF_FOUND }) +
    PLANNED_EACH_TIME,
  present: statement({
    parts: [foundIn(`${MEMBERS} ${PRESENCE}`, `${SHOWN} = $4`), PAGE_OF_FOUND],
    counted: TOTAL_OF_FOUND,
  }),
  matchingPresent:
    statement({
      parts: [foundIn(`${MEMBERS} ${PRESENCE}`, `${MATCHING} and ${SHOWN} = $5`), PAGE_OF_FOUND],
      counted: TOTAL_OF_FOUND,
    }) + PLANNED_EACH_TIME,
  matchingEitherPresent:
    statement({
      parts: [foundIn(`${MEMBERS} ${PRESENCE}`, `${MATCHING_EITHER} and ${SHOWN} = $6`), PAGE_OF_FOUND],
      counted: TOTAL_OF_FOUND,
    }) + PLANNED_EACH_TIME,
}

/**
 * A page of members with how they are and where, beside what was counted, which is there where the page is empty too. How
 * long a page is, the plan for all pages does not know: what is joined to it would be read whole, were it not looked up for
 * each.
 */
function statement({ parts, counted }: { parts: readonly string[]; counted: string }): string {
  return `
  with ${parts.join(', ')}
  select page.*, p.status, p.manual_status as manual, p.note, p.choice_ends_at as until, inside.room_id as room, counted.*
  from (${counted}) counted
  left join page on true
  left join lateral (select * from presence where organization_id = $1 and user_id = page.id limit 1) p on true
  left join lateral (
    select room_id from media_participants
    where organization_id = $1 and user_id = page.id and ended_at is null and counts and not apart
    order by joined_at desc, sid limit 1) inside on true
  order by page."sortName", page.id`
}

/** Active members by name, their presence, and their total: one query, with a text that is made once. */
export async function searchMembers(
  db: Db,
  organization: OrganizationId,
  { query, limit, offset, presence }: MemberSearch,
): Promise<{ members: ListedMember[]; total: number }> {
  const pattern = patternOf(query)
  const stored = storedSpelling(query)
  const place = [organization, limit, offset]
  const ask = async (name: keyof typeof STATEMENTS, ...more: readonly string[]) =>
    (await db.executeQuery<FoundRow>(CompiledQuery.raw(STATEMENTS[name], [...place, ...more]))).rows
  if (stored !== undefined) {
    const patterns = [pattern, patternOf(stored)]
    return listed(
      await (presence
        ? ask('matchingEitherPresent', ...patterns, presence)
        : ask('matchingEither', ...patterns)),
    )
  }
  if (presence)
    return listed(await (query === '' ? ask('present', presence) : ask('matchingPresent', pattern, presence)))
  if (query === '') return listed(await ask('everybody'))
  const few = query.length < INDEXED_LENGTH ? undefined : await ask('few', pattern)
  if (few && Number(few[0]?.hits) <= FEW) return listed(few)
  return listed(await ask('matching', pattern))
}

function patternOf(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
}

/** How an address has a text that may be of an international domain, or end in a part of one. */
function storedSpelling(query: string): string | undefined {
  const at = query.lastIndexOf('@') + 1
  const domain = query.slice(at)
  if (!/[^\0-\x7f]/.test(domain) || /\s/.test(domain)) return undefined
  const ascii = asciiHost(domain)
  return ascii ? `${query.slice(0, at)}${ascii}` : undefined
}

function listed(rows: readonly FoundRow[]): { members: ListedMember[]; total: number } {
  return {
    members: rows
      .filter(({ id }) => id !== null)
      .map((row) => {
        const { status, manual, note, until, room } = row
        return { ...toMember(row), presence: { status, manual, note, until, room } }
      }),
    total: Number(rows[0]?.total ?? 0),
  }
}
