import type { AuditAction, OperationId, Role } from '@atrium/contract'
import { connectCalendar, consent, newPkce } from '../chapters/calendars.ts'
import { openDm, restOf } from '../chapters/chat.ts'
import { provisioned, scimClient } from '../chapters/scim.ts'
import { freshDomain, giveDomain } from '../chapters/single-sign-on.ts'
import { surferOf } from '../chapters/surfer.ts'
import { addressAt, picture, put, upload } from '../chapters/uploads.ts'
import { freshEmail } from '../office.ts'
import { codeFor, newMember, type Person, pilotTokenOf, recoveryTokenOf } from '../people.ts'
import type { AnyInput, Stage } from './stage.ts'

/**
 * What tests that go through all operations have to know of each one. An operation without its row does not
 * compile.
 */
export interface OperationRow {
  /** Input that succeeds, of whoever calls. Not given: none is needed. */
  input?(stage: Stage, actor: Pick<Person, 'id' | 'browser'>): AnyInput | Promise<AnyInput>
  /** Whom the trials have call it: the admin where not given. */
  caller?: 'newcomer' | 'visitor'
  /** Roles that may; every one where not given. For operations of an organization. */
  roles?: readonly Role[]
  /** Roles that may on what is their own: the trials are on what is somebody else's. */
  ownOnly?: readonly Role[]
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
const ownSession = { none: 'it concerns a session or an account, and no organization' }
const presence = { none: 'presence changes by the minute, and its events tell of it' }
const knocking = { none: 'it is between two people, and over after half a minute' }
const recorded = { conferenceTopic: 'Weekly', zoneId: 'zone-1', participants: 'Ada,Bob' }
const ownAccount = { none: 'a calendar is connected to a person, whichever organization they are in' }
const aWeek = {
  calendarId: 'primary',
  timeMin: '2026-03-23T00:00:00Z',
  timeMax: '2026-03-30T00:00:00Z',
}
/** Input of the founder, once they have connected a calendar. */
const connected = (provider: 'A' | 'B', input: AnyInput) => async (stage: Stage) => {
  await connectCalendar(stage.office, stage.founder.browser, provider)
  return input
}
/** Nothing, of an organization whose single sign-on has come so far. */
const signOn = (state: 'draft' | 'tested' | 'in-force') => async (stage: Stage) => {
  await stage.signOn(state)
  return {}
}
/** For what can be done to somebody only once. */
const anotherGuest = async ({ office, founder }: Stage) => (await newMember(office, founder, 'guest')).id
/** Somebody whom a directory has made, and holds inactive. */
const heldByDirectory = async (stage: Stage) => {
  const { token } = await stage.directory()
  const domain = freshDomain()
  await giveDomain(stage.office, stage.founder.organizationId, domain)
  return (await provisioned({ scim: scimClient(stage.office, token), domain }, { active: false })).id
}
const inviters = ['member', 'moderator', 'admin'] as const

export const rows: Record<OperationId, OperationRow> = {
  signIn: { caller: 'visitor', input: ({ founder }) => ({ email: founder.email }), audit: ownSession },
  devSignIn: { caller: 'visitor', audit: ownSession },
  signUp: { caller: 'visitor', input: ({ founder }) => ({ email: founder.email }), audit: ownSession },
  resendMagicAuth: {
    caller: 'visitor',
    input: ({ founder }) => ({ email: founder.email }),
    audit: ownSession,
  },
  finalizeMagicAuth: {
    caller: 'visitor',
    async input({ office, founder: { email } }) {
      await office.browser().call('signIn', { email })
      return { email, code: await codeFor(office, email) }
    },
    audit: 'member.signed-in',
  },
  selectOrganization: {
    caller: 'visitor',
    input: async (stage) => ({
      pendingAuthenticationToken: await stage.pendingSignIn(),
      organizationId: stage.founder.organizationId,
    }),
    audit: 'member.signed-in',
    capability: { pendingAuthenticationToken: ['sign-in token'] },
  },
  adminSignUp: {
    caller: 'visitor',
    input: async ({ office }) => ({ email: freshEmail(), inviteToken: await pilotTokenOf(office) }),
    audit: { none: 'it begins an account, and no organization yet' },
  },
  recoverAccess: {
    caller: 'visitor',
    input: async ({ office, founder }) => ({ token: await recoveryTokenOf(office, founder) }),
    audit: 'member.signed-in',
  },
  memberSignUp: {
    caller: 'visitor',
    input: async (stage) => ({ email: freshEmail(), inviteToken: await stage.linkToken() }),
    audit: { none: 'it only begins: the joining is written down when the code is proven' },
    capability: { inviteToken: ['link token'] },
  },
  continueWithProviderA: { caller: 'visitor', audit: ownSession },
  continueWithProviderB: { caller: 'visitor', audit: ownSession },
  finalizeOauth: {
    caller: 'visitor',
    async input(stage) {
      const surfer = surferOf(stage.office)
      const { authData } = await surfer.client.call('continueWithProviderA')
      const end = await surfer.logIn(authData.redirectURL, freshEmail())
      stage.visitor = surfer.client
      return { code: end.searchParams.get('code') ?? '' }
    },
    audit: ownSession,
  },
  switchOrganization: {
    input: ({ founder }) => ({ email: founder.email, organizationId: founder.organizationId }),
    audit: ownSession,
  },
  describeOffice: { caller: 'visitor', audit: reads },
  signOut: { audit: ownSession },
  getCurrentUser: { audit: reads },
  getUserInfo: { audit: reads },
  listSessions: { audit: reads },
  endSessions: { input: () => ({ others: true }), audit: ownSession },
  changeEmail: { input: () => ({ email: freshEmail() }), audit: ownSession },
  confirmEmailChange: {
    async input({ office }, { browser }) {
      const [email, { email: current }] = [freshEmail(), await browser.call('getCurrentUser')]
      await browser.call('changeEmail', { email })
      return { code: await codeFor(office, current), newCode: await codeFor(office, email) }
    },
    audit: 'member.email-changed',
  },
  deleteAccount: { caller: 'newcomer', audit: ownSession },
  confirmAccountDeletion: {
    caller: 'newcomer',
    async input({ office }, { browser }) {
      await browser.call('deleteAccount')
      return { code: await codeFor(office, (await browser.call('getCurrentUser')).email) }
    },
    audit: { none: 'the trails of the organizations they are in have an entry: the trials are in none' },
  },
  updateProfile: { input: () => ({ displayName: 'Another Name' }), audit: 'member.renamed' },
  listOrganizations: { audit: reads },
  createOrganization: {
    input: () => ({ name: 'Another One' }),
    audit: { none: 'its entry opens the trail of the organization that it makes' },
  },
  updateOrganization: {
    input: ({ founder }) => ({ organizationId: founder.organizationId, name: 'Renamed' }),
    roles: ['admin'],
    audit: 'organization.renamed',
  },
  deleteOrganization: {
    input: ({ founder }) => ({ organizationId: founder.organizationId }),
    roles: ['admin'],
    audit: 'organization.deleted',
  },
  getInviteLink: { roles: inviters, audit: 'invite-link.created' },
  resetInviteLink: { roles: ['moderator', 'admin'], audit: 'invite-link.reset' },
  sendInvitation: {
    input: ({ newcomer }) => ({ email: newcomer.email }),
    roles: inviters,
    audit: 'invitation.sent',
  },
  listInvitation: { audit: reads },
  revokeInvitation: {
    input: async (stage) => ({ invitationId: (await stage.invitation()).id }),
    roles: inviters,
    audit: 'invitation.revoked',
  },
  showInvitation: {
    caller: 'visitor',
    input: async (stage) => ({ token: (await stage.invitation()).token }),
    audit: reads,
    capability: { token: ['invitation token'] },
  },
  showInviteLink: {
    caller: 'visitor',
    input: async (stage) => ({ token: await stage.linkToken() }),
    audit: reads,
    capability: { token: ['invitation token', 'link token'] },
  },
  acceptInvitation: {
    caller: 'newcomer',
    input: async (stage) => ({ token: (await stage.invitation()).token }),
    audit: 'invitation.accepted',
  },
  joinOrganization: {
    caller: 'newcomer',
    input: async (stage) => ({ inviteToken: await stage.linkToken() }),
    audit: 'member.joined',
    capability: { inviteToken: ['link token'] },
  },
  listAuditLog: { roles: ['admin'], audit: reads },
  getOrganizationLimits: { roles: ['admin'], audit: reads },
  checkpointAuditLog: { roles: ['admin'], audit: reads },
  getOrganizationRetention: { audit: reads },
  updateOrganizationRetention: {
    // each time another number: one that is no change is not written down
    input: () => ({ chatDays: 365 + Math.floor(Math.random() * 1_000) }),
    roles: ['admin'],
    audit: 'organization.retention-changed',
  },
  createAvatarUploadTicket: { input: () => ({ contentType: 'image/png' }), audit: ownSession },
  createEarlierAvatarUploadTicket: { input: () => ({ contentType: 'image/png' }), audit: ownSession },
  finalizeAvatarUpload: {
    input: async ({ office, founder }) => ({
      tmpKey: await upload(office, founder.browser, await picture('png')),
    }),
    audit: ownSession,
  },
  finalizeEarlierAvatarUpload: {
    input: async ({ office, founder }) => ({
      tmpKey: await upload(office, founder.browser, await picture('png')),
    }),
    audit: ownSession,
  },
  removeAvatar: { audit: ownSession },
  createLogoUploadTicket: {
    input: () => ({ contentType: 'image/png' }),
    roles: ['admin'],
    audit: { none: 'a ticket alone changes nothing' },
  },
  finalizeLogoUpload: {
    async input({ office, founder }) {
      const ticket = await founder.browser.call('createLogoUploadTicket', { contentType: 'image/png' })
      await put(addressAt(office, ticket.uploadUrl), await picture('png'), 'image/png')
      return { tmpKey: ticket.tmpKey }
    },
    roles: ['admin'],
    audit: 'organization.logo-changed',
  },
  removeLogo: { roles: ['admin'], audit: 'organization.logo-changed' },
  createRoom: { input: () => ({ name: 'The Kitchen' }), audit: 'room.created' },
  authorizeRoom: {
    input: async (stage) => ({ username: 'Somebody', roomId: (await stage.room()).id }),
    audit: { none: 'who is in a room is told by the media server' },
  },
  listRooms: { audit: reads },
  getRoom: { input: async (stage) => ({ roomId: (await stage.room()).id }), audit: reads },
  updateRoom: {
    input: async (stage) => {
      const { id, name } = await stage.room()
      return { roomId: id, name: `${name}, renamed` }
    },
    roles: ['moderator', 'admin'],
    audit: 'room.updated',
  },
  deleteRoom: {
    input: async (stage) => ({ roomId: (await stage.room()).id }),
    roles: ['moderator', 'admin'],
    audit: 'room.deleted',
  },
  inviteGuest: {
    input: async (stage) => ({
      orgId: stage.founder.organizationId,
      roomId: (await stage.room()).id,
      durationSeconds: 3_600,
    }),
    roles: inviters,
    audit: 'guest.invited',
  },
  authorizeGuest: {
    caller: 'visitor',
    input: async (stage) => ({
      inviteToken: await stage.guestToken((await stage.room()).id),
      guestName: 'Gast',
    }),
    audit: { none: 'whoever only asks is nobody yet: the decision is written down' },
    capability: { inviteToken: ['guest token'] },
  },
  admitGuest: {
    input: async (stage) => ({ ...(await stage.waitingGuest()), action: 'admit' }),
    roles: ['admin'],
    audit: 'guest.admitted',
  },
  removeGuest: {
    input: (stage) => stage.admittedGuest(),
    roles: ['admin'],
    audit: 'guest.removed',
  },
  listGuestInvites: { roles: inviters, audit: reads },
  revokeGuestInvite: {
    input: async (stage) => ({ inviteId: await stage.guestInvite() }),
    roles: ['admin'],
    ownOnly: ['member', 'moderator'],
    audit: 'guest-invite.revoked',
  },
  previewGuestInvite: {
    caller: 'visitor',
    input: async (stage) => ({ inviteToken: await stage.guestToken((await stage.room()).id) }),
    audit: reads,
    capability: { inviteToken: ['guest token'] },
  },
  listGuests: {
    input: async (stage) => ({ roomId: (await stage.waitingGuest()).roomId }),
    roles: ['admin'],
    audit: reads,
  },
  startRecording: {
    input: async (stage) => ({ roomName: (await stage.room()).id, ...recorded }),
    roles: inviters,
    audit: 'recording.started',
  },
  stopRecording: {
    async input(stage) {
      const { roomId, egressId } = await stage.recording()
      return { roomName: roomId, egressId, zoneId: '' }
    },
    roles: inviters,
    audit: 'recording.stopped',
  },
  listRecordings: { roles: inviters, audit: reads },
  downloadRecording: {
    input: async (stage) => ({ recordingId: (await stage.film()).id }),
    roles: inviters,
    audit: 'recording.downloaded',
  },
  holdRecording: {
    input: async (stage) => ({ recordingId: (await stage.film()).id, hold: true, reason: 'A dispute' }),
    roles: ['admin'],
    audit: 'recording.held',
  },
  deleteRecording: {
    input: async (stage) => ({ recordingId: (await stage.film()).id }),
    roles: ['moderator', 'admin'],
    ownOnly: ['member'],
    audit: 'recording.deleted',
  },
  connectProviderACalendar: {
    input() {
      const { state, codeChallenge } = newPkce()
      return { state, codeChallenge }
    },
    audit: ownAccount,
  },
  finalizeProviderACalendar: {
    async input({ office, founder }) {
      const { code, codeVerifier } = await consent(office, founder.browser, 'A')
      return { code, codeVerifier }
    },
    audit: ownAccount,
  },
  listProviderACalendars: { input: connected('A', {}), audit: reads },
  listProviderAEvents: { input: connected('A', { calendars: [aWeek] }), audit: reads },
  readProviderAEvents: { input: connected('A', { events: [] }), audit: reads },
  disconnectProviderACalendar: { audit: ownAccount },
  connectProviderBCalendar: {
    input() {
      const { state, codeChallenge } = newPkce()
      return { state, codeChallenge }
    },
    audit: ownAccount,
  },
  finalizeProviderBCalendar: {
    async input({ office, founder }) {
      const { code, codeVerifier } = await consent(office, founder.browser, 'B')
      return { code, codeVerifier }
    },
    audit: ownAccount,
  },
  listProviderBCalendars: { input: connected('B', {}), audit: reads },
  listProviderBEvents: { input: connected('B', { calendars: [aWeek] }), audit: reads },
  readProviderBEvents: { input: connected('B', { events: [] }), audit: reads },
  disconnectProviderBCalendar: { audit: ownAccount },
  setPresenceStatus: { input: () => ({ status: 'busy' }), audit: presence },
  confirmPresence: { audit: presence },
  getPresenceSnapshot: { input: ({ guest }) => ({ userIds: [guest.id] }), audit: reads },
  knock: {
    async input({ guest }) {
      await guest.browser.call('setPresenceStatus', { status: 'online' })
      return { userId: guest.id }
    },
    audit: knocking,
  },
  answerKnock: {
    async input({ guest }, actor) {
      await actor.browser.call('setPresenceStatus', { status: 'online' })
      const { knockId } = await guest.browser.call('knock', { userId: actor.id })
      return { knockId, answer: 'later' }
    },
    audit: knocking,
  },
  cancelKnock: {
    async input({ guest }, actor) {
      await guest.browser.call('setPresenceStatus', { status: 'online' })
      return { knockId: (await actor.browser.call('knock', { userId: guest.id })).knockId }
    },
    audit: knocking,
  },
  mintConnectionToken: { audit: reads },
  mintChatToken: { audit: reads },
  tellTyping: {
    async input({ office, guest }, actor) {
      const { token } = await actor.browser.call('mintChatToken')
      return { conversationId: await openDm({ rest: restOf(office, token) }, guest) }
    },
    audit: { none: 'it is over in a moment' },
  },
  createServiceToken: {
    input: () => ({ name: 'Payroll', operations: ['listMembers'] }),
    roles: ['admin'],
    audit: 'service-token.created',
  },
  listServiceTokens: { roles: ['admin'], audit: reads },
  revokeServiceToken: {
    input: async (stage) => ({ id: (await stage.serviceToken()).id }),
    roles: ['admin'],
    audit: 'service-token.revoked',
  },
  createWebhook: {
    input: () => ({ url: 'https://hooks.example/atrium', events: ['room.created'] }),
    roles: ['admin'],
    audit: 'webhook.created',
  },
  listWebhooks: { roles: ['admin'], audit: reads },
  updateWebhook: {
    input: async (stage) => ({ id: (await stage.webhook()).id, events: ['room.deleted'] }),
    roles: ['admin'],
    audit: 'webhook.updated',
  },
  deleteWebhook: {
    input: async (stage) => ({ id: (await stage.webhook()).id }),
    roles: ['admin'],
    audit: 'webhook.deleted',
  },
  rotateWebhook: {
    input: async (stage) => ({ id: (await stage.webhook()).id }),
    roles: ['admin'],
    audit: 'webhook.rotated',
  },
  listWebhookDeliveries: {
    input: async (stage) => ({ id: (await stage.webhook()).id }),
    roles: ['admin'],
    audit: reads,
  },
  replayWebhook: {
    input: async (stage) => ({ id: (await stage.webhook()).id }),
    roles: ['admin'],
    audit: 'webhook.replayed',
  },
  startOrganizationExport: { roles: ['admin'], audit: 'export.started' },
  listOrganizationExports: { roles: ['admin'], audit: reads },
  startUserExport: { audit: ownSession },
  listUserExports: { audit: reads },
  createDirectoryConnection: {
    input: () => ({ name: 'Entra' }),
    roles: ['admin'],
    audit: 'directory-connection.created',
  },
  listDirectoryConnections: { roles: ['admin'], audit: reads },
  revokeDirectoryConnection: {
    input: async (stage) => ({ id: (await stage.directory()).connectionId }),
    roles: ['admin'],
    audit: 'directory-connection.revoked',
  },
  listDirectoryGroups: { roles: ['admin'], audit: reads },
  updateDirectoryGroup: {
    // nobody's role changes by it
    input: async (stage) => ({ id: (await stage.directory()).groupId, role: 'guest' }),
    roles: ['admin'],
    audit: 'directory-group.role-changed',
  },
  listDirectoryRefusals: { roles: ['admin'], audit: reads },
  restoreDirectoryUser: {
    input: async (stage) => ({ id: await heldByDirectory(stage) }),
    roles: ['admin'],
    audit: 'member.joined',
  },
  releaseDirectoryName: {
    input: async (stage) => ({ id: await heldByDirectory(stage) }),
    roles: ['admin'],
    audit: 'directory-user.name-released',
  },
  claimOrganizationDomain: {
    input: () => ({ domain: freshDomain() }),
    roles: ['admin'],
    audit: 'domain.claimed',
  },
  listOrganizationDomains: { roles: ['admin'], audit: reads },
  verifyOrganizationDomain: {
    input: async (stage) => ({ id: (await stage.domain()).id }),
    roles: ['admin'],
    audit: 'domain.verified',
  },
  removeOrganizationDomain: {
    input: async (stage) => ({ id: (await stage.domain()).id }),
    roles: ['admin'],
    audit: 'domain.removed',
  },
  getSingleSignOn: { roles: ['admin'], audit: reads },
  saveSingleSignOn: {
    input: () => ({ issuer: 'https://login.example', clientId: 'atrium', clientSecret: 'secret' }),
    roles: ['admin'],
    audit: 'single-sign-on.saved',
  },
  testSingleSignOn: {
    input: signOn('draft'),
    roles: ['admin'],
    audit: { none: 'it only begins: the outcome is written down when the browser comes back' },
  },
  activateSingleSignOn: {
    input: signOn('tested'),
    roles: ['admin'],
    audit: 'single-sign-on.connected',
  },
  deactivateSingleSignOn: {
    input: signOn('in-force'),
    roles: ['admin'],
    audit: 'single-sign-on.deactivated',
  },
  removeSingleSignOn: {
    input: signOn('draft'),
    roles: ['admin'],
    audit: 'single-sign-on.removed',
  },
  listMembers: { audit: reads },
  getMember: { input: ({ guest }) => ({ id: guest.id }), audit: reads },
  updateMember: {
    input: ({ guest }) => ({ id: guest.id, role: 'member' }),
    roles: ['admin'],
    audit: 'member.role-changed',
  },
  updateMembershipUser: {
    input: ({ guest }) => ({ userId: guest.id, role: 'member' }),
    roles: ['admin'],
    audit: 'member.role-changed',
  },
  removeMember: {
    input: async (stage) => ({ id: await anotherGuest(stage) }),
    roles: ['moderator', 'admin'],
    audit: 'member.removed',
  },
  removeMembershipUser: {
    input: async (stage) => ({ userId: await anotherGuest(stage) }),
    roles: ['moderator', 'admin'],
    audit: 'member.removed',
  },
}
