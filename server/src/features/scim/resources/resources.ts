import { createHash } from 'node:crypto'
import type { UserId } from '../../../platform/ids.ts'
import type { Complex } from '../protocol/attributes.ts'
import { GROUPS, USERS } from '../protocol/resource-kinds.ts'
import type { GroupOfUser, GroupRecord } from './group-store.ts'
import { type DirectoryPerson, shownEmail } from './user-store.ts'

/** A user as a resource of SCIM. @param baseUrl of the SCIM endpoints */
export function userResource(
  baseUrl: string,
  person: DirectoryPerson,
  groups: readonly GroupOfUser[] = [],
): Complex {
  const { membership, givenName, familyName } = person
  const name = given({ givenName, familyName })
  const active = membership?.status === 'active'
  return {
    schemas: [USERS.schema],
    id: person.id,
    ...given({ externalId: person.externalId }),
    userName: person.userName,
    ...(Object.keys(name).length > 0 ? { name } : {}),
    ...given({ displayName: person.displayName }),
    active,
    emails: [{ value: shownEmail(person), type: person.emailType, primary: person.emailPrimary }],
    ...(groups.length > 0
      ? {
          groups: groups.map(({ id, displayName }) => ({
            value: id,
            $ref: `${baseUrl}/Groups/${id}`,
            display: displayName,
          })),
        }
      : {}),
    ...(active && membership ? { roles: [{ value: membership.role, primary: true }] } : {}),
    meta: metaOf('User', `${baseUrl}/Users/${person.id}`, person),
  }
}

/** A group as a resource of SCIM. */
export function groupResource(baseUrl: string, group: GroupRecord, members: readonly UserId[] = []): Complex {
  return {
    schemas: [GROUPS.schema],
    id: group.id,
    ...given({ externalId: group.externalId }),
    displayName: group.displayName,
    ...(members.length > 0
      ? {
          members: members.map((id) => ({
            value: id,
            $ref: `${baseUrl}/Users/${id}`,
            type: 'User',
          })),
        }
      : {}),
    meta: metaOf('Group', `${baseUrl}/Groups/${group.id}`, group),
  }
}

/** With its entity tag, which another state of it does not have (RFC 7644, section 3.14). */
export function withVersion(resource: Complex): Complex {
  return { ...resource, meta: { ...(resource.meta as Complex), version: versionOf(resource) } }
}

/** Weak: two renderings of one state may differ in their bytes. */
export function versionOf(resource: Complex): string {
  return `W/"${createHash('sha256').update(JSON.stringify(resource)).digest('base64url').slice(0, 22)}"`
}

function metaOf(
  resourceType: string,
  location: string,
  { createdAt, updatedAt }: { createdAt: Date; updatedAt: Date },
): Complex {
  return {
    resourceType,
    created: createdAt.toISOString(),
    lastModified: updatedAt.toISOString(),
    location,
  }
}

/** Without what is null. */
function given(values: Record<string, string | null>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== null),
  )
}
