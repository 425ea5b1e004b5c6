import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { shownAt } from '../../../tests/chapters/uploads.ts'
import {
  exportOf,
  type FilledOrganization,
  fetchArchive,
  filledOrganization,
  type ReadArchive,
} from '../../../tests/data/archives.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { atrium } from '../../../tests/operator/command-line.ts'
import { newFounder, signInAgain } from '../../../tests/people.ts'
import { until } from '../../../tests/until.ts'
import { writeArchive } from '../../platform/archive/archive-writer.ts'

describe('importOrganization', () => {
  let office: TestOffice
  let filled: FilledOrganization
  let archive: ReadArchive
  let folder: string
  let bot: string
  let empty: TestOffice | undefined
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'atrium-import-'))
    office = await openTestOffice()
    const { uploads } = office.office
    uploads.startImageCheck()
    await until(async () => (await uploads.imageCheck.ready().catch((error: unknown) => error)) === undefined)
    filled = await filledOrganization(office)
    const { browser } = filled.founder
    ;({ botId: bot } = await browser.call('createBot', { name: 'Minutes' }))
    await office.database.pool.query(
      `insert into organization_domains (organization_id, domain, state, challenge, created_at, verified_at, proven_by_dns)
        select id, 'imported.example', 'verified', 'no record', now(), now(), true
        from organizations where identity_organization_id = $1`,
      [filled.founder.organizationId],
    )
    const { botId } = await browser.call('createBot', { name: 'Of yesterday' })
    await browser.call('deleteBot', { botId })
    archive = await fetchArchive(await exportOf(office, filled.founder.browser, 'Organization'))
  })
  afterAll(async () => {
    await archive.remove()
    await office.close()
    await rm(folder, { recursive: true })
  })
  afterEach(async () => {
    await empty?.close()
    empty = undefined
  })

  const openEmpty = async () => {
    empty = await openTestOffice()
    return empty
  }
  const importInto = (target: TestOffice, path: string) =>
    atrium(target, ['organization', 'import', path], { settings: { DATA_DIR: target.dataDir } })

  let forgeries = 0
  /** The same archive with other files, and checksums that fit. */
  async function forged(change: (files: Map<string, Buffer>) => void): Promise<string> {
    const files = new Map(archive.files)
    change(files)
    forgeries += 1
    const path = join(folder, `${forgeries}.tar.gz`)
    const writer = writeArchive(path, new Date())
    for (const [name, bytes] of files) await writer.add(name, bytes)
    await writer.finish()
    return path
  }
  const replaced = (name: string, from: string | RegExp, to: string) =>
    forged((files) => {
      const text = files.get(name)?.toString() as string
      expect(text).toMatch(from)
      files.set(name, Buffer.from(text.replace(from, to)))
    })

  it('brings back the same state: exported again it is the same archive', async () => {
    const target = await openEmpty()
    const said = await importInto(target, archive.path)
    expect(said).toContain(filled.founder.organizationId)
    expect(said).toContain('Not imported: 2 of tokens')
    const { browser } = await signInAgain(target, filled.founder.email)
    const again = await fetchArchive(await exportOf(target, browser, 'Organization'))
    const compared = [...archive.files.keys()].filter(
      (name) => !/^(archive\.json|domains|audit-head|audit|tokens|webhooks)/.test(name),
    )
    expect(compared.length).toBeGreaterThan(9)
    for (const name of compared)
      expect(again.files.get(name)?.equals(archive.files.get(name) as Buffer), name).toBe(true)
    const others = [...again.files.keys()].filter((name) => !archive.files.has(name))
    expect(others).toEqual([])
    const before = archive.rows('audit')
    expect(again.rows('audit').slice(0, before.length)).toEqual(before)
    expect(
      again
        .rows('audit')
        .slice(before.length)
        .map(({ action }) => action),
    ).toEqual([...['organization.imported', 'member.signed-in', 'export.started']])
    await again.remove()
    expect(await atrium(target, ['organization', 'verify-audit', filled.founder.organizationId])).toContain(
      'is whole',
    )
  })

  it('goes on where it was: people sign in, see their pictures, and what comes next has ids of its own', async () => {
    const target = await openEmpty()
    await importInto(target, archive.path)
    const { browser, user } = await signInAgain(target, filled.member.email)
    expect(user).toMatchObject({ id: filled.member.id })
    const { avatarUrl } = await browser.call('getCurrentUser')
    const picture = await fetch(`${target.baseUrl}${new URL(avatarUrl as string).pathname}`)
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png'])
    const { hits } = await browser.call('searchMessages', { query: 'plan', has: 'file' })
    const [plan] = hits.map(({ message }) => message.attachments[0])
    expect(plan).toMatchObject({ name: 'plan.png', contentType: 'image/png', width: 256 })
    for (const preview of [false, true]) {
      const { url } = await browser.call('getAttachment', { attachmentId: plan?.id ?? '', preview })
      const file = await shownAt(target, url)
      expect([file.status, file.headers.get('content-type')]).toEqual([
        200,
        preview ? 'image/webp' : 'image/png',
      ])
    }
    const { rooms } = await browser.call('listRooms')
    expect(rooms).toMatchObject([{ id: filled.room.id, name: 'Kitchen' }])
    const newcomer = await newFounder(target, 'Next')
    expect(Number(newcomer.id)).toBeGreaterThan(Number(filled.former.id))
    const { rows } = await target.database.pool.query(
      'select max(message_id) as last, nextval($1) as next from messages',
      ['message_ids'],
    )
    expect(Number(rows[0].next)).toBeGreaterThan(Number(rows[0].last))
    // a reader's position is their own: the archive does not say it, and what came along counts as read
    const cursors = archive.rows('conversation-members').map((row) => row.last_read_message_id)
    expect([...new Set(cursors)]).toEqual([null])
    const unread = await target.database.pool.query(`select from conversation_members cm
      where last_read_message_id is distinct from (
        select max(message_id) from messages m where m.conversation_id = cm.conversation_id)`)
    expect(unread.rowCount).toBe(0)
    // no member hears again of what has happened long ago
    const events = await target.database.pool.query(
      `select from centrifugo_outbox where payload::text like $1
        and (payload::text like '%message.created%' or payload::text like '%member.joined%')`,
      // of the newcomer's organization it has just been told
      [`%${filled.founder.organizationId}%`],
    )
    expect(events.rowCount).toBe(0)
    const { data } = await (await signInAgain(target, filled.founder.email)).browser.call('listInvitation')
    expect(data[0]?.token).toMatch(/^inv_/)
    expect(filled.secrets).not.toContain(data[0]?.token)
  })

  it('brings no proof of a domain along: the DNS is asked anew', async () => {
    const target = await openEmpty()
    expect(archive.rows('domains')).toMatchObject([{ domain: 'imported.example', state: 'verified' }])
    expect(await importInto(target, archive.path)).toContain('imported.example is pending')
    const { rows } = await target.database.pool.query(
      `select domain, state, challenge, verified_at, proven_by_dns from organization_domains
        where domain = 'imported.example'`,
    )
    const claim = { domain: 'imported.example', state: 'pending', challenge: 'no record' }
    expect(rows).toEqual([{ ...claim, verified_at: null, proven_by_dns: false }])
  })

  it('takes no message of an earlier release that is its own ancestor', async () => {
    const target = await openEmpty()
    const itself = await replaced(
      'messages/000001.jsonl',
      /"message_id":(\d+),(.*)"parent_message_id":null/,
      '"message_id":$1,$2"parent_message_id":$1',
    )
    await importInto(target, itself)
    const { rows } = await target.database.pool.query('select distinct parent_message_id from messages')
    expect(rows).toEqual([{ parent_message_id: null }])
  })

  it('is refused where the organization is already', async () => {
    await expect(importInto(office, archive.path)).rejects.toThrow(
      `${filled.founder.organizationId} is in this office already`,
    )
  })

  it('is refused with a sentence, and nothing is stored, where the archive is hostile', async () => {
    const target = await openEmpty()
    const people = 'people/000001.jsonl'
    const files = 'attachments/000001.jsonl'
    const someone = `"id":${filled.member.id},`
    const key = [...archive.files.keys()].find((name) => name.startsWith('pictures/')) as string
    const personal = await fetchArchive(await exportOf(office, filled.member.browser, 'User'))
    const hostile: [string, string | RegExp][] = [
      [await replaced('archive.json', '"version": 1', '"version": 2'), 'this release reads version 1'],
      [await replaced('archive.json', 'atrium-archive', 'other'), 'no archive of Atrium'],
      [await replaced('archive.json', /"rows": \d+/, '"rows": 7'), 'the archive says 7'],
      [await replaced('archive.json', '"email"', '"email; drop"'), 'other chapters or columns'],
      [personal.path, 'of a person'],
      [await replaced(people, someone, `"id":${filled.member.id},"x":1,`), 'is no row of it'],
      [await replaced(people, '{', '[{'), 'not JSON'],
      [await replaced(people, /avatars\/\d+\/[0-9a-f-]{36}/, '../../../etc/passwd'), 'no picture of theirs'],
      [await replaced(files, /attachments\/\d+\/[0-9a-f-]{36}"/, '../../../etc/passwd"'), 'none of theirs'],
      [await replaced(people, /"identity_user_id":"user_/, '"identity_user_id":"*:'), 'no id of a person'],
      [
        await replaced('memberships/000001.jsonl', /"organization_id":\d+/, '"organization_id":99'),
        'another organization',
      ],
      [await replaced('memberships/000001.jsonl', '"admin"', '"owner"'), 'cannot be stored'],
      [
        await replaced(
          'memberships/000001.jsonl',
          `"user_id":${bot},"role":"member"`,
          `"user_id":${bot},"role":"admin"`,
        ),
        'no bot may be that',
      ],
      [await replaced('messages/000001.jsonl', /"sender_id":\d+/, '"sender_id":987654'), 'cannot be stored'],
      [await replaced('audit/000001.jsonl', /"request_id":"[^"]+"/, '"request_id":"x"'), 'look at entry'],
      [await forged((files) => files.set('pictures/avatars/1/x.png', Buffer.from('x'))), 'names the picture'],
      [await forged((files) => files.set(key, Buffer.from('<script>'))), 'is no picture'],
      [await forged((files) => files.set('more/000001.jsonl', Buffer.from('{}\n'))), 'does not belong'],
      [await forged((files) => files.delete(people)), 'has 0 rows'],
      [await forged((files) => files.delete('archive.json')), 'does not begin'],
    ]
    for (const [path, sentence] of hostile)
      await expect(importInto(target, path), String(sentence)).rejects.toThrow(sentence)
    const noArchive = join(folder, 'text')
    await writeFile(noArchive, 'no archive')
    await expect(importInto(target, noArchive)).rejects.toThrow('no archive of this kind')
    await expect(importInto(target, join(folder, 'nowhere'))).rejects.toThrow('ENOENT')
    const { rows } = await target.database.pool.query(
      'select (select count(*) from users) + (select count(*) from memberships) + (select count(*) from audit_entries) as count',
    )
    expect(rows).toEqual([{ count: '0' }])
    expect(
      (await readdir(target.dataDir, { recursive: true })).filter((name) => /passwd|script/.test(name)),
    ).toEqual([])
    // and the real one still fits
    await importInto(target, archive.path)
    await personal.remove()
  })
})
