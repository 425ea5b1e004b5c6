import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AtriumClient } from '@atrium/client'
import {
  type ArchiveEntry,
  type ArchiveFile,
  readArchive,
} from '../../src/platform/archive/archive-reader.ts'
import { chatterOf, openDm, openGroup, sendMany } from '../chapters/chat.ts'
import { finishedFile } from '../chapters/chat-files.ts'
import { addressAt, picture, upload } from '../chapters/uploads.ts'
import type { TestOffice } from '../office.ts'
import { newFounder, newMember, type Person } from '../people.ts'
import { until } from '../until.ts'

type Kind = 'Organization' | 'User'

/** Starts an export and waits until its archive can be fetched. @returns its address, as it is reached by tests */
export async function exportOf(office: TestOffice, browser: AtriumClient, kind: Kind): Promise<string> {
  const { exportId } = await browser.call(`start${kind}Export`)
  let found: { state: string; downloadUrl?: string } | undefined
  await until(async () => {
    const { exports } = await browser.call(`list${kind}Exports`)
    found = exports.find((one) => one.exportId === exportId)
    return found?.state !== 'running'
  })
  if (found?.downloadUrl === undefined) throw new Error(`the export is ${found?.state}`)
  return addressAt(office, found.downloadUrl)
}

/** What an archive holds: the text of each file, and of each chapter its rows. */
export interface ReadArchive {
  /** Where it lies: removed with `remove`. */
  path: string
  files: Map<string, Buffer>
  header: Record<string, unknown>
  rows(chapter: string): Record<string, unknown>[]
  /** Everything but pictures. */
  text: string
  remove(): Promise<void>
}

export async function fetchArchive(url: string): Promise<ReadArchive> {
  const response = await fetch(url)
  if (response.status !== 200) throw new Error(`the download was answered ${response.status}`)
  const folder = await mkdtemp(join(tmpdir(), 'atrium-archive-'))
  const path = join(folder, 'archive.tar.gz')
  await writeFile(path, Buffer.from(await response.arrayBuffer()))
  const files: ArchiveFile[] = []
  for await (const entry of readArchive(path)) files.push(await heldWhole(entry))
  const textOf = (one: ArchiveFile) => one.bytes.toString()
  return {
    path,
    files: new Map(files.map(({ name, bytes }) => [name, bytes])),
    header: JSON.parse(textOf(files[0] as ArchiveFile)),
    rows: (chapter) =>
      files
        .filter(({ name }) => name.startsWith(`${chapter}/`))
        .flatMap((file) => textOf(file).trimEnd().split('\n'))
        .map((line) => JSON.parse(line)),
    text: files
      .filter(({ name }) => !name.startsWith('pictures/'))
      .map(textOf)
      .join('\n'),
    remove: () => rm(folder, { recursive: true }),
  }
}

/** Also of one that the office itself would not hold. */
async function heldWhole({ name, chunks }: ArchiveEntry): Promise<ArchiveFile> {
  const held: Buffer[] = []
  for await (const chunk of chunks()) held.push(chunk)
  return { name, bytes: Buffer.concat(held) }
}

export interface FilledOrganization {
  founder: Person & { organizationId: string }
  member: Person
  former: Person
  room: { id: string }
  /** What must not be found in an archive. */
  secrets: string[]
}

