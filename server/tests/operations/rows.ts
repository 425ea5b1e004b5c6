import type { OperationId } from '@atrium/contract'
import { connectCalendar, consent, newPkce } from '../chapters/calendars.ts'
import { openDm, restOf } from '../chapters/chat.ts'
import { newDevice } from '../chapters/devices.ts'
import { surferOf } from '../chapters/surfer.ts'
import { addressAt, picture, put, upload } from '../chapters/uploads.ts'
import { freshEmail } from '../office.ts'
import { codeFor, newMember, pilotTokenOf, recoveryTokenOf } from '../people.ts'
import { newBrowser } from '../vendors/push-receiver.ts'
import { directoryRows } from './directory-rows.ts'
import { messageRows } from './message-rows.ts'
import { type OperationRow, reads } from './operation-row.ts'
import { roomRows } from './room-rows.ts'
import type { AnyInput, Stage } from './stage.ts'

const ownSession = { none: 'it concerns a session or an account, and no organization' }
const presence = { none: 'presence changes by the minute, and its events tell of it' }
const knocking = { none: 'it is between two people, and over after half a minute' }
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
/** For what can be done to a person only once. */
const anotherGuest = async ({ office, founder }: Stage) => (await newMember(office, founder, 'guest')).id
const inviters = ['member', 'moderator', 'admin'] as const

