/** One stable word for programs: with which status it comes, and what it says to a person. */
interface ErrorMeaning {
  status: number
  message: string
}

/**
 * Every `error` word of the interface. An operation declares those that are its own; those that any operation may
 * answer with follow from its access and its body (`errorsOf`). The messages are those of the server, but for details
 * that depend on the call.
 */
export const errorMeanings = {
  'malformed-json': { status: 400, message: 'The body is not valid JSON' },
  'malformed-request': { status: 400, message: 'The request is malformed' },
  'invalid-input': { status: 400, message: 'Enter a name of 2 to 100 characters' },
  'invalid-code': { status: 400, message: 'The code is wrong or has expired' },
  'invalid-invite-token': { status: 400, message: 'This invitation is not valid' },
  'invalid-pending-authentication-token': { status: 400, message: 'The sign-in has expired; begin again' },
  'single-sign-on-required': { status: 400, message: 'Sign in through your organization' },
  'foreign-domain': {
    status: 400,
    message: 'The address does not belong to the organization of this sign-in',
  },
  'email-not-proven': { status: 400, message: 'Sign in with a code that is mailed to your address' },
  'unsupported-content-type': {
    status: 400,
    message: 'Choose an image of one of the types image/jpeg, image/png, image/webp',
  },
  'invalid-image': { status: 400, message: 'The image is not square' },
  'calendar-code-refused': { status: 400, message: 'The provider refuses this code: begin again' },
  invalid: { status: 400, message: 'The link is not valid' },
  unauthenticated: { status: 401, message: 'Sign in first' },
  'cross-site': {
    status: 403,
    message: 'Pages of https://elsewhere.example may not call this office: ALLOWED_ORIGINS does not name it',
  },
  'no-active-organization': { status: 403, message: 'No organization is active' },
  'role-not-allowed': { status: 403, message: 'Your role does not allow this' },
  'role-above-own': { status: 403, message: 'You cannot grant a role above your own' },
  removed: { status: 403, message: 'You were removed from this organization; ask for an invitation' },
  'rank-too-high': { status: 403, message: 'This member has a rank that you cannot act on' },
  'another-person': { status: 403, message: 'This is not the address of the session' },
  'sign-in-method-not-accepted': {
    status: 403,
    message: 'This needs another sign-in than the one you came in by',
  },
  'second-factor-required': {
    status: 403,
    message:
      'This account needs a second factor, which cannot be asked for here; ask your administrator for single sign-on, or for a sign-in without it',
  },
  'membership-not-active': { status: 403, message: 'You are not an active member of this organization' },
  'membership-inactive': { status: 403, message: 'Your membership in this organization is not active' },
  'invitation-for-another-address': {
    status: 403,
    message: 'This invitation is for another address than yours',
  },
  'not-your-upload': { status: 403, message: 'This upload is not yours' },
  'calendar-disabled': { status: 403, message: 'Calendars are switched off here' },
  'not-allowed-to-admit': { status: 403, message: 'Others decide on the guests of this invite' },
  'guest-denied': { status: 403, message: 'You were not let in. You can ask again later' },
  'not-found': { status: 404, message: 'There is nothing here' },
  'organization-not-found': { status: 404, message: 'There is no such organization' },
  'invite-link-not-found': {
    status: 404,
    message: 'This link does not lead anywhere; ask for the current one',
  },
  'invitation-not-found': { status: 404, message: 'There is no such invitation' },
  'member-not-found': { status: 404, message: 'There is no such member' },
  'upload-not-found': {
    status: 404,
    message: 'The upload was not found: it was never made, has expired, or is finished',
  },
  'room-not-found': { status: 404, message: 'There is no such room' },
  'guest-not-found': { status: 404, message: 'There is no such guest' },
  'calendar-not-found': { status: 404, message: 'There is no such calendar' },
  'event-not-found': { status: 404, message: 'There is no such event' },
  conflict: { status: 409, message: 'It conflicts with the present state' },
  'already-member': { status: 409, message: 'This person is a member already' },
  'not-a-member': { status: 409, message: 'You are not a member any more' },
  'last-admin': { status: 409, message: 'An organization keeps at least one admin' },
  'invitation-accepted': { status: 409, message: 'This invitation has been accepted already' },
  'invitation-not-pending': { status: 409, message: 'This invitation is revoked, not pending' },
  'room-exists': { status: 409, message: 'There is a room of this name already' },
  'room-not-live': { status: 409, message: 'Nobody is in this room' },
  'guest-left': { status: 409, message: 'The guest has left' },
  'already-decided': { status: 409, message: 'It has been decided otherwise' },
  'recording-running': { status: 409, message: 'This room is being recorded already' },
  'recording-not-finished': { status: 409, message: 'This recording is not finished' },
  'recording-without-file': { status: 409, message: 'This recording has no file' },
  'calendar-not-connected': { status: 409, message: 'This calendar is not connected' },
  'calendar-reauth-required': {
    status: 409,
    message: 'The provider wants your consent again: connect the calendar anew',
  },
  gone: { status: 410, message: 'The link has expired' },
  'invitation-expired': { status: 410, message: 'This invitation has expired; ask for a new one' },
  'invitation-revoked': { status: 410, message: 'This invitation has been revoked' },
  'guest-expired': { status: 410, message: 'The invite of this guest has expired' },
  'recording-expired': { status: 410, message: 'This recording is no longer kept for download' },
  'too-large': { status: 413, message: 'The body is too large' },
  unsupported: { status: 415, message: 'The body must be JSON (content-type: application/json)' },
  'encoded-body': { status: 415, message: 'Send the body as it is, without a Content-Encoding' },
  'rate-limited': { status: 429, message: 'Too many requests; try again later' },
  'invited-often': {
    status: 429,
    message: 'This address was invited often enough today; try again tomorrow',
  },
  'no-upload-tries-left': { status: 429, message: 'No upload is left for today' },
  'too-many-open-uploads': { status: 429, message: 'Too many uploads were begun and not finished' },
  'too-many-waiting': {
    status: 429,
    message: 'Too many guests wait before this room; try again later',
  },
  'internal-error': { status: 500, message: 'Internal error' },
  'provider-unavailable': {
    status: 503,
    message: 'A service behind this one does not answer; try again later',
  },
  'database-unavailable': { status: 503, message: 'The database does not answer; try again later' },
  'no-recorder': { status: 503, message: 'No recorder is free; try again later' },
  'recording-outcome-unknown': {
    status: 503,
    message: 'The media server did not answer in time; it may record all the same',
  },
  unavailable: { status: 503, message: 'This took too long; try again' },
} as const satisfies Record<string, ErrorMeaning>

export type ErrorWord = keyof typeof errorMeanings
