import { randomBytes, randomUUID } from 'node:crypto'
import { verifyAuditTrail } from '../../src/access/audit/audit-verdict.ts'
import { findOrganization } from '../../src/directory/organizations.ts'
import { parseIdentityOrganizationId } from '../../src/platform/ids.ts'
import { chatterOf, openDm, sendMany } from '../chapters/chat.ts'
import { newDevice } from '../chapters/devices.ts'
import { newRoom } from '../chapters/rooms.ts'
import { freshEmail, type TestOffice } from '../office.ts'
import { mailsTo, newFounder, newMember, newPerson, type Person } from '../people.ts'
import { until } from '../until.ts'
import { newBrowser } from '../vendors/push-receiver.ts'
import { waitingMails } from './stored-text.ts'

/** A person with data in every place that can hold a person's data. */
export interface Canary {
  person: Person
  founder: Person & { organizationId: string }
  /** Nothing else in the office has any of them in it. */
  texts: string[]
  /** Under which the identity provider and the broker knew them. */
  identityId: string
}

/** Where they act from. */
const PLACE = '203.0.113.77'

async function renameFrom(office: TestOffice, { cookie }: Person, displayName: string): Promise<void> {
  const answer = await fetch(`${office.baseUrl}/user/update`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      cookie: `atrium_session=${cookie}`,
      'x-forwarded-for': PLACE,
    },
    body: JSON.stringify({ displayName }),
  })
  if (answer.status !== 200) throw new Error(`no rename but ${answer.status}`)
}

const word = (name: string) => `${name}${randomBytes(4).toString('hex')}`

/** Deletes an account, by the code in the mail. @param mailsWait mails are not delivered: it is read where they wait */
export async function deleteAccountOf(
  office: TestOffice,
  { browser }: Pick<Person, 'browser'>,
  { mailsWait = false } = {},
): Promise<void> {
  const { email } = await browser.call('getCurrentUser')
  await browser.call('deleteAccount')
  let code: string | undefined
  await until(async () => {
    const mails = [...(await mailsTo(office, email)), ...(mailsWait ? await waitingMails(office) : [])]
    const mail = mails.find(({ to, subject }) => to === email && subject.includes('delete your account'))
    code = mail?.subject.slice(0, 6)
    return code !== undefined
  })
  await browser.call('confirmAccountDeletion', { code: code as string })
}

/** The first pass is over. */
export async function untilErased({ database: { pool } }: TestOffice, id: string): Promise<void> {
  await until(async () => {
    const { rows } = await pool.query(`select 1 from work_items where queue = 'erasures' and key = $1`, [id])
    return rows.length === 0
  })
}

export async function trailIsWhole(office: TestOffice, organizationId: string): Promise<boolean> {
  const identityId = parseIdentityOrganizationId(organizationId)
  const organization = identityId && (await findOrganization(office.database.db, identityId))
  if (!organization) throw new Error(`there is no organization ${organizationId}`)
  return (await verifyAuditTrail(office.database.db, organization.id)).brokenAt === undefined
}

async function changeAddress(office: TestOffice, { browser }: Person, email: string, next: string) {
  await browser.call('changeEmail', { email: next })
  const codeOf = async (address: string, subject: string) => {
    let code: string | undefined
    await until(async () => {
      code = (await mailsTo(office, address)).find((mail) => mail.subject.includes(subject))?.code
      return code !== undefined
    })
    return code as string
  }
  const code = await codeOf(email, 'change your address')
  const newCode = await codeOf(next, 'your new address')
  await browser.call('confirmEmailChange', { code, newCode })
}

/**
 * A member with a value of their own in every field that can hold one: by what people do, where that is quick, and
 * written into the tables where a vendor would have to be played.
 */