/** An organization in which something of everything has happened. The image check has to run. */
export async function filledOrganization(office: TestOffice, name = 'Filled'): Promise<FilledOrganization> {
  const founder = await newFounder(office, name)
  const { browser } = founder
  const member = await newMember(office, founder, 'member')
  const former = await newMember(office, founder, 'member')
  await member.browser.call('updateProfile', { displayName: `Zoë "${name}" \\ Ø` })
  const tmpKey = await upload(office, member.browser, await picture('png'))
  await member.browser.call('finalizeAvatarUpload', { tmpKey })
  const logo = await upload(office, browser, await picture('png'), 'image/png', 'Logo')
  await browser.call('finalizeLogoUpload', { tmpKey: logo })
  const { room } = await browser.call('createRoom', { name: 'Kitchen', metadata: { floor: '2' } })
  const gone = await browser.call('createRoom', { name: 'Cellar' })
  await browser.call('deleteRoom', { roomId: gone.room.id })
  const secrets = await secretsOf(office, founder, member, room.id)
  const people = await Promise.all([founder, member, former].map((one) => chatterOf(office, one)))
  const [ada, zoe, ned] = people as [(typeof people)[0], (typeof people)[0], (typeof people)[0]]
  const dm = await openDm(ada, zoe)
  const [hello] = await sendMany(office, ada, dm, ['hello\nthere', `of ${name}`, '"quoted" \\n \u2028'])
  await zoe.rest.rpc('update_read_cursor', { p_conversation_id: dm, p_last_read_message_id: hello })
  const group = await openGroup(zoe, [ada, ned], 'Spring')
  await sendMany(office, zoe, group, ['to all'])
  const file = {
    conversationId: group,
    name: 'plan.png',
    contentType: 'image/png',
    bytes: await picture('png'),
  }
  const attachmentIds = [await finishedFile(office, member, file)]
  await member.browser.call('sendMessage', { conversationId: group, attachmentIds })
  await sendMany(office, ned, await openDm(ned, ada), ['I leave'])
  await browser.call('removeMember', { id: former.id })
  await member.browser.call('setPresenceStatus', { status: 'busy', note: `note of ${name}` })
  return { founder, member, former, room, secrets: [...secrets, ...people.map(({ token }) => token)] }
}

/** Makes one of each secret that there is. */
async function secretsOf(
  office: TestOffice,
  founder: Person & { organizationId: string },
  member: Person,
  roomId: string,
): Promise<string[]> {
  const { browser, organizationId } = founder
  const email = `invited-${organizationId.slice(-6).toLowerCase()}@people.example`
  await browser.call('sendInvitation', { email })
  const { data } = await browser.call('listInvitation')
  const { inviteLink } = await browser.call('getInviteLink')
  const service = await browser.call('createServiceToken', { name: 'Payroll', operations: ['listMembers'] })
  const url = 'https://hooks.example/planted-in-an-address'
  const hook = await browser.call('createWebhook', { url, events: ['organization.updated'] })
  const invite = { orgId: organizationId, roomId, durationSeconds: 3_600, allowAll: true }
  const { inviteUrl } = await browser.call('inviteGuest', invite)
  const inviteToken = new URL(inviteUrl).searchParams.get('invite_token') as string
  const guest = await office.browser().call('authorizeGuest', { inviteToken, guestName: 'Gast' })
  const decide = { roomId, guestIdentity: guest.guestIdentity as string }
  await browser.call('admitGuest', { ...decide, action: 'deny' })
  return [
    founder.cookie,
    member.cookie,
    ...data.map(({ token }) => token),
    new URL(inviteLink).searchParams.get('invite_token') as string,
    service.token,
    hook.secret,
    'planted-in-an-address',
    inviteToken,
  ]
}

/** Every value of every column that holds bytes, as text may hold it; hashes of the audit trail apart, which are no secrets. */
export async function storedBytes(office: TestOffice): Promise<string[]> {
  const { rows: columns } = await office.database.pool.query<{ table: string; column: string }>(
    `select table_name as table, column_name as column from information_schema.columns
      where table_schema = 'public' and data_type = 'bytea' and table_name not like 'audit%'`,
  )
  const values: string[] = []
  for (const { table, column } of columns) {
    const { rows } = await office.database.pool.query<{ value: Buffer }>(
      `select ${column} as value from ${table} where length(${column}) > 8`,
    )
    for (const { value } of rows)
      values.push(value.toString('hex'), value.toString('base64'), value.toString('base64url'))
  }
  return values
}
