import Type, { type Static } from 'typebox'
import { realtimeEvent } from './event-declaration.ts'
import { operation } from './operation.ts'
import { PresenceStatus, Timestamp, visibleStatuses, words } from './shapes.ts'

const chapter = 'Realtime and presence'

const [, ...connectedStatuses] = visibleStatuses
/** What a member may choose. */
export const chosenStatuses = [...connectedStatuses, 'appear_offline'] as const
export type ChosenStatus = (typeof chosenStatuses)[number]

/** Longest note of a status, in characters. */
export const NOTE_MAX = 100
/** How far ahead the end of a status may lie. */
export const UNTIL_MAX_DAYS = 7

const PresenceUserId = Type.String({ description: "The identity provider's user id" })

/**
 * One person's status in one organization: row of a snapshot, and answer to a change. `appear_offline` is shown to the
 * person alone; to others it reads `offline`.
 */
export const PresenceRecord = Type.Object(
  {
    userId: PresenceUserId,
    status: words(['offline', ...chosenStatuses] as const),
  },
  { title: 'PresenceRecord' },
)
export type PresenceRecord = Static<typeof PresenceRecord>

export const presenceEvents = {
  'status.changed': realtimeEvent({
    scopes: ['status', 'user'],
    summary:
      'The visible status of a person changed: on their status channel for colleagues who subscribe to it, or on the channel of the person alone where nothing changed for others.',
    // the record of a snapshot without `appear_offline`, which must not leave the office
    data: Type.Object({ userId: PresenceUserId, status: PresenceStatus }, { title: 'VisiblePresence' }),
    example: { userId: 'user_01KAJ4Q8Z9GF4D7H1S6P3K8YTC', status: 'away' },
  }),
} as const

export const presenceOperations = {
  setPresenceStatus: operation({
    method: 'POST',
    path: '/presence/status',
    summary: "Choose the caller's status in the active organization",
    description:
      'Answers the true status. Colleagues hear `status.changed` only when what they see changes; `appear_offline` looks to them like `offline`. At `until` the choice and the note end, and connectivity decides again. Without `note` the one there is stays, with its end unless another is given; `appear_offline` without `until` takes a note that has an end away. A note alone is told by `profile.updated`, and to nobody of who appears offline.',
    chapter,
    access: { kind: 'organization' },
    body: Type.Object({
      status: words(chosenStatuses),
      note: Type.Optional(
        Type.String({
          maxLength: NOTE_MAX,
          label: 'a note',
          description: 'For colleagues; "" takes it away',
        }),
      ),
      until: Type.Optional(
        Type.String({
          ...Timestamp,
          maxLength: 64,
          sentence: `Enter a time in the next ${UNTIL_MAX_DAYS} days, such as 2026-03-23T09:00:00Z`,
          description: `When the choice ends: in the next ${UNTIL_MAX_DAYS} days`,
        }),
      ),
    }),
    replies: { 200: PresenceRecord },
  }),
  confirmPresence: operation({
    method: 'POST',
    path: '/presence/connected',
    summary: 'Confirm that a realtime connection is established',
    description:
      'Called once after each successful connection. Moves offline to online and overrides nothing else. Answers the true status.',
    chapter,
    access: { kind: 'organization' },
    replies: { 200: PresenceRecord },
  }),
  getPresenceSnapshot: operation({
    method: 'POST',
    path: '/presence/snapshot',
    summary: 'Read the statuses of up to 100 people of the active organization',
    description:
      "Takes both kinds of user ids. One row for each person found, ordered by userId; unknown people and those of other organizations are left out. The caller's own row shows the truth.",
    chapter,
    access: { kind: 'organization', serviceTokens: true, bots: true },
    body: Type.Object({
      userIds: Type.Array(Type.String({ maxLength: 1_024 }), {
        minItems: 1,
        maxItems: 100,
        label: 'user ids',
      }),
    }),
    replies: { 200: Type.Object({ statuses: Type.Array(PresenceRecord) }) },
  }),
} as const
