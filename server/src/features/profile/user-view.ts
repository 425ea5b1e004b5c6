import type { User } from '@atrium/contract'
import type { SignedInCaller } from '../../access/caller.ts'
import { permissionsOf } from '../../access/permissions.ts'
import { reaches } from '../../access/sessions/sign-on-reach.ts'
import { triesLeft } from '../../directory/image-tries.ts'
import { avatarUrlOf } from '../../directory/image-urls.ts'
import { listMovedFrom } from '../../directory/moves.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { Refusal } from '../../platform/refusal.ts'
import { manualStatusOf } from '../presence/reads.ts'
import { type ProfileRow, readProfile } from './profiles.ts'

export interface UserViewNeeds {
  db: Db
  clock: Clock
  imageBaseUrl: string
  calendarEnabled: boolean
  presenceFromCalendar: boolean
  avatarUploadTries: number
}

/** The caller as `User` of the contract, read afresh. */
export async function readUser(needs: UserViewNeeds, caller: SignedInCaller): Promise<User> {
  const now = needs.clock.now()
  const { user, organization, session } = caller
  // organizations that have moved, and how far a session of single sign-on reaches, are read by statements of their own
  const asksMore = !organization || session.ssoOrganizationId !== null
  const profile = await readProfile(needs.db, user.id, organization?.id, now, { asksMore })
  if (!profile) throw Refusal.of('unauthenticated')
  const memberships = profile.memberships.some(isWaiting)
    ? await shownTo(needs.db, caller, profile.memberships)
    : profile.memberships
  return {
    id: profile.id,
    presenceUserId: caller.user.identityId,
    email: profile.email,
    firstName: profile.firstName,
    lastName: profile.lastName,
    displayName: profile.displayName,
    avatarUrl: avatarUrlOf(profile.avatarKey, needs.imageBaseUrl),
    currentOrganizationId: caller.organization?.identityId ?? '',
    organizationMemberships: memberships.map((membership) => ({
      organization: {
        id: membership.organizationId,
        name: membership.organizationName,
        logoUrl: avatarUrlOf(membership.logoKey, needs.imageBaseUrl),
      },
      role: membership.role,
      permissions: membership.status === 'active' ? permissionsOf(membership.role, membership) : [],
      status: membership.status,
    })),
    integrations: integrationsOf(profile, needs.calendarEnabled, now),
    manualStatus: manualStatusOf(profile.manualStatus),
    ...(offersCalendarStatus(needs) ? { calendarStatus: profile.calendarStatus ? 'on' : 'off' } : {}),
    ...(profile.timeZone === null ? {} : { timeZone: profile.timeZone }),
    ...(await movedOf(needs.db, caller)),
    avatarUploadTriesRemaining: triesLeft(profile.avatarTries, needs.avatarUploadTries, now),
    createdAt: profile.createdAt.toISOString(),
    updatedAt: profile.updatedAt.toISOString(),
  }
}

function isWaiting({ status }: ProfileRow['memberships'][number]): boolean {
  return status === 'pending'
}

/** What waits for the person is shown to no session that stands for them in one organization only. */
async function shownTo(
  db: Db,
  caller: SignedInCaller,
  memberships: ProfileRow['memberships'],
): Promise<ProfileRow['memberships']> {
  if (await reaches(db, caller)) return memberships
  return memberships.filter((membership) => !isWaiting(membership))
}

/** Asked only where the person is at work nowhere: those who work pay nothing for it. */
async function movedOf(db: Db, caller: SignedInCaller): Promise<Pick<User, 'moved'>> {
  if (caller.organization) return {}
  const moved = await listMovedFrom(db, caller.user.id)
  return moved.length > 0 && (await reaches(db, caller)) ? { moved } : {}
}

export function offersCalendarStatus(
  needs: Pick<UserViewNeeds, 'calendarEnabled' | 'presenceFromCalendar'>,
): boolean {
  return needs.calendarEnabled && needs.presenceFromCalendar
}

/** Of provider B only where there is something to tell. */
function integrationsOf(
  { calendars, calendarsOff }: ProfileRow,
  feature: boolean,
  now: Date,
): User['integrations'] {
  const enabled = feature && !calendarsOff
  const integrationOf = (provider: string) => {
    const found = calendars.find((calendar) => calendar.provider === provider)
    const reauthRequired = found?.reauthRequiredAt != null && new Date(found.reauthRequiredAt) <= now
    return {
      connected: found !== undefined,
      enabled,
      ...(reauthRequired ? { reauthRequired: true } : {}),
    }
  }
  const b = integrationOf('provider-b')
  return {
    providerACalendar: integrationOf('provider-a'),
    ...(b.connected ? { providerBCalendar: b } : {}),
  }
}
