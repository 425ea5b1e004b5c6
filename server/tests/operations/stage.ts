import type { AtriumClient } from '@atrium/client'
import type { OperationId } from '@atrium/contract'
import { joinRoom } from '../chapters/rooms.ts'
import { newGroupName, scimClient } from '../chapters/scim.ts'
import { freshDomain, giveDomain } from '../chapters/single-sign-on.ts'
import { untilImagesAreChecked } from '../chapters/uploads.ts'
import { openTestOffice, type TestOffice, type TestOfficeOptions } from '../office.ts'
import {
  codeFor,
  invitationTokenFor,
  linkTokenOf,
  newFounder,
  newMember,
  newPerson,
  type Person,
} from '../people.ts'
import { until } from '../until.ts'

/** Input of any operation, as it goes onto the wire. */
export type AnyInput = Record<string, unknown>

/** An organization of its own with the people that operations are tried on. */
export interface Stage {
  office: TestOffice
  /** Not signed in. Some input belongs to one browser: it then puts that one here. */
  visitor: AtriumClient
  /** Admin. */
  founder: Person & { organizationId: string }
  /** A member of the lowest rank, to be acted on. */
  guest: Person
  /** Signed in, and in no organization. */
  newcomer: Person
  /** An invitation of the newcomer that is pending. */
  invitation(): Promise<{ id: string; token: string }>
  linkToken(): Promise<string>
  /** A room of the organization. */
  room(): Promise<{ id: string; name: string }>
  /** The token in a link for guests of a room. */
  guestToken(roomId: string): Promise<string>
  /** A guest who waits before a room. */
  waitingGuest(): Promise<{ roomId: string; guestIdentity: string }>
  /** A guest who has been let in. */
  admittedGuest(): Promise<{ roomId: string; guestIdentity: string }>
  /** The visitor is admitted to a room, and inside it where asked for. @returns the id of their link */
  guestInRoom(inside?: 'inside'): Promise<string>
  /** The id of a link for guests. */
  guestInvite(): Promise<string>
  /** A recording that runs. */
  recording(): Promise<{ roomId: string; egressId: string }>
  /** A recording that is over and has a file. */
  film(): Promise<{ id: string; egressId: string }>
  /** One of which it is known what was said. */
  spokenFilm(): Promise<{ id: string; egressId: string }>
  /** A service token, for one operation or as many as are named. */
  serviceToken(...operations: string[]): Promise<{ id: string; token: string }>
  /** @returns its id */
  bot(): Promise<string>
  /** A webhook; where asked for, one with a receiver that has agreed. */
  webhook(has?: 'agreed'): Promise<{ id: string; secret: string }>
  /** A directory that has made a group with the guest in it. */
  directory(): Promise<{ connectionId: string; token: string; groupId: string }>
  /** A domain that the organization claims, with its record in the DNS. */
  domain(): Promise<{ id: string; secret: string }>
  /** A connection to the stand-in of an issuer, as a draft; or with a test that has passed; or in force. */
  signOn(state?: 'draft' | 'tested' | 'in-force'): Promise<{ clientSecret: string }>
  /** A sign-in of the founder that waits for the choice of an organization. */
  pendingSignIn(): Promise<string>
}

/** Everybody writes in all trials, many times. */
const WITHOUT_CHAT_LIMITS = {
  RATE_LIMIT_MESSAGES_PER_CONVERSATION: '0',
  RATE_LIMIT_MESSAGES_PER_USER: '0',
  RATE_LIMIT_REACTIONS_PER_USER: '0',
}

/** An office for trials of every operation, in which nothing is started only when the first of them needs it. */
export async function openTrialOffice(options: TestOfficeOptions = {}): Promise<TestOffice> {
  const settings = { ...WITHOUT_CHAT_LIMITS, ...options.settings }
  const office = await openTestOffice({ ...options, settings })
  await untilImagesAreChecked(office)
  for (const id of ['continueWithProviderA', 'continueWithProviderB'] as const)
    await until(async () => (await office.browser().request(id)).status === 200)
  return office
}