export const rows: Record<OperationId, OperationRow> = {
  signIn: {
    caller: 'visitor',
    input: ({ founder }) => ({ email: founder.email }),
    visible: false,
    audit: ownSession,
  },
  devSignIn: { caller: 'visitor', visible: false, audit: ownSession },
  signUp: {
    caller: 'visitor',
    input: ({ founder }) => ({ email: founder.email }),
    visible: false,
    audit: ownSession,
  },
  resendMagicAuth: {
    caller: 'visitor',
    input: ({ founder }) => ({ email: founder.email }),
    visible: false,
    audit: ownSession,
  },
  finalizeMagicAuth: {
    caller: 'visitor',
    async input({ office, founder: { email } }) {
      await office.browser().call('signIn', { email })
      return { email, code: await codeFor(office, email) }
    },
    visible: true,
    audit: 'member.signed-in',
  },
  selectOrganization: {
    caller: 'visitor',
    input: async (stage) => ({
      pendingAuthenticationToken: await stage.pendingSignIn(),
      organizationId: stage.founder.organizationId,
    }),
    visible: true,
    audit: 'member.signed-in',
    capability: { pendingAuthenticationToken: ['sign-in token'] },
  },
  adminSignUp: {
    caller: 'visitor',
    input: async ({ office }) => ({ email: freshEmail(), inviteToken: await pilotTokenOf(office) }),
    visible: false,
    audit: { none: 'it begins an account, and no organization yet' },
  },
  recoverAccess: {
    caller: 'visitor',
    input: async ({ office, founder }) => ({ token: await recoveryTokenOf(office, founder) }),
    visible: true,
    audit: 'member.signed-in',
  },
  memberSignUp: {
    caller: 'visitor',
    input: async (stage) => ({ email: freshEmail(), inviteToken: await stage.linkToken() }),
    visible: false,
    audit: { none: 'it only begins: the joining is written down when the code is proven' },
    capability: { inviteToken: ['link token'] },
  },
  continueWithProviderA: { caller: 'visitor', visible: false, audit: ownSession },
  continueWithProviderB: { caller: 'visitor', visible: false, audit: ownSession },
  finalizeOauth: {
    caller: 'visitor',
    async input(stage) {
      const surfer = surferOf(stage.office)
      const { authData } = await surfer.client.call('continueWithProviderA')
      const end = await surfer.logIn(authData.redirectURL, freshEmail())
      stage.visitor = surfer.client
      return { code: end.searchParams.get('code') ?? '' }
    },
    visible: false,
    audit: ownSession,
  },
  switchOrganization: {
    input: ({ founder }) => ({ email: founder.email, organizationId: founder.organizationId }),
    visible: false,
    audit: ownSession,
  },
  describeOffice: { caller: 'visitor', visible: false, audit: reads },
  signOut: { visible: false, audit: ownSession },
  getCurrentUser: { visible: false, audit: reads },
  getUserInfo: { visible: false, audit: reads },
  getNotificationSettings: { visible: false, audit: reads },
  updateNotificationSettings: { input: () => ({ sounds: false }), visible: false, audit: ownSession },
  publishDevice: {
    input: () => newDevice(),
    // what is sealed is sealed to it from then on
    visible: true,
    audit: ownSession,
  },
  listDevices: { input: ({ founder }) => ({ userId: founder.id }), visible: false, audit: reads },
  endDevice: { input: () => ({ deviceId: newDevice().deviceId }), visible: false, audit: ownSession },
  subscribeToPush: {
    input: () => ({ ...newBrowser(), show: 'who' }),
    visible: false,
    audit: ownSession,
  },
  listPushSubscriptions: { visible: false, audit: reads },
  endPushSubscription: {
    input: async (_, { browser }) => ({
      id: (await browser.call('subscribeToPush', { ...newBrowser(), show: 'who' })).id,
    }),
    visible: false,
    audit: ownSession,
  },
  listSessions: { visible: false, audit: reads },
  endSessions: { input: () => ({ others: true }), visible: false, audit: ownSession },
  changeEmail: { input: () => ({ email: freshEmail() }), visible: false, audit: ownSession },
  confirmEmailChange: {
    async input({ office }, { browser }) {
      const [email, { email: current }] = [freshEmail(), await browser.call('getCurrentUser')]
      await browser.call('changeEmail', { email })
      return { code: await codeFor(office, current), newCode: await codeFor(office, email) }
    },
    visible: true,
    audit: 'member.email-changed',
  },
  deleteAccount: { caller: 'newcomer', visible: false, audit: ownSession },
  confirmAccountDeletion: {
    caller: 'newcomer',
    async input({ office }, { browser }) {
      await browser.call('deleteAccount')
      return { code: await codeFor(office, (await browser.call('getCurrentUser')).email) }
    },
    visible: true,
    audit: { none: 'the trails of the organizations they are in have an entry: the trials are in none' },
  },
  updateProfile: { input: () => ({ displayName: 'Another Name' }), visible: true, audit: 'member.renamed' },
  listOrganizations: { visible: false, audit: reads },
  createOrganization: {
    input: () => ({ name: 'Another One' }),
    visible: false,
    audit: { none: 'its entry opens the trail of the organization that it makes' },
  },
  updateOrganization: {
    input: ({ founder }) => ({ organizationId: founder.organizationId, name: 'Renamed' }),
    roles: ['admin'],
    visible: true,
    audit: 'organization.renamed',
  },
  deleteOrganization: {
    input: ({ founder }) => ({ organizationId: founder.organizationId }),
    roles: ['admin'],
    visible: true,
    audit: 'organization.deleted',
  },
  getInviteLink: { roles: inviters, visible: true, audit: 'invite-link.created' },
  resetInviteLink: { roles: ['moderator', 'admin'], visible: true, audit: 'invite-link.reset' },
  sendInvitation: {
    input: ({ newcomer }) => ({ email: newcomer.email }),
    roles: inviters,
    visible: true,
    audit: 'invitation.sent',
  },
  listInvitation: { visible: false, audit: reads },
  revokeInvitation: {
    input: async (stage) => ({ invitationId: (await stage.invitation()).id }),
    roles: inviters,
    visible: true,
    audit: 'invitation.revoked',
  },
  showInvitation: {
    caller: 'visitor',
    input: async (stage) => ({ token: (await stage.invitation()).token }),
    visible: false,
    audit: reads,
    capability: { token: ['invitation token'] },
  },
  showInviteLink: {
    caller: 'visitor',
    input: async (stage) => ({ token: await stage.linkToken() }),
    visible: false,
    audit: reads,
    capability: { token: ['invitation token', 'link token'] },
  },
  acceptInvitation: {
    caller: 'newcomer',
    input: async (stage) => ({ token: (await stage.invitation()).token }),
    visible: true,
    audit: 'invitation.accepted',
  },
  joinOrganization: {
    caller: 'newcomer',
    input: async (stage) => ({ inviteToken: await stage.linkToken() }),
    visible: true,
    audit: 'member.joined',
    capability: { inviteToken: ['link token'] },
  },
  listAuditLog: { roles: ['admin'], visible: false, audit: reads },
  getOrganizationLimits: { roles: ['admin'], visible: false, audit: reads },
  checkpointAuditLog: { roles: ['admin'], visible: false, audit: reads },
  getOrganizationSettings: { visible: false, audit: reads },
  updateOrganizationSettings: {
    // each time another: one that is no change is not written down
    async input(_stage, { browser }) {
      const { status, body } = await browser.request('getOrganizationSettings')
      return { agents: status === 200 && !(body as { agents: boolean }).agents }
    },
    roles: ['admin'],
    visible: true,
    audit: 'organization.settings-changed',
  },
  getOrganizationRetention: { visible: false, audit: reads },
  updateOrganizationRetention: {
    // each time another number: one that is no change is not written down
    input: () => ({ chatDays: 365 + Math.floor(Math.random() * 1_000) }),
    roles: ['admin'],
    visible: true,
    audit: 'organization.retention-changed',
  },
  createAvatarUploadTicket: {
    input: () => ({ contentType: 'image/png' }),
    visible: false,
    audit: ownSession,
  },
  createEarlierAvatarUploadTicket: {
    input: () => ({ contentType: 'image/png' }),
    visible: false,
    audit: ownSession,
  },
  finalizeAvatarUpload: {
    input: async ({ office, founder }) => ({
      tmpKey: await upload(office, founder.browser, await picture('png')),
    }),
    visible: true,
    audit: ownSession,
  },
  finalizeEarlierAvatarUpload: {
    input: async ({ office, founder }) => ({
      tmpKey: await upload(office, founder.browser, await picture('png')),
    }),
    visible: true,
    audit: ownSession,
  },
  removeAvatar: { visible: true, audit: ownSession },
  createLogoUploadTicket: {
    input: () => ({ contentType: 'image/png' }),
    roles: ['admin'],
    visible: false,
    audit: { none: 'a ticket alone changes nothing' },
  },
  finalizeLogoUpload: {
    async input({ office, founder }) {
      const ticket = await founder.browser.call('createLogoUploadTicket', { contentType: 'image/png' })
      await put(addressAt(office, ticket.uploadUrl), await picture('png'), 'image/png')
      return { tmpKey: ticket.tmpKey }
    },
    roles: ['admin'],
    visible: true,
    audit: 'organization.logo-changed',
  },
  removeLogo: { roles: ['admin'], visible: true, audit: 'organization.logo-changed' },
  createRoom: {
    input: () => ({ name: 'The Kitchen', kind: 'kitchen', seats: 8 }),
    visible: true,
    audit: 'room.created',
  },
  ...roomRows,
  ...messageRows,
  connectProviderACalendar: {
    input() {
      const { state, codeChallenge } = newPkce()
      return { state, codeChallenge }
    },
    visible: false,
    audit: ownAccount,
  },
  finalizeProviderACalendar: {
    async input({ office, founder }) {
      const { code, codeVerifier } = await consent(office, founder.browser, 'A')
      return { code, codeVerifier }
    },
    visible: false,
    audit: ownAccount,
  },
  listProviderACalendars: { input: connected('A', {}), visible: false, audit: reads },
  listProviderAEvents: { input: connected('A', { calendars: [aWeek] }), visible: false, audit: reads },
  readProviderAEvents: { input: connected('A', { events: [] }), visible: false, audit: reads },
  disconnectProviderACalendar: { visible: false, audit: ownAccount },
  connectProviderBCalendar: {
    input() {
      const { state, codeChallenge } = newPkce()
      return { state, codeChallenge }
    },
    visible: false,
    audit: ownAccount,
  },
  finalizeProviderBCalendar: {
    async input({ office, founder }) {
      const { code, codeVerifier } = await consent(office, founder.browser, 'B')
      return { code, codeVerifier }
    },
    visible: false,
    audit: ownAccount,
  },
  listProviderBCalendars: { input: connected('B', {}), visible: false, audit: reads },
  listProviderBEvents: { input: connected('B', { calendars: [aWeek] }), visible: false, audit: reads },
  readProviderBEvents: { input: connected('B', { events: [] }), visible: false, audit: reads },
  disconnectProviderBCalendar: { visible: false, audit: ownAccount },
  setPresenceStatus: { input: () => ({ status: 'busy' }), visible: true, audit: presence },
  confirmPresence: { visible: false, audit: presence },
  getPresenceSnapshot: { input: ({ guest }) => ({ userIds: [guest.id] }), visible: false, audit: reads },
  talk: {
    input: (stage) => ({ userId: stage.guest.id }),
    visible: true,
    audit: { none: 'it is a conversation of two people' },
  },
  wave: {
    input: (stage) => ({ userId: stage.guest.id }),
    visible: true,
    audit: { none: 'it is a hello between two people' },
  },
  knock: {
    async input({ guest }) {
      await guest.browser.call('setPresenceStatus', { status: 'online' })
      return { userId: guest.id }
    },
    visible: true,
    audit: knocking,
  },
  answerKnock: {
    async input({ guest }, actor) {
      await actor.browser.call('setPresenceStatus', { status: 'online' })
      const { knockId } = await guest.browser.call('knock', { userId: actor.id })
      return { knockId, answer: 'later' }
    },
    visible: true,
    audit: knocking,
  },
  cancelKnock: {
    async input({ guest }, actor) {
      await guest.browser.call('setPresenceStatus', { status: 'online' })
      return { knockId: (await actor.browser.call('knock', { userId: guest.id })).knockId }
    },
    visible: true,
    audit: knocking,
  },
  mintConnectionToken: { visible: false, audit: reads },
  mintChatToken: { visible: false, audit: reads },
  tellTyping: {
    async input({ office, guest }, actor) {
      const { token } = await actor.browser.call('mintChatToken')
      return { conversationId: await openDm({ rest: restOf(office, token) }, guest) }
    },
    visible: true,
    audit: { none: 'it is over in a moment' },
  },
  createServiceToken: {
    input: () => ({ name: 'Payroll', operations: ['listMembers'] }),
    roles: ['admin'],
    visible: true,
    audit: 'service-token.created',
  },
  listServiceTokens: { roles: ['admin'], visible: false, audit: reads },
  revokeServiceToken: {
    input: async (stage) => ({ id: (await stage.serviceToken()).id }),
    roles: ['admin'],
    visible: true,
    audit: 'service-token.revoked',
  },
  createBot: { input: () => ({ name: 'Minutes' }), roles: ['admin'], visible: true, audit: 'bot.created' },
  listBots: { roles: ['admin'], visible: false, audit: reads },
  updateBot: {
    input: async (stage) => ({ botId: await stage.bot(), name: 'Notes' }),
    roles: ['admin'],
    visible: true,
    audit: 'bot.renamed',
  },
  deleteBot: {
    input: async (stage) => ({ botId: await stage.bot() }),
    roles: ['admin'],
    visible: true,
    audit: 'bot.deleted',
  },
  createWebhook: {
    input: () => ({ url: 'https://hooks.example/atrium', events: ['room.created'] }),
    roles: ['admin'],
    visible: true,
    audit: 'webhook.created',
  },
  listWebhooks: { roles: ['admin'], visible: false, audit: reads },
  updateWebhook: {
    input: async (stage) => ({ id: (await stage.webhook()).id, events: ['room.deleted'] }),
    roles: ['admin'],
    visible: true,
    audit: 'webhook.updated',
  },
  verifyWebhook: {
    input: async (stage) => ({ id: (await stage.webhook()).id }),
    roles: ['admin'],
    visible: true,
    audit: 'webhook.tested',
  },
  deleteWebhook: {
    input: async (stage) => ({ id: (await stage.webhook()).id }),
    roles: ['admin'],
    visible: true,
    audit: 'webhook.deleted',
  },
  rotateWebhook: {
    input: async (stage) => ({ id: (await stage.webhook()).id }),
    roles: ['admin'],
    visible: true,
    audit: 'webhook.rotated',
  },
  listWebhookDeliveries: {
    input: async (stage) => ({ id: (await stage.webhook()).id }),
    roles: ['admin'],
    visible: false,
    audit: reads,
  },
  replayWebhook: {
    input: async (stage) => ({ id: (await stage.webhook('agreed')).id }),
    roles: ['admin'],
    visible: true,
    audit: 'webhook.replayed',
  },
  startOrganizationExport: { roles: ['admin'], visible: true, audit: 'export.started' },
  listOrganizationExports: { roles: ['admin'], visible: false, audit: reads },
  startUserExport: { visible: false, audit: ownSession },
  listUserExports: { visible: false, audit: reads },
  ...directoryRows,
  listMembers: { visible: false, audit: reads },
  getMember: { input: ({ guest }) => ({ id: guest.id }), visible: false, audit: reads },
  updateMember: {
    input: ({ guest }) => ({ id: guest.id, role: 'member' }),
    roles: ['admin'],
    visible: true,
    audit: 'member.role-changed',
  },
  updateMembershipUser: {
    input: ({ guest }) => ({ userId: guest.id, role: 'member' }),
    roles: ['admin'],
    visible: true,
    audit: 'member.role-changed',
  },
  removeMember: {
    input: async (stage) => ({ id: await anotherGuest(stage) }),
    roles: ['moderator', 'admin'],
    visible: true,
    audit: 'member.removed',
  },
  removeMembershipUser: {
    input: async (stage) => ({ userId: await anotherGuest(stage) }),
    roles: ['moderator', 'admin'],
    visible: true,
    audit: 'member.removed',
  },
}
