import assert from 'node:assert/strict'
import type { AtriumClient } from '@atrium/client'
import { PNG, put } from './avatars.ts'
import { consent } from './calendars.ts'
import type { OwnOffice } from './own-office.ts'
import { waitFor } from './patience.ts'
import { fresh, type Person, signedUp } from './person.ts'
import { png } from './png.ts'
import { onlyRecording, roomWithSomebody } from './recordings.ts'
import type { Office } from './walk.ts'

const SOON_MS = 30_000

/**
 * What the walks take away again or never have, made to stay: an archive of a release has rows and files of it, and
 * every later release is tested to keep them.
 */
export async function makeWhatStays(office: Office, { command }: Pick<OwnOffice, 'command'>): Promise<void> {
  const [ada, ben] = [await signedUp(office, 'ada'), await signedUp(office, 'ben')]
  const { id: organizationId } = await ada.client.call('createOrganization', { name: fresh('Archive') })
  const { inviteLink } = await ada.client.call('getInviteLink')
  const inviteToken = new URL(inviteLink).searchParams.get('invite_token') ?? ''
  await ben.client.call('joinOrganization', { inviteToken })
  await pictures(ada.client)
  await programs(ada.client)
  const domain = `${fresh('proven')}.example`
  await command('domain', 'add', organizationId, domain)
  await command('domain', 'verify', organizationId, domain, '--without-dns')
  await directory(office, ada.client, domain)
  await rules(ada.client)
  await calendar(office, ben)
  await heldRecording(office, ada)
  await finishedExport(ben.client)
  await ben.client.call('setPresenceStatus', { status: 'busy' })
  await command('organization', 'limits', organizationId, '--set', 'rooms=30')
  await command('pilot-token', 'create', '--note', 'Archive')
}

/** A picture that replaces another, which is still there for a while; and a logo. */
async function pictures(client: AtriumClient): Promise<void> {
  for (let picture = 0; picture < 2; picture += 1) {
    const ticket = await client.call('createAvatarUploadTicket', { contentType: PNG })
    assert.equal((await put(ticket.uploadUrl, png(256))).status, 200)
    await client.call('finalizeAvatarUpload', ticket)
  }
  const ticket = await client.call('createLogoUploadTicket', { contentType: PNG })
  assert.equal((await put(ticket.uploadUrl, png(256))).status, 200)
  await client.call('finalizeLogoUpload', ticket)
}

/** A webhook to an address without a listener, with an event on its way; a service token. */
async function programs(client: AtriumClient): Promise<void> {
  await client.call('createWebhook', { url: 'http://127.0.0.1:9/', events: ['room.created'] })
  await client.call('createRoom', { name: fresh('Told') })
  await client.call('createServiceToken', { name: 'Lists', operations: ['listMembers'] })
}

/** A directory that has brought a member, and a group with that member. */
async function directory(office: Office, client: AtriumClient, domain: string): Promise<void> {
  const { url, token } = await client.call('createDirectoryConnection', { name: 'Directory' })
  const tell = async (path: string, schema: string, what: object) => {
    // by the address that the walks know: the office may name another one
    const response = await fetch(new URL(`${new URL(url).pathname}/${path}`, office.url), {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
      body: JSON.stringify({ schemas: [`urn:ietf:params:scim:schemas:core:2.0:${schema}`], ...what }),
    })
    const text = await response.text()
    assert.equal(response.status, 201, text)
    return JSON.parse(text) as { id: string }
  }
  const userName = `${fresh('cleo')}@${domain}`
  const emails = [{ value: userName, primary: true }]
  const { id } = await tell('Users', 'User', { userName, externalId: fresh('kept'), active: true, emails })
  await tell('Groups', 'Group', { displayName: 'Everybody', members: [{ value: id }] })
}

/** What an administrator has decided. */
async function rules(client: AtriumClient): Promise<void> {
  await client.call('updateOrganizationRetention', { recordingDays: 20, sessionDays: 10 })
  await client.call('claimOrganizationDomain', { domain: `${fresh('claimed')}.example` })
  await client.call('sendInvitation', { email: `${fresh('dora')}@acceptance.example`, role: 'member' })
}

async function calendar(office: Office, person: Person): Promise<void> {
  await person.client.call('finalizeProviderACalendar', await consent(office, person, 'A'))
}

/** Which an end of its time does not take away. */
async function heldRecording(office: Office, person: Person): Promise<void> {
  const room = await roomWithSomebody(office, person)
  const about = { conferenceTopic: 'Weekly', zoneId: 'zone-1', participants: 'Ada, Ben' }
  const { egressId } = await person.client.call('startRecording', { roomName: room.name, ...about })
  const untilIt = (state: string) =>
    waitFor(`a recording that is ${state}`, SOON_MS, async () => {
      const recording = await onlyRecording(person, room.id)
      return recording.state === state ? recording : undefined
    })
  await untilIt('active')
  await person.client.call('stopRecording', { roomName: room.id, egressId, zoneId: about.zoneId })
  await untilIt('completed')
  await person.client.call('holdRecording', { egressId, hold: true, reason: 'An archive' })
}

async function finishedExport(client: AtriumClient): Promise<void> {
  await client.call('startUserExport')
  await waitFor('an export', SOON_MS, async () => {
    const { exports } = await client.call('listUserExports')
    return exports.every(({ state }) => state === 'ready') || undefined
  })
}