let rooms = 0

export async function setStage(office: TestOffice, name = 'Stage'): Promise<Stage> {
  const founder = await newFounder(office, name)
  const guest = await newMember(office, founder, 'guest')
  return stageOf(office, { founder, guest, newcomer: await newPerson(office) })
}

/** The stage of people who are there already. */
export function stageOf(
  office: TestOffice,
  { founder, guest, newcomer }: Pick<Stage, 'founder' | 'guest' | 'newcomer'>,
): Stage {
  const room = async () => {
    rooms += 1
    return (await founder.browser.call('createRoom', { name: `Room ${rooms} of the stage` })).room
  }
  const guestToken = async (roomId: string) => {
    const invite = { orgId: founder.organizationId, roomId, durationSeconds: 3_600, allowAll: true }
    const { inviteUrl } = await founder.browser.call('inviteGuest', invite)
    return new URL(inviteUrl).searchParams.get('invite_token') as string
  }
  const waitingGuest = async () => {
    const { id: roomId } = await room()
    const inviteToken = await guestToken(roomId)
    const guest = await office.browser().call('authorizeGuest', { inviteToken, guestName: 'Gast' })
    return { roomId, guestIdentity: guest.guestIdentity as string }
  }
  /** Waits until the recording of a room is so far. @returns its id */
  const recordingIn = async (state: string, roomId: string) => {
    let found: { id: string; state: string } | undefined
    await until(async () => {
      await tellOfMedia(office)
      const { data } = await founder.browser.call('listRecordings', { roomName: roomId })
      found = data[0]
      return found?.state === state
    })
    return found?.id as string
  }
  const recording = async () => {
    const { id: roomId } = await room()
    const about = { roomName: roomId, conferenceTopic: '', zoneId: '', participants: '' }
    const { egressId } = await founder.browser.call('startRecording', about)
    // it begins a moment later: nothing of it may change while something is tried
    await recordingIn('active', roomId)
    return { roomId, egressId }
  }
  const film = async () => {
    const { roomId, egressId } = await recording()
    const about = { roomName: roomId, egressId, zoneId: '' }
    await founder.browser.call('stopRecording', about)
    // at the media server too: it would end there with its room, while something is tried
    return { id: await recordingIn('completed', roomId), egressId }
  }
  return {
    office,
    visitor: office.browser(),
    founder,
    guest,
    newcomer,
    async invitation() {
      const { email } = newcomer
      await founder.browser.call('sendInvitation', { email })
      const { data } = await founder.browser.call('listInvitation', { email })
      const invited = { id: data[0]?.id as string, token: await invitationTokenFor(office, email) }
      await untilMailed(office)
      return invited
    },
    linkToken: () => linkTokenOf(founder),
    room,
    guestToken,
    waitingGuest,
    async admittedGuest() {
      const guest = await waitingGuest()
      await founder.browser.call('admitGuest', { ...guest, action: 'admit' })
      return guest
    },
    async guestInRoom(inside) {
      const { id: roomId } = await room()
      const request = { inviteToken: await guestToken(roomId), guestName: 'Gast' }
      const {
        guestIdentity = '',
        inviteId = '',
        rtcToken,
      } = await this.visitor.call('authorizeGuest', request)
      await founder.browser.call('admitGuest', { roomId, guestIdentity, action: 'admit' })
      if (!inside) return inviteId
      await joinRoom(office, rtcToken)
      await until(async () => {
        await tellOfMedia(office)
        return (await founder.browser.call('getRoom', { roomId })).room.guests === 1
      })
      return inviteId
    },
    async guestInvite() {
      const { id: roomId } = await room()
      const invite = { orgId: founder.organizationId, roomId, durationSeconds: 3_600 }
      return (await founder.browser.call('inviteGuest', invite)).inviteId
    },
    recording,
    film,
    async spokenFilm() {
      const made = await film()
      const words = JSON.stringify([{ from: 0, to: 0.5, identity: founder.id, text: 'Good' }])
      await office.database.pool.query('update recordings set transcript = $1 where id = $2', [
        words,
        made.id,
      ])
      return made
    },
    serviceToken: (...operations) =>
      founder.browser.call('createServiceToken', {
        name: 'Payroll',
        operations: operations.length > 0 ? operations : ['listMembers'],
      }),
    bot: async () => (await founder.browser.call('createBot', { name: 'Minutes' })).botId,
    async webhook(has) {
      // of what does not happen: deliveries would change the stage in the background
      const webhook = { url: 'http://127.0.0.1:9/hook', events: ['organization.updated' as const] }
      const made = await founder.browser.call('createWebhook', webhook)
      if (has === 'agreed')
        await office.database.pool.query('update webhooks set verified_at = now() where id = $1', [made.id])
      return made
    },
    async directory() {
      const { id, token } = await founder.browser.call('createDirectoryConnection', { name: 'Entra' })
      const scim = scimClient(office, token)
      const made = await scim.send('POST', '/Groups', {
        displayName: newGroupName(),
        members: [{ value: guest.id }],
      })
      return { connectionId: id, token, groupId: made.body.id as string }
    },
    async domain() {
      const { domain } = await founder.browser.call('claimOrganizationDomain', { domain: freshDomain() })
      const { name = '', value = '' } = domain.record ?? {}
      const known = office.office.needs.resolveText
      office.office.needs.resolveText = async (asked) => (asked === name ? [[value]] : await known(asked))
      return { id: domain.id, secret: value.split('=')[1] ?? '' }
    },
    async signOn(state = 'draft') {
      const { standIns } = office.office.sandbox
      if (!standIns) throw new Error('there is no stand-in of an issuer')
      const { issuer, clientId, clientSecret } = standIns.issuers.registrations.sso
      await founder.browser.call('saveSingleSignOn', { issuer, clientId, clientSecret })
      if (state === 'draft') return { clientSecret }
      const domain = freshDomain()
      await giveDomain(office, founder.organizationId, domain)
      await office.database.pool.query(
        'update sso_drafts set tested_at = $2, tested_domain = $3 where identity_organization_id = $1',
        [founder.organizationId, office.clock.now(), domain],
      )
      if (state === 'in-force') await founder.browser.call('activateSingleSignOn')
      return { clientSecret }
    },
    async pendingSignIn() {
      await founder.browser.call('createOrganization', { name: 'Second' })
      const { email } = founder
      await office.browser().call('signIn', { email })
      const code = await codeFor(office, email)
      const { user } = await office.browser().call('finalizeMagicAuth', { email, code })
      return 'pendingAuthenticationToken' in user ? user.pendingAuthenticationToken : ''
    },
  }
}

