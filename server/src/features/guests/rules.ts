import type { UserId } from '../../platform/ids.ts'

/** Where a guest stands. Out of the room: denied, left, expired. */
export type GuestState = 'waiting' | 'admitted' | 'denied' | 'left' | 'expired'

export type Decision = 'admit' | 'deny'

export const STATE_OF: Record<Decision, GuestState> = { admit: 'admitted', deny: 'denied' }

/** What the link of a guest says of who may let them in. */
export interface AdmissionPolicy {
  allowAll: boolean
  /** Empty: no admin is named. */
  allowedAdmins: readonly UserId[]
  invitedBy: UserId
}

/**
 * Who may decide on a guest, of those who are admins now: all, or the named ones; with neither said, the inviter where
 * they are an admin. Where none of those is an admin any more, all may: no guest waits for ever.
 */
export function decidersAmong<Admin extends { id: UserId }>(
  admins: readonly Admin[],
  { allowAll, allowedAdmins, invitedBy }: AdmissionPolicy,
): Admin[] {
  if (allowAll) return [...admins]
  const meant = allowedAdmins.length > 0 ? allowedAdmins : [invitedBy]
  const present = admins.filter(({ id }) => meant.includes(id))
  return present.length > 0 ? present : [...admins]
}

/** Whether a user is among those who may decide on a guest. */
export function mayDecideOn(
  admins: readonly { id: UserId }[],
  policy: AdmissionPolicy,
  user: UserId,
): boolean {
  return decidersAmong(admins, policy).some(({ id }) => id === user)
}

/** How long the token of a guest can be used; never longer than their place. */
const GUEST_TOKEN_SECONDS = 10 * 60

/** Whole seconds until then, as far as a token may live. */
export function tokenSeconds(now: Date, expiresAt: Date): number {
  const left = Math.floor((expiresAt.getTime() - now.getTime()) / 1_000)
  return Math.max(1, Math.min(GUEST_TOKEN_SECONDS, left))
}

/** How long an admitted guest has their place without being seen; moved on whenever they are. Not the link ends it. */
export const STAY_SECONDS = 12 * 60 * 60

/** Until when an admitted guest has their place. */
export function stayUntil(now: Date, before: Date): Date {
  return new Date(Math.max(before.getTime(), now.getTime() + STAY_SECONDS * 1_000))
}

/** How long a guest is not heard again after they were denied: the first time, the second, … and from then on. */
export const BACK_OFF_SECONDS = [60, 5 * 60, 25 * 60, 60 * 60] as const

/** A guest who waits, or was just admitted, has left where they are not seen for as long as their token can be used, and a little more. */
export const ABSENT_AFTER_TOKEN_SECONDS = GUEST_TOKEN_SECONDS + 60
/** A reload is not leaving. */
export const ABSENT_AFTER_DISCONNECT_SECONDS = 60
/** How long a guest who was seen is believed to be there, without another look. */
export const SEEN_FOR_SECONDS = 2 * 60
/** How long after they were put out a guest may still hold a token for the room: its life, and a clock's leeway. */
export const OUT_WATCH_SECONDS = GUEST_TOKEN_SECONDS + 2 * 60
