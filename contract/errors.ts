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
  'no-email': {
    status: 400,
    message: 'Your organization’s sign-in names no e-mail address of yours; ask your administrator',
  },
  'identity-unusable': {
    status: 400,
    message:
      'The provider does not say who you are in a way that tells you from others; ask your administrator',
  },
  'email-not-proven': { status: 400, message: 'Sign in with a code that is mailed to your address' },
  'upload-limit-too-small': {
    status: 400,
    message:
      'Nothing can be uploaded here: the limit is 1000000 bytes an hour, and an upload counts as 8388608 until it is checked. The operator of this office can raise it',
  },
  'unsupported-content-type': {
    status: 400,
    message: 'Choose an image of one of the types image/jpeg, image/png, image/webp',
  },
  'invalid-image': { status: 400, message: 'The image is not square' },
  'file-type-differs': { status: 400, message: 'This file is not what its type says' },
  'file-refused': { status: 400, message: 'This file was refused by the check of files' },
  'calendar-permission-missing': {
    status: 400,
    message: 'The calendar was not among what you allowed; connect again and allow it to be read',
  },
  'wrong-challenge': {
    status: 400,
    message: 'This is not the challenge of the last test, or it has ended; have the test sent again',
  },
  'address-not-public': {
    status: 400,
    message: 'Give an endpoint by https at a public address',
  },
  'calendar-code-refused': { status: 400, message: 'The provider refused this code; begin again' },
  invalid: { status: 400, message: 'The link is not valid' },
  unauthenticated: { status: 401, message: 'Sign in first' },
  'cross-site': {
    status: 403,
    message: 'Pages of https://elsewhere.example may not call this office: ALLOWED_ORIGINS does not name it',
  },
  'message-of-another': { status: 403, message: 'This message is not yours' },
  'conversation-closed': {
    status: 403,
    message: 'The person you write to is no longer a member of this organization',
  },
  'agents-off': { status: 403, message: 'This organization lets no programs into rooms' },
  'token-not-allowed': { status: 403, message: 'This token may not call this operation' },
  'no-active-organization': { status: 403, message: 'No organization is active' },
  'sign-up-by-invitation': {
    status: 403,
    message: 'This office takes new people by invitation only; ask somebody in it for one',
  },
  'role-not-allowed': { status: 403, message: 'Your role does not allow this' },
  'role-above-own': { status: 403, message: 'You cannot grant a role above your own' },
  removed: { status: 403, message: 'You were removed from this organization; ask for an invitation' },
  'rank-too-high': { status: 403, message: 'You cannot act on a member whose role is above your own' },
  'another-person': { status: 403, message: 'This is not the address you are signed in with' },
  'sign-in-method-not-accepted': {
    status: 403,
    message: 'Sign in another way to do this',
  },
  'signed-in-too-long-ago': {
    status: 403,
    message: 'This organization asks for a more recent sign-in; sign in again',
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
    message: 'This invitation is for a different address than yours',
  },
  'not-your-upload': { status: 403, message: 'This upload is not yours' },
  'calendar-disabled': { status: 403, message: 'Calendars are switched off here' },
  'not-allowed-to-admit': {
    status: 403,
    message: 'Only the people named in this invite may decide on its guests',
  },
  'guest-denied': { status: 403, message: 'You were not let in. You can ask again in 60 seconds' },
  'removed-from-room': {
    status: 403,
    message: 'You were removed from this room. You can come back in 60 seconds',
  },
  'room-locked': { status: 403, message: 'This room is locked. Knock at its door' },
  'guest-removed': {
    status: 403,
    message: 'You were removed from this room and cannot come back with this link',
  },
  'invalid-idempotency-key': {
    status: 400,
    message: 'An Idempotency-Key has 1 to 255 ASCII characters',
  },
  'idempotency-key-reused': {
    status: 422,
    message: 'This Idempotency-Key was used with other input; use a new one',
  },
  'not-found': { status: 404, message: 'There is nothing here' },
  'organization-not-found': { status: 404, message: 'There is no such organization' },
  'invite-link-not-found': {
    status: 404,
    message: 'This link does not lead anywhere; ask for the current one',
  },
  'invitation-not-found': { status: 404, message: 'There is no such invitation' },
  'session-not-found': { status: 404, message: 'There is no such session' },
  'member-not-found': { status: 404, message: 'There is no such member' },
  'bot-not-found': { status: 404, message: 'There is no such bot' },
  'token-not-found': { status: 404, message: 'There is no such token' },
  'directory-connection-not-found': { status: 404, message: 'There is no such connection' },
  'directory-user-not-found': {
    status: 404,
    message: 'The directory holds no inactive person of this id',
  },
  'directory-group-not-found': { status: 404, message: 'There is no such group' },
  'domain-not-found': { status: 404, message: 'There is no such domain' },
  'push-subscription-not-found': { status: 404, message: 'This browser is not told of anything' },
  'webhook-not-found': { status: 404, message: 'There is no such webhook' },
  'delivery-not-found': { status: 404, message: 'There is no such delivery' },
  'upload-not-found': {
    status: 404,
    message: 'The upload was not found: it was never made, has expired, or is finished',
  },
  'attachment-not-found': { status: 404, message: 'There is no such file' },
  'room-not-found': { status: 404, message: 'There is no such room' },
  'conversation-not-found': { status: 404, message: 'There is no such conversation' },
  'message-not-found': { status: 404, message: 'There is no such message' },
  'knock-not-found': { status: 404, message: 'There is no such knock' },
  'guest-invite-not-found': { status: 404, message: 'There is no such link for guests' },
  'guest-not-found': { status: 404, message: 'There is no such guest' },
  'calendar-not-found': { status: 404, message: 'There is no such calendar' },
  'event-not-found': { status: 404, message: 'There is no such event' },
  'idempotency-key-in-use': {
    status: 409,
    message: 'The first request with this Idempotency-Key is still under way',
  },
  conflict: { status: 409, message: 'This conflicts with the current state' },
  'already-member': { status: 409, message: 'This person is a member already' },
  'not-a-member': { status: 409, message: 'You are no longer a member' },
  'too-many-organizations': {
    status: 409,
    message: 'You have founded as many organizations as one person may; delete one of them, and wait a day',
  },
  'last-admin': { status: 409, message: 'An organization must have at least one admin' },
  'invitation-accepted': { status: 409, message: 'This invitation has been accepted already' },
  'invitation-not-pending': { status: 409, message: 'This invitation is revoked, not pending' },
  'too-many-tokens': { status: 409, message: 'This organization has at most 100 tokens; revoke one first' },
  'too-many-bots': { status: 409, message: 'This organization has at most 50 bots; delete one first' },
  'agent-name-taken': { status: 409, message: 'Another bot has the workers of this name' },
  'is-a-bot': { status: 409, message: 'This member is a bot: admins delete it as one' },
  'too-many-directory-connections': {
    status: 409,
    message: 'This organization has at most 50 directory connections; revoke one first',
  },
  'directory-user-kept-out': {
    status: 409,
    message: 'An administrator or the identity provider has taken this person out; invite them anew',
  },
  'directory-address-stays': {
    status: 409,
    message:
      'The address of this account is not yours to release: the person is in another organization too, or the DNS does not prove its domain',
  },
  'too-many-domains': { status: 409, message: 'This organization has at most 50 domains; remove one first' },
  'domain-taken': { status: 409, message: 'Another organization has proven this domain' },
  'single-sign-on-elsewhere': {
    status: 409,
    message: 'Single sign-on is set up at the identity provider of this office',
  },
  'single-sign-on-not-set-up': {
    status: 409,
    message: 'Single sign-on is not set up; save a connection first',
  },
  'single-sign-on-not-tested': {
    status: 409,
    message: 'Test this connection first, with an address of one of your verified domains',
  },
  'issuer-unusable': {
    status: 409,
    message: 'The issuer does not answer as an OpenID Connect issuer does; check its address',
  },
  'too-many-webhooks': {
    status: 409,
    message: 'This organization has at most 20 webhooks; delete one first',
  },
  'webhook-off': { status: 409, message: 'This webhook is switched off; switch it on first' },
  'webhook-unverified': {
    status: 409,
    message: 'The receiver of this webhook has not agreed yet: answer the test, or enter its challenge',
  },
  'already-verified': { status: 409, message: 'The receiver of this webhook has agreed already' },
  'too-many-rooms': { status: 409, message: 'This organization has at most 1,000 rooms; delete one first' },
  'room-exists': { status: 409, message: 'A room with this name already exists' },
  'room-temporary': {
    status: 409,
    message: 'This room is for two people and a moment: it cannot be changed',
  },
  'room-in-use': {
    status: 409,
    message:
      'Somebody is in this room, or may come in at any moment: try again some minutes after it is empty',
  },
  'room-sealed': { status: 409, message: 'This room is sealed: nobody outside can hear or record it' },
  'key-required': {
    status: 409,
    message: 'This room is encrypted from end to end: come in with a browser that can do that',
  },
  'room-not-sealed': { status: 409, message: 'This room is not sealed: it has no key' },
  'epoch-taken': { status: 409, message: 'This room has another key by now: read it, and begin the next' },
  'device-taken': { status: 409, message: 'This device has another key: make a new device' },
  'already-inside': { status: 409, message: 'You are in this room by another device' },
  'not-inside': { status: 409, message: 'You are not in this room' },
  'changed-meanwhile': { status: 409, message: 'This message has been changed meanwhile; look at it again' },
  'edit-window-over': { status: 409, message: 'This message is too old to be changed' },
  'too-many-reactions': { status: 409, message: 'A message has at most 20 kinds of reactions' },
  'room-not-live': { status: 409, message: 'Nobody is in this room' },
  'knock-ended': { status: 409, message: 'This knock has ended already' },
  'guest-not-admitted': { status: 409, message: 'This guest has not been let in' },
  'guest-left': { status: 409, message: 'The guest has left' },
  'already-decided': { status: 409, message: 'Somebody has already decided otherwise' },
  'recording-running': { status: 409, message: 'This room is being recorded already' },
  'recording-not-finished': { status: 409, message: 'This recording is not finished' },
  'legal-hold': {
    status: 409,
    message: 'This recording is under legal hold; an administrator has to end that first',
  },
  'recording-being-deleted': { status: 409, message: 'This recording is being deleted already' },
  'recording-without-file': { status: 409, message: 'This recording has no file' },
  'no-transcript': { status: 409, message: 'Nothing of this recording was written down' },
  'transcript-not-ready': { status: 409, message: 'The transcript of this recording is being made' },
  'transcript-failed': { status: 409, message: 'The transcript of this recording could not be made' },
  'stored-elsewhere': {
    status: 409,
    message:
      'The recorder has kept the file of this recording in a store of its own; ask the operator for it',
  },
  'export-running': { status: 409, message: 'An export is being made already' },
  'calendar-not-connected': { status: 409, message: 'This calendar is not connected' },
  'calendar-reauth-required': {
    status: 409,
    message: 'The provider needs your consent again: reconnect the calendar',
  },
  gone: { status: 410, message: 'The link has expired' },
  'invitation-expired': { status: 410, message: 'This invitation has expired; ask for a new one' },
  'invitation-revoked': { status: 410, message: 'This invitation has been revoked' },
  'guest-expired': { status: 410, message: 'The invite of this guest has expired' },
  'recording-expired': { status: 410, message: 'This recording is no longer kept for download' },
  'too-large': { status: 413, message: 'The body is too large' },
  unsupported: { status: 415, message: 'The body must be JSON (content-type: application/json)' },
  'encoded-body': { status: 415, message: 'Send the body as it is, without a Content-Encoding' },
  'rate-limited': { status: 429, message: 'Too many requests; try again in 40 seconds' },
  'invited-often': {
    status: 429,
    message: 'This address has been invited too often today; try again tomorrow',
  },
  'no-upload-tries-left': { status: 429, message: 'You have no uploads left for today' },
  'too-many-open-uploads': {
    status: 429,
    message: 'Too many uploads are unfinished; finish one of them first',
  },
  'too-many-waiting': {
    status: 429,
    message: 'Too many guests are waiting outside this room; try again in a minute',
  },
  'internal-error': { status: 500, message: 'Internal error' },
  'provider-unavailable': {
    status: 503,
    message: 'A service behind this one does not answer; try again later',
  },
  'database-unavailable': { status: 503, message: 'The database does not answer; try again later' },
  'dns-unavailable': { status: 503, message: 'The DNS does not answer for this domain; try again later' },
  'no-recorder': { status: 503, message: 'No recorder is free; try again later' },
  'recording-outcome-unknown': {
    status: 503,
    message: 'The media server did not answer in time; it may be recording all the same',
  },
  unavailable: { status: 503, message: 'This took too long; try again' },
} as const satisfies Record<string, ErrorMeaning>

export type ErrorWord = keyof typeof errorMeanings
