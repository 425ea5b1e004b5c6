import {
  agentDispatches,
  auditActorKinds,
  chosenStatuses,
  conversationLevels,
  deliveryStates,
  exportStates,
  GuestState,
  guestAdmissions,
  MembershipStatus,
  organizationLanguages,
  pushShows,
  recordingStates,
  roles,
  roomKinds,
  visibleStatuses,
} from '@atrium/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../fresh-database.ts'

/** The contract's list for each column that stores one of its words. */
const LISTS: Readonly<Record<string, readonly string[]>> = {
  'audit_entries.actor_kind': auditActorKinds,
  'conversation_choices.level': conversationLevels,
  'exports.state': exportStates,
  'guests.state': GuestState.enum,
  'invitations.role': roles,
  'membership_departures.role': roles,
  'memberships.role': roles,
  'memberships.status': MembershipStatus.enum,
  'organization_settings.guest_admission': guestAdmissions,
  'organization_settings.language': organizationLanguages,
  'presence.manual_status': chosenStatuses,
  'presence.status': [...visibleStatuses, 'appear_offline'],
  'push_subscriptions.shows': pushShows,
  'recordings.state': recordingStates,
  'removed_addresses.role': roles,
  'rooms.agent_dispatch': agentDispatches,
  'rooms.kind': roomKinds,
  'scim_groups.role': roles,
  'scim_users.role_by_hand': roles,
  'webhook_deliveries.state': deliveryStates,
}

/** Columns with words of the server alone, which no caller reads or writes as they are stored. */
const INTERNAL = new Set([
  'account_confirmations.purpose',
  'bearer_tokens.kind',
  'calendar_codes.provider',
  'calendar_connections.provider',
  'chat_presence.status',
  'ended_access.cause',
  'knocks.outcome',
  'mail_queue.mail_class',
  'media_jobs.kind',
  'media_participants.ended_by',
  'media_rooms.ended_by',
  'media_tracks.ended_by',
  'membership_departures.kind',
  'membership_departures.removed_by',
  'organization_domains.state',
  'pending_sign_ins.method',
  'pending_sign_ups.kind',
  'recordings.stored',
  'recordings.transcript_state',
  'redirect_sign_ins.way',
  'removed_addresses.removed_by',
  'sessions.method',
  'users.language',
])

interface Constraint {
  column: string
  words: readonly string[]
}

/** Where a column takes other words than its list has, or has no list. */
function disagreements(constraints: readonly Constraint[], lists = LISTS): string[] {
  const found = new Map(constraints.map(({ column, words }) => [column, words]))
  const unlisted = [...found.keys()].filter((column) => !(column in lists) && !INTERNAL.has(column))
  const different = Object.entries(lists).filter(
    ([column, list]) => [...list].sort().join() !== [...(found.get(column) ?? [])].sort().join(),
  )
  return [
    ...unlisted.map((column) => `${column}: name its list in this file`),
    ...different.map(([column, list]) => `${column}: takes ${found.get(column)}, the contract has ${list}`),
  ]
}

describe('words that a column takes', () => {
  let database: FreshDatabase
  beforeAll(async () => {
    database = await freshDatabase()
  })
  afterAll(() => database.drop())

  it('are those of the contract', async () => {
    const { rows } = await database.pool.query<Constraint>(
      `select format('%s.%s', c.conrelid::regclass, a.attname) as "column",
         array(select match[1] from regexp_matches(pg_get_constraintdef(c.oid), '''([^'']*)''::text', 'g') match) as words
       from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any (c.conkey)
       where c.contype = 'c' and pg_get_constraintdef(c.oid) ~ '= ANY \\(ARRAY\\[''.*::text'`,
    )
    expect(rows.length).toBeGreaterThan(30)
    expect(disagreements(rows)).toEqual([])
  })

  it('are found where they differ, and where no list is named', () => {
    const lists = { 'rooms.kind': ['open', 'closed'] }
    const found = (...words: string[]) => disagreements([{ column: 'rooms.kind', words }], lists)
    expect(found('closed', 'open')).toEqual([])
    expect(found('open')).toEqual(['rooms.kind: takes open, the contract has open,closed'])
    expect(disagreements([{ column: 'rooms.look', words: ['plain'] }], {})).toEqual([
      'rooms.look: name its list in this file',
    ])
  })
})
