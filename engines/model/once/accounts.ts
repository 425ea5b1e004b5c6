import { same } from '../disagreement.ts'
import { newDevice } from '../people.ts'
import { refused } from '../rule.ts'
import { freshCode, logInAt } from '../scene.ts'
import { asks, type Cast, DONE, OK } from './once.ts'

/** Ways in, and what people do with their account. (spec, Authentication and session; decisions, Sign-up, Operations added) */
export async function accounts(cast: Cast): Promise<void> {
  const { ada } = cast
  await asks(cast, ada, 'describeOffice')
  await asks(cast, ada, 'getUserInfo')
  const { body } = await browserOf(cast).client.request('devSignIn')
  same('dev-sign-in answers id and email alone', Object.keys((body as { user: object }).user).toSorted(), [
    'email',
    'id',
  ])
  await byProviders(cast)
  await byTokens(cast)
  await byRecovery(cast)
  await leaveForGood(cast)
}

const browserOf = ({ world }: Cast) => newDevice(world.office.url, world.fetch)
const addressOf = ({ world }: Cast, name: string) => `${name}.${world.mark}@model.example`

async function byProviders(cast: Cast): Promise<void> {
  for (const provider of ['A', 'B'] as const) {
    const browser = browserOf(cast)
    const email = addressOf(cast, `social.${provider.toLowerCase()}`)
    const { authData } = await asks<{ authData: { redirectURL: string } }>(
      cast,
      browser,
      `continueWithProvider${provider}`,
    )
    const end = await logInAt(cast.world, browser, authData.redirectURL, email)
    const code = end.searchParams.get('code') ?? ''
    const { user } = await asks<{ user: { email: string } }>(cast, browser, 'finalizeOauth', { code })
    same('who has signed in', user.email, email)
    await asks(cast, browserOf(cast), 'finalizeOauth', { code }, refused(400, 'invalid-code'))
  }
}

async function byTokens(cast: Cast): Promise<void> {
  const { world, ada, acme } = cast
  const { inviteLink } = await asks<{ inviteLink: string }>(cast, ada, 'getInviteLink')
  acme.link = new URL(inviteLink).searchParams.get('invite_token') ?? ''
  await asks(
    cast,
    browserOf(cast),
    'showInviteLink',
    { token: acme.link },
    { status: 200, body: { organizationName: acme.name } },
  )
  const [invitation] = acme.invitations
  const { email = '', role } = invitation ?? {}
  await asks(
    cast,
    browserOf(cast),
    'showInvitation',
    { token: invitation?.token },
    { status: 200, body: { email, role, state: 'accepted' } },
  )
  const pilot = (await world.office.atrium('pilot-token', 'create')).trim().split('\n').at(-1) ?? ''
  for (const [way, inviteToken] of [
    ['memberSignUp', acme.link],
    ['adminSignUp', pilot],
  ] as const) {
    const browser = browserOf(cast)
    const email = addressOf(cast, way.toLowerCase())
    await freshCode(world, email, () => asks(cast, browser, way, { email, inviteToken }, { status: 201 }))
    const code = await freshCode(world, email, () => asks(cast, browser, 'resendMagicAuth', { email }))
    await asks(cast, browser, 'finalizeMagicAuth', { email, code })
    const joined = way === 'memberSignUp' ? [{ organizationId: acme.id, userRole: 'member' }] : []
    const listed = await asks<{ organizationId: string; userRole: string }[]>(
      cast,
      browser,
      'listOrganizations',
    )
    same(
      'where they are a member',
      listed.map(({ organizationId, userRole }) => ({ organizationId, userRole })),
      joined,
    )
    if (way === 'memberSignUp') await leaves(cast, browser)
  }
}

/** The cast alone is in the organization again. */
async function leaves(cast: Cast, browser: ReturnType<typeof browserOf>): Promise<void> {
  const { id } = await asks<{ id: string }>(cast, browser, 'getCurrentUser')
  await asks(cast, browser, 'removeMembershipUser', { userId: id }, DONE)
}

async function byRecovery(cast: Cast): Promise<void> {
  const { world, ada, acme } = cast
  const printed = await world.office.atrium('organization', 'recovery-link', acme.id, ada.email)
  const token = /#(?:token=)?([\w-]+)/.exec(printed)?.[1] ?? ''
  const browser = browserOf(cast)
  await asks(cast, browser, 'recoverAccess', { token }, { status: 200 })
  await asks(cast, browserOf(cast), 'recoverAccess', { token }, refused(400, 'invalid-code'))
  await asks(cast, browser, 'signOut')
}

async function leaveForGood(cast: Cast): Promise<void> {
  const { world } = cast
  const browser = browserOf(cast)
  const [email, another] = [addressOf(cast, 'leaver'), addressOf(cast, 'leaver.again')]
  const code = await freshCode(world, email, () => asks(cast, browser, 'signUp', { email }, { status: 201 }))
  await asks(cast, browser, 'finalizeMagicAuth', { email, code })
  let newCode = ''
  const current = await freshCode(world, email, async () => {
    newCode = await freshCode(world, another, () => asks(cast, browser, 'changeEmail', { email: another }))
  })
  await asks(
    cast,
    browser,
    'confirmEmailChange',
    { code: newCode, newCode: current },
    refused(400, 'invalid-code'),
  )
  await asks(
    cast,
    browser,
    'confirmEmailChange',
    { code: current, newCode },
    { ...OK, body: { email: another } },
  )
  const last = await freshCode(world, another, () => asks(cast, browser, 'deleteAccount'))
  await asks(cast, browser, 'confirmAccountDeletion', { code: last }, DONE)
  await asks(cast, browser, 'getCurrentUser', {}, refused(401, 'unauthenticated'))
}
