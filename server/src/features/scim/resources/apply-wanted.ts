import type { AuditEntry } from '../../../access/audit/audit-trail.ts'
import { rankOf } from '../../../access/permissions.ts'
import type { Tx } from '../../../platform/database/database.ts'
import type { DirectoryCaller, DirectoryNeeds } from '../connections/directory-caller.ts'
import { type DoneWord, ScimFault } from '../protocol/faults.ts'
import type { Wanted } from '../protocol/read-resource.ts'
import { followAccount } from './accounts.ts'
import { activate, deactivate, followGroups } from './membership.ts'
import { restoreNamesakes, takeOut } from './take-out.ts'
import {
  adoptPeople,
  type DirectoryPerson,
  type DirectoryView,
  putView,
  shownEmail,
  touchView,
} from './user-store.ts'
import { saidRole, type WantedUser } from './wanted-user.ts'

/**
 * Takes from a user what a directory takes away: their membership, their way back into it, or a part of their role. With
 * the members locked.
 * @param wanted what they are to be; what cannot be read of it is as it was
 * @returns what belongs into the audit trail, nothing where nothing was taken, and what it was
 * @throws ScimFault 409 where no admin would be left
 */
export async function takeAccess(
  tx: Tx,
  { organization }: DirectoryCaller,
  {
    person,
    wanted: { resource, unsaid },
  }: { person: DirectoryPerson; wanted: Pick<Wanted, 'resource' | 'unsaid'> },
  now: Date,
): Promise<{ entries: AuditEntry[]; done: DoneWord }> {
  const { id, membership } = person
  const isMember = membership?.status === 'active'
  const ends = resource.active === false && !unsaid.has('active')
  const done = ends ? 'deactivated' : 'role-lowered'
  const said = saidRole(resource)
  const falls = isMember && said !== undefined && rankOf(said) < rankOf(membership.role)
  if (!ends && !falls) return { entries: [], done }
  // without a membership, the directory would lose a user whom it has never spoken of
  await adoptPeople(tx, organization, [id], now)
  const lowered = falls ? await followGroups(tx, organization, [id], now, said) : []
  const ended = ends ? await takeOut(tx, organization, person, now) : []
  // the membership, which counts for the times too, is gone
  if (ends && isMember) await touchView(tx, organization, id, now)
  return { entries: [...lowered, ...ended], done }
}

/**
 * Makes a user what the directory wants them to be. With the members locked.
 * @returns what belongs into the audit trail; `kept-out`: see `activate`
 * @throws ScimFault
 */
export async function applyWanted(
  tx: Tx,
  { changesAddresses }: Pick<DirectoryNeeds, 'changesAddresses'>,
  { organization, author }: DirectoryCaller,
  { before, wanted }: { before: DirectoryPerson; wanted: WantedUser },
  now: Date,
): Promise<AuditEntry[] | 'kept-out'> {
  const { id } = before
  const membership = await followActive(tx, { organization, author }, { before, wanted }, now)
  if (membership === 'kept-out') return 'kept-out'
  const { changed, keptEmail } = await followAccount(
    tx,
    { organization, changesAddresses },
    { before, wanted },
    now,
  )
  const fields = changedFields(before, wanted)
  if (fields.length + membership.length > 0 || !before.provisioned || wanted.emailSaid !== before.emailSaid)
    await putView(tx, organization, id, { ...wanted, keptEmail }, now)
  const detail = { fields: fields.join(' '), account: changed.join(' ') }
  const updated: AuditEntry = { action: 'directory-user.updated', target: { kind: 'user', id }, detail }
  return [...(fields.length > 0 ? [updated] : []), ...membership]
}

async function followActive(
  tx: Tx,
  { organization, author }: DirectoryCaller,
  { before, wanted }: { before: DirectoryPerson; wanted: WantedUser },
  now: Date,
): Promise<AuditEntry[] | 'kept-out'> {
  const wasActive = before.membership?.status === 'active'
  if (wanted.active === wasActive) return []
  if (!wanted.active) return await deactivate(tx, organization, before, now)
  const joined = await activate(tx, organization, { person: before, author }, now)
  if (joined === 'kept-out') return joined
  return [...joined, ...(await restoreNamesakes(tx, organization, { person: before, author }, now))]
}

const VIEW_FIELDS = [
  'userName',
  'externalId',
  'givenName',
  'familyName',
  'displayName',
  'emailType',
  'emailPrimary',
] as const

function changedFields(before: DirectoryPerson, wanted: WantedUser): string[] {
  const fields = VIEW_FIELDS.filter((field: keyof DirectoryView) => before[field] !== wanted[field])
  return [...fields, ...(wanted.email === shownEmail(before) ? [] : ['email'])]
}

/** @param about whom the directory sees under it */
export function taken(about?: DirectoryPerson): ScimFault {
  const fault = new ScimFault(409, 'Somebody of this userName or address is there already', 'uniqueness')
  fault.about = about?.id
  return fault
}

export function keptOut(): ScimFault {
  return new ScimFault(
    403,
    'An administrator or the identity provider has taken this person out: invite them anew instead',
    undefined,
    'kept-out',
  )
}
