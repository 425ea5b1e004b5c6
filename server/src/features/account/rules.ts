import type { Place } from '../../directory/erasure.ts'
import { Refusal } from '../../platform/refusal.ts'

/** An organization keeps its last admin as long as there are other members. */
function keepsFromLeaving({ isDeleted, role, others, otherAdmins }: Place): boolean {
  return !isDeleted && role === 'admin' && otherAdmins === 0 && others > 0
}

/** No member is left who could come back to it. */
export function endsWithThem({ isDeleted, others }: Place): boolean {
  return !isDeleted && others === 0
}

/** @throws Refusal conflict, which names the organization that would be left without an admin */
export function requireNotNeeded(places: readonly Place[]): void {
  const kept = places.find(keepsFromLeaving)
  if (!kept) return
  const message = `You are the last admin of ${kept.organizationName}: make somebody else an admin, or delete the organization first`
  throw Refusal.of('last-admin', { message })
}
