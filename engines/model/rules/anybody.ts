import { type Operation, type OperationId, operations, type Role } from '@atrium/contract'
import { ADMINS, INVITERS, MODERATORS, refusalFirst } from '../caller.ts'
import { calling } from '../calling.ts'
import { type Rule, refused } from '../rule.ts'

/** Which roles hold a permission, as the spec and decisions say (Roles; the permission of each operation is the contract's). */
const HOLDERS: Record<string, readonly Role[]> = {
  InviteUser: INVITERS,
  ReadInviteLink: INVITERS,
  RecordRoom: INVITERS,
  // more or fewer of them, as the organization says: below, no role ever may
  AdmitGuest: INVITERS,
  ResetInviteLink: MODERATORS,
  BanUser: MODERATORS,
  EditRoom: MODERATORS,
  DeleteAnyRecording: MODERATORS,
}

const guarded = Object.entries(operations as Record<string, Operation>).filter(([, { access }]) =>
  ['session', 'organization', 'any-organization', 'guest'].includes(access.kind),
)

/** Every operation of the contract, by callers without the right to it: nothing of their input is looked at. */
const mayNot: Rule = {
  name: 'somebody calls what they may not',
  written:
    'decisions, Order of refusals: no session is 401 and a role that never may is 403, whatever the body',
  weight: 3,
  plan(world, drawn) {
    const caller = world.caller(drawn)
    const place = (drawn.one * 12 + drawn.other) % guarded.length
    const [id = '', operation] = guarded[place] ?? []
    if (!operation || operation.params) return undefined
    const { access } = operation
    const roles =
      access.kind === 'organization' && access.permission
        ? (HOLDERS[access.permission] ?? ADMINS)
        : (['guest', 'member', 'moderator', 'admin'] as const)
    const refusal =
      access.kind === 'session' || access.kind === 'any-organization'
        ? caller.session
          ? undefined
          : refused(401, 'unauthenticated')
        : refusalFirst(caller, roles)
    if (!refusal || access.kind === 'guest') return undefined
    return calling(world, caller, {
      id: id as OperationId,
      input: { nonsense: true },
      says: `calls ${id}`,
      expected: refusal,
    })
  },
}

export const anybodyRules: readonly Rule[] = [mayNot]
