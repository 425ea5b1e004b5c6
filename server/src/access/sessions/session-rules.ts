import { DAY_SECONDS } from '../../platform/clock.ts'

/** A session ends so long after its last use … */
export const SESSION_IDLE_SECONDS = 7 * DAY_SECONDS
/** … and so long after its beginning, in use or not. */
export const SESSION_ABSOLUTE_SECONDS = 30 * DAY_SECONDS
/** How long a session is still found by the id that it had before a switch: for a second click on it. */
export const REPLACED_SECONDS = 5
/** Name of its cookie, before the `__Host-` prefix that https adds. */
export const SESSION_COOKIE = 'atrium_session'
/** Of the cookies that keep the places of guests: one for each link. */
export const GUEST_COOKIE_PREFIX = 'atrium_guest_'