/** One stage for all trials that leave it as it was, and the next one after a trial that did not. */
export interface StandingStage<Staged> {
  now(): Promise<Staged>
  leave(): void
}

export function standingStage<Staged>(make: () => Promise<Staged>): StandingStage<Staged> {
  let standing: Promise<Staged> | undefined
  return {
    now() {
      // one that could not be made fails one trial, and not all that come after it
      standing ??= make().catch((error: unknown) => {
        standing = undefined
        throw error
      })
      return standing
    },
    leave() {
      standing = undefined
    },
  }
}

/** What has come from the media server is worked off now, and not with the next round of the jobs. */
async function tellOfMedia({ office }: TestOffice): Promise<void> {
  await until(() => office.jobs.isLeader())
  for (const job of ['process-media-events', 'tell-media-events']) await office.jobs.runNow(job)
}

/** No mail waits any more: delivery takes its row away, at a moment of its own. */
async function untilMailed({ database }: TestOffice): Promise<void> {
  await until(async () => {
    const { rowCount } = await database.pool.query('select from mail_queue limit 1')
    return rowCount === 0
  })
}

type AnyRequest = (
  id: OperationId,
  input: AnyInput,
) => Promise<{ status: number; body: unknown; headers: Headers }>

/** Calls whichever operation, with whichever input. */
export function send(browser: AtriumClient, id: OperationId, input: AnyInput) {
  return (browser.request as AnyRequest)(id, input)
}
