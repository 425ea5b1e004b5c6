import type { AuditAction, Role } from '@atrium/contract'
import type { Person } from '../people.ts'
import type { AnyInput, Stage } from './stage.ts'

/**
 * What tests that go through all operations have to know of each one. An operation without its row does not
 * compile.
 */
export interface OperationRow {
  /** Input that succeeds, for every caller. Not given: none is needed. */
  input?(stage: Stage, actor: Pick<Person, 'id' | 'browser'>): AnyInput | Promise<AnyInput>
  /** Whom the trials have call it: the admin where not given. */
  caller?: 'newcomer' | 'visitor'
  /** Roles that may; every one where not given. For operations of an organization. */
  roles?: readonly Role[]
  /** Roles that may on what is their own: the trials are on what is another person's. */
  ownOnly?: readonly Role[]
  /**
   * Whether others can see that it was done: writing, reacting and renaming are seen, and what the audit trail says is
   * by admins. All others are done by an invisible member (`invisible.test.ts`), and must look as if the member were
   * away.
   */
  visible: boolean
  /** What the audit trail says of a success, or why it says nothing. */
  audit: AuditAction | { none: string }
  /** Kinds of ids that open a field by being known: tokens, which are made to be given away. */
  capability?: Record<string, readonly IdKind[]>
}

/** Everything that names something of another organization. */
export const idKinds = [
  'user id',
  'identity user id',
  'e-mail',
  'organization id',
  'organization name',
  'invitation id',
  'invitation token',
  'link token',
  'invitation cursor',
  'audit cursor',
  'sign-in token',
  'room id',
  'room name',
  'guest token',
  'guest identity',
  'guest invite id',
  'recording id',
  'egress id',
  'service token id',
  'webhook id',
  'directory connection id',
  'directory group id',
  'domain id',
] as const
export type IdKind = (typeof idKinds)[number]

/** Said of operations that change nothing. */
export const reads = { none: 'it only reads' }
