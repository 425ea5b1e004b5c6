import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chatterOf, openDm } from '../../../tests/chapters/chat.ts'
import { finishedFile } from '../../../tests/chapters/chat-files.ts'
import { addressAt } from '../../../tests/chapters/uploads.ts'
import { exportOf, fetchArchive, type ReadArchive } from '../../../tests/data/archives.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { atrium } from '../../../tests/operator/command-line.ts'
import { newFounder, newMember, type Person, signInAgain } from '../../../tests/people.ts'

/** More than an archive has ever held in memory. */
const LARGE_BYTES = 33 * 1024 * 1024
const SMALL = Buffer.from('small')

describe('files of the chat in archives', () => {
  let source: TestOffice
  let target: TestOffice
  let folder: string
  let large: Buffer
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'atrium-stored-files-'))
    large = Buffer.alloc(LARGE_BYTES, 'a file that does not repeat itself at a power of two. ')
    const settings = { CHAT_FILE_BYTES: '40000000' }
    ;[source, target] = await Promise.all([openTestOffice({ settings }), openTestOffice({ settings })])
  })
  afterAll(async () => {
    await Promise.all([source.close(), target.close()])
    await rm(folder, { recursive: true })
  })
  const command = (office: TestOffice, ...args: string[]) =>
    atrium(office, ['organization', ...args], { settings: { DATA_DIR: office.dataDir } })
  const leave = (id: string, file: string, ...more: string[]) =>
    command(source, 'move', 'switch', id, file, '--to', 'https://new.example', '--settle', '0', ...more)

  interface Scene {
    founder: Person & { organizationId: string }
    /** Where its files lie in the store. */
    keys: string[]
  }
  /** A conversation with one message, of these files. */
  async function scene(...files: Buffer[]): Promise<Scene> {
    const founder = await newFounder(source)
    const member = await newMember(source, founder, 'member')
    const conversationId = await openDm(await chatterOf(source, founder), member)
    const attachmentIds: string[] = []
    for (const bytes of files)
      attachmentIds.push(await finishedFile(source, founder, { conversationId, bytes }))
    await founder.browser.call('sendMessage', { conversationId, attachmentIds })
    const { rows } = await source.database.pool.query<{ object_key: string }>(
      'select object_key from attachments where conversation_id = $1 order by attachment_id',
      [conversationId],
    )
    return { founder, keys: rows.map(({ object_key }) => object_key) }
  }
  async function withArchive<T>(
    office: TestOffice,
    browser: Person['browser'],
    use: (read: ReadArchive) => T,
  ) {
    const read = await fetchArchive(await exportOf(office, browser, 'Organization'))
    try {
      return use(read)
    } finally {
      await read.remove()
    }
  }
  const lose = (keys: readonly string[]) => source.office.uploads.storage.remove(keys)

  it('are in an export, of any size that the chat takes', async () => {
    const { founder, keys } = await scene(SMALL, large)
    await withArchive(source, founder.browser, ({ files }) => {
      expect(keys.map((key) => files.get(`files/${key}`)?.length)).toEqual([SMALL.length, LARGE_BYTES])
      expect(files.get(`files/${keys[1]}`)?.equals(large)).toBe(true)
      expect(files.has('missing.json')).toBe(false)
    })
  })

  it('move with their organization, and can be opened there', async () => {
    const { founder } = await scene(large, SMALL)
    const path = join(folder, 'moved.tar.gz')
    expect(await leave(founder.organizationId, path)).not.toContain('Missing')
    const said = await command(target, 'import', path)
    expect(said).toContain('2 files')
    expect(said).not.toContain('Missing')
    const { browser } = await signInAgain(target, founder.email)
    const { rows } = await target.database.pool.query<{ attachment_id: string }>(
      `select attachment_id from attachments a join organizations o on o.id = a.org_id
        where o.identity_organization_id = $1 order by attachment_id`,
      [founder.organizationId],
    )
    const opened: Buffer[] = []
    for (const { attachment_id } of rows) {
      const { url } = await browser.call('getAttachment', { attachmentId: attachment_id })
      opened.push(Buffer.from(await (await fetch(addressAt(target, url))).arrayBuffer()))
    }
    expect(opened.map((bytes) => bytes.length)).toEqual([LARGE_BYTES, SMALL.length])
    expect(opened[0]?.equals(large)).toBe(true)
  })

  it('that the store does not have are named in an export', async () => {
    const { founder, keys } = await scene(SMALL, SMALL)
    await lose(keys.slice(0, 1))
    await withArchive(source, founder.browser, ({ files }) => {
      expect(JSON.parse(String(files.get('missing.json')))).toEqual(keys.slice(0, 1))
      expect(files.has(`files/${keys[0]}`)).toBe(false)
      expect(files.has(`files/${keys[1]}`)).toBe(true)
    })
  })

  it('that the store does not have keep their organization, which is open again, until that is accepted', async () => {
    const { founder, keys } = await scene(SMALL, SMALL)
    await lose(keys.slice(0, 1))
    const path = join(folder, 'missing.tar.gz')
    await expect(leave(founder.organizationId, path)).rejects.toThrow(
      `does not have 1 of the pictures and files of the organization: ${keys[0]}. Put`,
    )
    const { browser } = await signInAgain(source, founder.email)
    expect((await browser.call('getCurrentUser')).currentOrganizationId).toBe(founder.organizationId)
    const said = await leave(founder.organizationId, path, '--accept-missing')
    expect(said).toContain('Missing in the archive: 1 pictures and files')
    expect(await command(target, 'import', path)).toContain('Missing in the archive: 1 pictures and files')
  })
})