export async function plantCanaries(office: TestOffice): Promise<Canary> {
  const { pool } = office.database
  const founder = await newFounder(office)
  const [firstEmail, email] = [freshEmail('canaryone'), freshEmail('canarytwo')]
  const webhook = {
    url: 'http://127.0.0.1:9/hook',
    events: ['profile.updated', 'room.created', 'room.updated'],
  }
  await founder.browser.call('createWebhook', webhook)
  const person = await newMember(office, founder, 'admin', await newPerson(office, firstEmail))
  await changeAddress(office, person, firstEmail, email)

  const names = [word('Cana Former '), word('Cana Present ')] as const
  await renameFrom(office, person, names[0])
  // which is called as its owner, then and from now on
  await person.browser.call('openDesk')
  await renameFrom(office, person, names[1])
  const [note, message, first, last] = [
    word('notecanary'),
    word('messagecanary'),
    word('Canafirst'),
    word('Canalast'),
  ]
  await person.browser.call('setPresenceStatus', { status: 'busy', note })
  await pool.query('update users set first_name = $2, last_name = $3 where id = $1', [person.id, first, last])
  const chatter = await chatterOf(office, person)
  const conversation = await openDm(chatter, founder)
  await sendMany(office, chatter, conversation, [message])
  await person.browser.call('setDraft', { conversationId: conversation, content: message })
  const pushed = word('pushcanary')
  await person.browser.call('subscribeToPush', { ...newBrowser(`http://127.0.0.1:9/${pushed}`), show: 'who' })
  const file = word('filecanary')
  await pool.query(
    `insert into attachments (org_id, conversation_id, user_id, name, content_type, bytes, object_key, created_at)
      select org_id, conversation_id, $1, $2, 'text/' || $2, 1, gen_random_uuid()::text, now()
      from conversations where conversation_id = $3`,
    [person.id, file, conversation],
  )

  const publishedDevice = newDevice(word('Cana Laptop '))
  await person.browser.call('publishDevice', publishedDevice)

  const room = await newRoom(person)
  const invite = { orgId: founder.organizationId, roomId: room.id, durationSeconds: 3_600, allowAll: true }
  await person.browser.call('inviteGuest', invite)
  await person.browser.call('sendInvitation', { email: freshEmail('invited'), role: 'member' })
  const elsewhere = await newFounder(office, 'Elsewhere')
  await elsewhere.browser.call('sendInvitation', { email, role: 'member' })
  await elsewhere.browser.call('sendInvitation', { email: firstEmail, role: 'member' })
  await office.browser().call('signIn', { email })
  const { rows: identities } = await pool.query('select identity_user_id as id from users where id = $1', [
    person.id,
  ])

  const written = await writeCanaries(office, person, room.id, { email, name: names[1] })
  const texts = [firstEmail, email, ...names, note, message, pushed, file, first, last, PLACE, ...written]
  texts.push(publishedDevice.name, publishedDevice.publicKey)
  return { person: { ...person, email }, founder, texts, identityId: identities[0].id }
}

