import { expect, it } from 'vitest'
import { operationEntries } from './index.ts'

/**
 * The paths as the interface writes them, letter by letter: everything else in the tests calls operations by name, and
 * would follow a path that was changed by mistake.
 */
const PATHS = `
GET /office
POST /auth/sign-in
POST /auth/dev-sign-in
POST /auth/sign-up
POST /auth/admin-sign-up
POST /auth/member-sign-up
POST /auth/finalize-oauth
POST /auth/resend-magic-auth
POST /auth/finalize-magic-auth
POST /auth/continue-with-provider-a
POST /auth/continue-with-provider-b
POST /auth/select-organization
POST /auth/switch-organization
POST /auth/sign-out
POST /auth/recovery
GET /auth/invitation
GET /auth/invite-link
POST /auth/invitation/accept
POST /user/get
GET /api/v1/user-info
POST /user/update
POST /user/sessions/list
POST /user/sessions/end
POST /user/email/change
POST /user/email/change/confirm
POST /user/delete
POST /user/delete/confirm
POST /user/avatar/upload-ticket
POST /user/avatar/finalize
POST /user/avatar/remove
POST /auth/avatar/upload-ticket
POST /auth/avatar/finalize
POST /organization/logo/upload-ticket
POST /organization/logo/finalize
POST /organization/logo/remove
POST /api/v1/organizations/list
POST /api/v1/organizations/create
POST /api/v1/organizations/update
POST /api/v1/organizations/delete
GET /api/v1/organizations/get-invite-link
POST /api/v1/organizations/reset-invite-link
POST /api/v1/organizations/send-invitation
POST /api/v1/organizations/list-invitation
POST /api/v1/organizations/revoke-invitation
POST /api/v1/organizations/join
POST /api/v1/organizations/retention/get
POST /api/v1/organizations/retention/update
POST /api/v1/organizations/audit-log/list
POST /api/v1/organizations/limits/get
POST /api/v1/organizations/tokens/create
POST /api/v1/organizations/tokens/list
POST /api/v1/organizations/tokens/revoke
POST /api/v1/organizations/webhooks/create
POST /api/v1/organizations/webhooks/list
POST /api/v1/organizations/webhooks/update
POST /api/v1/organizations/webhooks/verify
POST /api/v1/organizations/webhooks/delete
POST /api/v1/organizations/webhooks/rotate
POST /api/v1/organizations/webhooks/deliveries
POST /api/v1/organizations/webhooks/replay
POST /api/v1/organizations/directory/connections/create
POST /api/v1/organizations/directory/connections/list
POST /api/v1/organizations/directory/connections/revoke
POST /api/v1/organizations/directory/groups/list
POST /api/v1/organizations/directory/groups/update
POST /api/v1/organizations/directory/refusals/list
POST /api/v1/organizations/directory/users/restore
POST /api/v1/organizations/directory/users/release-name
POST /api/v1/organizations/domains/claim
POST /api/v1/organizations/domains/list
POST /api/v1/organizations/domains/verify
POST /api/v1/organizations/domains/remove
POST /api/v1/organizations/single-sign-on/get
POST /api/v1/organizations/single-sign-on/save
POST /api/v1/organizations/single-sign-on/test
POST /api/v1/organizations/single-sign-on/activate
POST /api/v1/organizations/single-sign-on/deactivate
POST /api/v1/organizations/single-sign-on/remove
POST /members/list
POST /members/get
POST /api/v1/organizations/audit-log/checkpoint
POST /api/v1/organizations/export/start
POST /api/v1/organizations/export/list
POST /user/export/start
POST /user/export/list
POST /members/{id}/update
POST /members/{id}/remove
POST /memberships/update-user
POST /memberships/remove-user
POST /websocket/token
POST /presence/status
POST /presence/connected
POST /presence/snapshot
POST /api/v1/chat/typing
POST /api/v1/knock
POST /api/v1/knock/answer
POST /api/v1/knock/cancel
POST /api/v1/wave
POST /api/v1/rtc/room-auth
POST /api/v1/rtc/room-create
POST /api/v1/rtc/rooms/list
POST /api/v1/rtc/rooms/lock
POST /api/v1/rtc/rooms/knock
POST /api/v1/rtc/rooms/get
POST /api/v1/rtc/rooms/update
POST /api/v1/rtc/rooms/delete
POST /api/v1/rtc/start-recording
POST /api/v1/rtc/stop-recording
POST /api/v1/rtc/recordings/list
POST /api/v1/rtc/recordings/download
POST /api/v1/rtc/recordings/delete
POST /api/v1/rtc/recordings/hold
POST /api/v1/rtc/guest/invite
POST /api/v1/rtc/guest/room-auth
POST /api/v1/rtc/guest/admit
POST /api/v1/rtc/guest/remove
POST /api/v1/rtc/guest/invites/list
POST /api/v1/rtc/guest/invites/revoke
POST /api/v1/rtc/guest/preview
POST /api/v1/rtc/guest/list
POST /api/v1/calendar/provider-a/connect
POST /api/v1/calendar/provider-a/finalize-connection
GET /api/v1/calendar/provider-a/calendars
POST /api/v1/calendar/provider-a/events
POST /api/v1/calendar/provider-a/events/details
POST /api/v1/calendar/provider-a/disconnect
POST /api/v1/calendar/provider-b/connect
POST /api/v1/calendar/provider-b/finalize-connection
GET /api/v1/calendar/provider-b/calendars
POST /api/v1/calendar/provider-b/events
POST /api/v1/calendar/provider-b/events/details
POST /api/v1/calendar/provider-b/disconnect
POST /api/v1/realtime/token
`

it('the table has the paths of the interface, and no others', () => {
  const declared = operationEntries.map(([, { method, path }]) => `${method} ${path}`)
  expect(declared.toSorted()).toEqual(PATHS.trim().split('\n').toSorted())
})
