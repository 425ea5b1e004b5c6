import { same } from '../disagreement.ts'
import { newDevice } from '../people.ts'
import { refused } from '../rule.ts'
import { freshCode } from '../scene.ts'
import { asks, type Cast, DONE, OK } from './once.ts'

/** What random steps come by often, once: a minute of them may leave something out. */
export async function everyday(cast: Cast): Promise<void> {
  await people(cast)
  await hellos(cast)
  await organizations(cast)
}

/** (spec, Members; decisions, Roles, Sign-up) */
async function people(cast: Cast): Promise<void> {
  const { ada, bob, cem, dora, acme } = cast
  await asks(
    cast,
    cem,
    'updateProfile',
    { displayName: 'Cem Li' },
    { ...OK, body: { displayName: 'Cem Li' } },
  )
  await asks(
    cast,
    ada,
    'updateMember',
    { id: cem.id, role: 'moderator' },
    { ...OK, body: { role: 'moderator' } },
  )
  const again = { userId: cem.id, role: 'member' }
  await asks(cast, ada, 'updateMembershipUser', again, { ...OK, body: { role: 'member' } })
  await asks(cast, ada, 'updateMember', { id: ada.id, role: 'member' }, refused(409, 'last-admin'))
  await asks(cast, ada, 'sendInvitation', { email: dora.email })
  const { data } = await asks<{ data: { id: string }[] }>(cast, ada, 'listInvitation', { email: dora.email })
  const revoked = { ...OK, body: { state: 'revoked' } }
  await asks(cast, bob, 'revokeInvitation', { invitationId: data[0]?.id }, revoked)
  const { inviteLink } = await asks<{ inviteLink: string }>(cast, bob, 'resetInviteLink')
  const inviteToken = new URL(inviteLink).searchParams.get('invite_token')
  const joined = { ...OK, body: { organizationId: acme.id, userRole: 'member' } }
  await asks(cast, dora, 'joinOrganization', { inviteToken }, joined)
  const { page } = await asks<{ page: { total: number } }>(cast, dora, 'listMembers')
  same('how many they are', page.total, 4)
  const made = { name: 'Payroll', operations: ['listMembers'] }
  const { id } = await asks<{ id: string }>(cast, ada, 'createServiceToken', made, { status: 201 })
  await asks(cast, ada, 'listServiceTokens')
  await asks(cast, ada, 'revokeServiceToken', { id }, DONE)
  const { botId } = await asks<{ botId: string }>(
    cast,
    ada,
    'createBot',
    { name: 'Minutes' },
    { status: 201 },
  )
  await asks(cast, ada, 'updateBot', { botId, name: 'Notes' })
  await asks(cast, ada, 'listBots')
  const { room } = await asks<{ room: { id: string } }>(cast, ada, 'createRoom', { name: 'With a bot' })
  const asked = { roomId: room.id, botId }
  await asks(cast, ada, 'dispatchAgent', asked, DONE)
  await asks(cast, ada, 'removeAgent', asked, DONE)
  await asks(cast, ada, 'deleteRoom', { roomId: room.id }, DONE)
  await asks(cast, ada, 'deleteBot', { botId }, DONE)
}

/** (spec, Realtime connection and presence; decisions, knock and wave) */
async function hellos(cast: Cast): Promise<void> {
  const { ada, bob } = cast
  await asks(cast, ada, 'mintConnectionToken')
  await asks(cast, ada, 'confirmPresence')
  await asks(cast, bob, 'setPresenceStatus', { status: 'away' }, { ...OK, body: { status: 'away' } })
  await asks(cast, ada, 'getPresenceSnapshot', { userIds: [bob.id, ada.id] })
  await asks(cast, ada, 'wave', { userId: bob.id }, DONE)
  for (const [ends, body, by] of [
    ['answerKnock', { answer: 'later' }, bob],
    ['cancelKnock', {}, ada],
  ] as const) {
    const waits = { ...OK, body: { state: 'waiting' } }
    const { knockId } = await asks<{ knockId: string }>(cast, ada, 'knock', { userId: bob.id }, waits)
    await asks(cast, by, ends, { knockId, ...body }, DONE)
  }
}

/** (spec, select-organization and switch-organization; decisions, Several organizations) */
async function organizations(cast: Cast): Promise<void> {
  const { world, ada, acme } = cast
  const { email } = ada
  const { id: second } = await asks<{ id: string }>(cast, ada, 'createOrganization', { name: 'Second' })
  await asks(cast, ada, 'updateOrganization', { organizationId: second, name: 'Another' })
  await asks(cast, ada, 'switchOrganization', { email, organizationId: second })
  const browser = newDevice(world.office.url, world.fetch)
  const code = await freshCode(world, email, () => asks(cast, browser, 'signIn', { email }))
  type Undecided = { user: { pendingAuthenticationToken: string; organizations: { id: string }[] } }
  const { user } = await asks<Undecided>(cast, browser, 'finalizeMagicAuth', { email, code })
  const choices = user.organizations.map(({ id }) => id).toSorted()
  same('the choice of organizations', choices, [acme.id, second].toSorted())
  const { pendingAuthenticationToken } = user
  await asks(cast, browser, 'selectOrganization', { pendingAuthenticationToken, organizationId: acme.id })
  const { sessions } = await asks<{ sessions: unknown[] }>(cast, browser, 'listSessions')
  same('where Ada is signed in', sessions.length, 2)
  await asks(cast, browser, 'endSessions', { others: true }, DONE)
  await asks(cast, ada, 'getCurrentUser', {}, refused(401, 'unauthenticated'))
  await asks(cast, browser, 'deleteOrganization', { organizationId: second })
}