/** What vendors and front ends would have said. @returns the texts */
async function writeCanaries(
  office: TestOffice,
  { id }: Person,
  room: string,
  { email, name }: { email: string; name: string },
): Promise<string[]> {
  const { pool } = office.database
  const { storage } = office.office.needs
  const [picture, draft, device, network, subject, tokens, meeting, arrival, upstream] = [
    ...['picturecanary', 'draftcanary', 'devicecanary', 'networkcanary', 'subjectcanary', 'tokencanary'],
    ...['meetingcanary', 'arrivalcanary', 'upstreamcanary'],
  ].map(word) as [string, string, string, string, string, string, string, string, string]
  const inArchive = word('archivecanary')
  const views = ['username', 'external', 'given', 'family', 'display', 'elsewhere'].map((name) =>
    word(`${name}canary`),
  )
  const options = { contentType: 'image/png', cacheControl: 'no-store' }
  const [shown, before, unfinished] = [
    `avatars/${id}/${randomUUID()}.png`,
    `avatars/${id}/${randomUUID()}.png`,
    `tmp/${id}/${randomUUID()}.png`,
  ]
  for (const key of [shown, before]) await storage.write(key, Buffer.from(picture), options)
  await storage.write(unfinished, Buffer.from(draft), options)
  await pool.query('update users set avatar_key = $2 where id = $1', [id, shown])
  const archive = `exports/${randomUUID()}.tar.gz`
  await storage.write(archive, Buffer.from(inArchive), { ...options, contentType: 'application/gzip' })
  await pool.query(
    `insert into exports (id, user_id, state, progress, started_by, started_at, ended_at, expires_at, object_key)
      values (gen_random_uuid(), $1, 'ready', 100, $1, now(), now(), now() + interval '1 day', $2)`,
    [id, archive],
  )
  await pool.query(
    `insert into scim_users (organization_id, user_id, user_name, external_id, given_name, family_name, display_name, email, created_at, updated_at)
      select organization_id, $2, $3, $4, $5, $6, $7, $8, now(), now() from rooms where id = $1`,
    [room, id, ...views],
  )
  await pool.query(`insert into replaced_images (key, remove_at) values ($1, now() + interval '1 day')`, [
    before,
  ])
  await pool.query('insert into upload_tickets (tmp_key, owner, created_at) values ($1, $2, now())', [
    unfinished,
    id,
  ])
  await pool.query(
    `update sessions set device = $2, network = $3, upstream_session = $4 where user_id = $1`,
    [id, device, network, upstream],
  )
  await pool.query(
    `insert into linked_identities (issuer, subject, user_id, created_at) values ('https://issuer.example', $2, $1, now())`,
    [id, subject],
  )
  await pool.query(
    `insert into calendar_connections (user_id, provider, sealed_tokens, connected_at, updated_at) values ($1, 'provider-b', $2, now(), now())`,
    [id, Buffer.from(tokens)],
  )
  await pool.query(
    `insert into calendar_codes (user_id, provider, code_digest, code_hash, spent_at) values ($1, 'provider-b', '\\x01', $2, now())`,
    [id, randomBytes(32)],
  )
  await pool.query(
    `insert into presence_meetings (user_id, times) values ($1, $2) on conflict (user_id) do update set times = excluded.times`,
    [id, JSON.stringify({ x: meeting })],
  )
  await pool.query(
    `insert into recordings (id, organization_id, room_id, state, conference_topic, zone_id, participants, started_by, requested_at, ended_at, file_key, held_at, hold_reason, name)
      select gen_random_uuid(), organization_id, id, 'completed', 'Review of ' || $2, 'zone', 'Bob, ' || $2 || ', ' || $3, $4, now(), now(), gen_random_uuid()::text,
        now(), 'A dispute with ' || $2 || ' (' || $3 || ')', 'Farewell of ' || $2
      from rooms where id = $1`,
    [room, name, email, id],
  )
  await pool.query(
    `insert into imported_accounts (user_id, organization_id, email, imported_at)
      select (select min(id) from users where id <> $2), organization_id, $3, now() from rooms where id = $1`,
    [room, id, email],
  )
  const event = { id: randomUUID(), kind: 'participant_joined', participant: { identity: id, name } }
  await pool.query(
    'insert into media_events (event_id, received_at, processed_at, event) values ($1, now(), now(), $2)',
    [event.id, JSON.stringify(event)],
  )
  await pool.query(
    `insert into redirect_sign_ins (way, state_hash, browser_hash, sealed_secrets, created_at, expires_at, sealed_identity)
      values ('provider-a', $1, $1, '\\x', now() - interval '1 hour', now() - interval '50 minutes', $2)`,
    [randomBytes(32), Buffer.from(arrival)],
  )
  await pool.query(
    `insert into pending_sign_ups (email, kind, sealed_token, created_at, expires_at) values ($1, 'member', '\\x', now(), now() + interval '1 hour')`,
    [email],
  )
  await pool.query(
    `insert into pilot_tokens (token_hash, created_at, expires_at, reserved_for) values ($1, now(), now() + interval '1 day', $2)`,
    [randomBytes(32), email],
  )
  return [
    picture,
    draft,
    device,
    network,
    subject,
    tokens,
    meeting,
    arrival,
    upstream,
    shown,
    before,
    unfinished,
    inArchive,
    ...views,
  ]
}
