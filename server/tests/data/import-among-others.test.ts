import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { archiveChapters } from '../../src/compose/from-features/archive-chapters.ts'
import { type Numbered, numbersOf } from '../../src/directory/archive-chapter.ts'
import { makeKeyRing } from '../../src/platform/secrets/sealed-column.ts'
import { Secret } from '../../src/platform/secrets/secret.ts'
import { shownAt, untilImagesAreChecked } from '../chapters/uploads.ts'
import { openTestOffice, type TestOffice } from '../office.ts'
import { atrium } from '../operator/command-line.ts'
import { newMember, newPerson, type Person, signInAgain } from '../people.ts'
import {
  exportOf,
  type FilledOrganization,
  fetchArchive,
  filledOrganization,
  type ReadArchive,
} from './archives.ts'

const CHAPTERS = archiveChapters({
  invitationRing: makeKeyRing('tests', new Secret('0123456789'.repeat(4))),
})
/** What an import of its own makes: entries of the trail, and what the DNS is asked anew. */
const OWN = /^(audit|audit-head|domains|tokens|webhooks)$/

describe('importOrganization, into an office with people', () => {
  let source: TestOffice
  let target: TestOffice
  let filled: FilledOrganization
  let others: FilledOrganization
  let shared: Person
  let archive: ReadArchive
  let before: ReadArchive
  let again: ReadArchive
  let said: string
  const importInto = (path: string) =>
    atrium(target, ['organization', 'import', path], { settings: { DATA_DIR: target.dataDir } })

  beforeAll(async () => {
    ;[source, target] = await Promise.all([openTestOffice(), openTestOffice()])
    await Promise.all([source, target].map(untilImagesAreChecked))
    filled = await filledOrganization(source, 'Same name')
    others = await filledOrganization(target, 'Same name')
    // the same numbers in both offices, and the same person
    expect(others.member.id).toBe(filled.member.id)
    shared = await newMember(target, others.founder, 'member', await newPerson(target, filled.member.email))
    await writeMore(source, filled)
    before = await fetchArchive(await exportOf(target, others.founder.browser, 'Organization'))
    archive = await fetchArchive(await exportOf(source, filled.founder.browser, 'Organization'))
    said = await importInto(archive.path)
    const { browser } = await signInAgain(target, filled.founder.email)
    again = await fetchArchive(await exportOf(target, browser, 'Organization'))
  })
  afterAll(async () => {
    await Promise.all([archive, before, again].map((one) => one.remove()))
    await Promise.all([source.close(), target.close()])
  })

  /** By how much the numbers of each kind are higher here. */
  function shifts(): Map<Numbered, number> {
    const first = (read: ReadArchive, chapter: string, column: string) =>
      Number(read.rows(chapter)[0]?.[column])
    const shift = (chapter: string, column: string) =>
      first(again, chapter, column) - first(archive, chapter, column)
    return new Map([
      ['organizations', shift('organization', 'id')],
      ['users', shift('people', 'id')],
      ['conversations', shift('conversations', 'conversation_id')],
      ['messages', shift('messages', 'message_id')],
      ['attachments', shift('attachments', 'attachment_id')],
    ])
  }

  it('has everything that the archive has, under other numbers', () => {
    expect(said).toContain('1 of its people have an account here already')
    const by = shifts()
    for (const shift of by.values()) expect(shift).toBeGreaterThan(0)
    const [organization, users] = [by.get('organizations') ?? 0, by.get('users') ?? 0]
    const compared = CHAPTERS.filter((chapter) => chapter.organization && !OWN.test(chapter.name))
    for (const chapter of compared) {
      const expected = archive.rows(chapter.name).map((row) => {
        const next: Record<string, unknown> = { ...row }
        for (const [column, numbered] of numbersOf(chapter))
          if (next[column] !== null) next[column] = Number(row[column]) + (by.get(numbered) ?? Number.NaN)
        const text = JSON.stringify(next)
          .replace('<@987654321>', '@987654321')
          .replaceAll(/<@(\d+)>/g, (_, id) => `<@${Number(id) + users}>`)
          .replaceAll(/avatars\/(\d+)/g, (_, id) => `avatars/${Number(id) + users}`)
          .replaceAll(/attachments\/(\d+)/g, (_, id) => `attachments/${Number(id) + organization}`)
          .replaceAll(/"identity":"(\d+)"/g, (_, id) => `"identity":"${Number(id) + users}"`)
        return JSON.parse(text) as Record<string, unknown>
      })
      const own = expected.find(({ email }) => email === filled.member.email)
      if (own && chapter.name === 'people')
        Object.assign(own, { email: `waiting-${own.id}@imported.invalid`, email_verified_at: null })
      expect(again.rows(chapter.name), chapter.name).toEqual(expected)
    }
    expect(again.rows('recordings')).toHaveLength(1)
    expect(
      again.rows('messages').some(({ content }) => /^<@\d+> and nobody @987654321$/.test(String(content))),
    ).toBe(true)
    expect(again.rows('messages').some(({ parent_message_id: parent }) => parent !== null)).toBe(true)
    for (const [name, bytes] of archive.files)
      if (/^(pictures|files)\//.test(name))
        expect(
          [...again.files.values()].some((other) => other.equals(bytes)),
          name,
        ).toBe(true)
  })

  it('leaves who was here before as they were', async () => {
    const after = await fetchArchive(await exportOf(target, others.founder.browser, 'Organization'))
    for (const [name, bytes] of before.files)
      if (!/^(archive\.json|checksums\.json|audit|audit-head)/.test(name))
        expect(after.files.get(name)?.equals(bytes), name).toBe(true)
    expect([...after.files.keys()]).toEqual([...before.files.keys()])
    await after.remove()
    const { organizationMemberships } = await shared.browser.call('getCurrentUser')
    expect(JSON.stringify(organizationMemberships)).not.toContain(filled.founder.organizationId)
  })

  it('has the audit trail, chained anew, of which every entry says what it said', async () => {
    expect(await atrium(target, ['organization', 'verify-audit', filled.founder.organizationId])).toContain(
      'is whole',
    )
    const users = shifts().get('users') ?? 0
    const [was, is] = [archive.rows('audit'), again.rows('audit').slice(0, archive.rows('audit').length)]
    expect(is.map(({ action, at, personal }) => [action, at, personal])).toEqual(
      was.map(({ action, at, personal }) => [action, at, personal]),
    )
    const people = (rows: typeof was, shift: number) =>
      rows.map(({ actor_user_id: actor, target_kind: kind, target_id: target }) => [
        actor === null ? null : Number(actor) + shift,
        kind === 'user' ? Number(target) + shift : kind,
      ])
    expect(people(is, 0)).toEqual(people(was, users))
    expect(is.map(({ hash }) => hash)).not.toContain(was[0]?.hash)
    // of tokens that did not come along the numbers lead to none of this office
    const { rows } = await target.database.pool.query('select id::int from bearer_tokens')
    for (const { target_kind: kind, target_id: id } of is)
      if (kind === 'service-token') expect(rows.map((row) => row.id)).not.toContain(Number(id))
  })

  it('shows pictures and files to its people', async () => {
    const { browser } = await signInAgain(target, filled.founder.email)
    const { hits } = await browser.call('searchMessages', { query: 'plan', has: 'file' })
    const [plan] = hits.map(({ message }) => message.attachments[0])
    const { url } = await browser.call('getAttachment', { attachmentId: plan?.id ?? '', preview: false })
    expect((await shownAt(target, url)).status).toBe(200)
  })

  it('hands a person over to the account of their address, once its owner has signed in by a code', async () => {
    const { pool } = target.database
    const { rows: apart } = await pool.query<{ id: string }>('select user_id as id from imported_accounts')
    const account = apart[0]?.id as string
    const { browser: founder } = await signInAgain(target, filled.founder.email)
    const listed = await founder.call('listMembers', {})
    expect(JSON.stringify(listed)).not.toContain(shared.email)
    const { browser, user } = await signInAgain(target, shared.email)
    const pendingAuthenticationToken =
      'pendingAuthenticationToken' in user ? user.pendingAuthenticationToken : ''
    const { organizationId } = filled.founder
    await browser.call('selectOrganization', { pendingAuthenticationToken, organizationId })
    const { id, organizationMemberships } = await browser.call('getCurrentUser')
    expect(id).toBe(shared.id)
    expect(organizationMemberships).toHaveLength(2)
    const { conversations } = await browser.call('listConversations')
    const { id: peer } = await founder.call('getCurrentUser')
    const dm = conversations.find(({ peerUserId }) => peerUserId === peer)
    const { messages } = await browser.call('listMessages', { conversationId: dm?.conversationId as number })
    expect(messages.map(({ content }) => content)).toContain(`<@${shared.id}> and nobody @987654321`)
    // the audit trail stays as it was written; nothing else knows the account apart
    for (const chapter of CHAPTERS.filter((one) => one.organization && one.table !== 'audit_entries'))
      for (const column of chapter.organization?.people ?? []) {
        const { rowCount } = await pool.query(`select from ${chapter.table} where ${column} = $1`, [account])
        expect(rowCount, `${chapter.table}.${column}`).toBe(0)
      }
    const { rows: films } = await pool.query(
      `select transcript::text || chapters::text as said from recordings where started_by = $1`,
      [shared.id],
    )
    expect(films[0].said).not.toContain(account)
    expect(films[0].said).toContain(`"identity": "${shared.id}"`)
    const trail = (await founder.call('listAuditLog', {})).data
    const joined = trail.find(({ action }) => action === 'member.joined')
    expect(joined).toMatchObject({ target: { id: shared.id }, detail: { way: 'import', before: account } })
    expect(await atrium(target, ['organization', 'verify-audit', filled.founder.organizationId])).toContain(
      'is whole',
    )
  })

  it('changes nothing the second time, and is refused from another archive', async () => {
    const repeated = await importInto(archive.path)
    expect(repeated).toContain('nothing was done now')
    expect(/Receipt.*/.exec(repeated)?.[0]).toBe(/Receipt.*/.exec(said)?.[0])
    await expect(importInto(again.path)).rejects.toThrow(
      `${filled.founder.organizationId} is in this office already`,
    )
  })
})

/** Mentions, an answer, and a recording with words of a person. */
async function writeMore(office: TestOffice, { founder, member, room }: FilledOrganization): Promise<void> {
  const { browser } = founder
  const { conversations } = await browser.call('listConversations')
  const conversationId = conversations.find(({ peerUserId }) => peerUserId === member.id)
    ?.conversationId as number
  const content = `<@${member.id}> and nobody <@987654321>`
  const { message_id: parentMessageId } = await browser.call('sendMessage', { conversationId, content })
  await browser.call('sendMessage', { conversationId, content: 'an answer', parentMessageId })
  const speaker = JSON.stringify([{ identity: member.id, from: 0, to: 1, text: 'hello' }])
  const chapters = JSON.stringify([{ identity: member.id, at: 0, kind: 'entered' }])
  await office.database.pool.query(
    `insert into recordings (id, organization_id, room_id, state, conference_topic, zone_id, participants, started_by,
        requested_at, ended_at, file_key, chapters, transcript)
      select gen_random_uuid(), o.id, $1, 'completed', 'Plan', 'zone', '', $2, now(), now(),
        'recordings/' || $3 || '/' || gen_random_uuid() || '.mp4', $4, $5
      from organizations o where o.identity_organization_id = $3`,
    [room.id, member.id, founder.organizationId, chapters, speaker],
  )
}
