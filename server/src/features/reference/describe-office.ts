import { type CalendarProvider, calendarProviders, type Reply, type WayIn } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import { SESSION_COOKIE } from '../../access/sessions/session-rules.ts'
import { VERSION } from '../../platform/version.ts'
import type { CalendarPort } from '../../ports/calendar.ts'

interface Needs {
  office: OfficeFacts
  identity: { waysIn: readonly WayIn[] }
  signUpByInvitation: boolean
  calendars: Partial<Record<CalendarProvider, CalendarPort>>
  calendarEnabled: boolean
  /** What push services know this office by. */
  pushKey: { publicKey: string }
}

/** What is known of this deployment from its configuration. */
export interface OfficeFacts {
  name: string
  environment: 'development' | 'test' | 'production'
  /** What carries sound and pictures; `none` where rooms are only simulated. */
  media: 'livekit' | 'embedded' | 'none'
}

/**
 * What this office offers to visitors who have not signed in yet: nothing of any organization. A browser hears whether
 * it has brought a session's cookie, which no script can read: without one it learns this before any refusal.
 */
export async function describeOffice(
  needs: Needs,
  { cookies }: CallerOf<'describeOffice'>,
): Promise<Reply<'describeOffice'>> {
  const { name, environment, media } = needs.office
  const calendars = calendarProviders.filter((letter) => needs.calendars[letter])
  return {
    status: 200,
    body: {
      name,
      environment,
      version: VERSION,
      signUp: needs.signUpByInvitation ? 'invitation' : 'open',
      ways: [...needs.identity.waysIn],
      media,
      calendars: needs.calendarEnabled ? calendars : [],
      pushKey: needs.pushKey.publicKey,
      ...(cookies.read(SESSION_COOKIE) !== undefined && { session: true }),
    },
  }
}
