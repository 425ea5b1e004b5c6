import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32, deflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chatterOf, openDm } from '../../../../tests/chapters/chat.ts'
import { type ChatScene, openChatScene } from '../../../../tests/chapters/chat-scene.ts'
import { atrium } from '../../../../tests/operator/command-line.ts'
import { auditOf, newMember } from '../../../../tests/people.ts'

let scene: ChatScene
let folder: string
beforeAll(async () => {
  scene = await openChatScene()
})
afterAll(() => scene.close())
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atrium-chat-import-'))
  return () => rm(folder, { recursive: true })
})

const run = (path: string, ...more: string[]) =>
  atrium(scene.office, ['chat', 'import', scene.founder.organizationId, path, ...more])

async function write(files: Record<string, unknown>): Promise<string> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(join(folder, name, '..'), { recursive: true })
    await writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  }
  return folder
}

let made = 0
/** A workspace of Slack with Ada, Ben and a colleague who is no member here; its channel has another id each time. */
function workspace(messages: Record<string, object[]>, channel = `C${++made}`) {
  const { ada, ben } = scene
  return {
    'users.json': [
      { id: 'U1', name: 'ada', profile: { email: ada.email.toUpperCase(), display_name: 'Ada' } },
      { id: 'U2', name: 'ben', profile: { email: ben.email, real_name: 'Ben' } },
      { id: 'U3', name: 'cy', profile: { email: 'cy@gone.example', real_name: 'Cy' } },
    ],
    'channels.json': [{ id: channel, name: `general-${channel}`, members: ['U1', 'U2', 'U3'] }],
    ...Object.fromEntries(
      Object.entries(messages).map(([day, list]) => [`general-${channel}/${day}.json`, list]),
    ),
  }
}
const said = (ts: string, user: string, text: string, more: object = {}) => ({
  ...{ type: 'message', ts, user, text },
  ...more,
})

/** What Ben reads of a conversation by its title. */
async function read(title: string | RegExp) {
  const { conversations } = await scene.ben.browser.call('listConversations', { limit: 100 })
  const found = conversations.filter((one) => new RegExp(title).test(one.title ?? ''))
  expect(found).toHaveLength(1)
  const [conversation] = found
  if (!conversation) throw new Error('not there')
  const { messages } = await scene.ben.browser.call('listMessages', {
    conversationId: conversation.conversationId,
    limit: 100,
  })
  return { conversation, messages }
}

describe('atrium chat import, of Slack', () => {
  it('brings a channel with its authors, times, threads, mentions and reactions, and is read', async () => {
    const { ada, ben } = scene
    const path = await write(
      workspace(
        {
          '2024-03-02': [
            said('1709337700.000100', 'U1', 'Later'),
            said('1709337600.000300', 'U2', 'Yes', { thread_ts: '1709251200.000100' }),
          ],
          '2024-03-01': [
            said('1709251200.000100', 'U1', 'Lunch, <@U2>?', {
              thread_ts: '1709251200.000100',
              reactions: [
                { name: '+1', users: ['U2', 'U3'] },
                { name: 'our_logo', users: ['U2'] },
              ],
              edited: { user: 'U1', ts: '1709251300.000000' },
            }),
            said('1709251201.000200', 'U3', 'From Cy', { files: [{ name: 'plan.png' }] }),
            said('1709251202.000200', 'U3', '<@U3> has joined', { subtype: 'channel_join' }),
          ],
        },
        'CLUNCH',
      ),
    )
    const printed = await run(path)
    expect(printed).toContain('Imported 4 messages of 1 conversations; 0 were here already.')
    expect(printed).toContain('people of the export 2 are members here, by their addresses, and 1 are not')
    expect(printed).toMatch(/1 notices .*\n?/)
    expect(printed).toContain('kinds of reactions that Unicode does not have, not imported: our_logo')
    const { conversation, messages } = await read('general-CLUNCH')
    expect(conversation).toMatchObject({ type: 'GROUP', unread: 0, mentioned: 0 })
    const [root, byCy, reply, later] = messages
    expect(root).toMatchObject({
      sender_id: Number(ada.id),
      content: `Lunch, <@${ben.id}>?`,
      created_at: '2024-03-01T00:00:00+00:00',
      is_edited: true,
      reply_count: 1,
      mentions: [ben.id],
      reactions: [{ emoji: '👍', count: 1, userIds: [ben.id], mine: true }],
    })
    expect(byCy).toMatchObject({ sender_id: 0, content: 'From Cy\n📎 plan.png', guest: { name: 'Cy' } })
    expect(reply).toMatchObject({ content: 'Yes', parent_message_id: root?.message_id })
    expect(later).toMatchObject({ content: 'Later', parent_message_id: null })
    expect(await auditOf(scene.founder)).toContainEqual(
      expect.objectContaining({
        action: 'chat.imported',
        detail: expect.objectContaining({ format: 'slack', conversations: 1, messages: 4 }),
      }),
    )
    const { hits } = await ben.browser.call('searchMessages', { query: 'From Cy' })
    expect(hits).toHaveLength(1)
  })

  it('says what it would do and writes nothing, and brings nothing twice', async () => {
    const path = await write(workspace({ '2024-01-01': [said('1704067200.000100', 'U1', 'One')] }, 'CTWICE'))
    expect(await run(path, '--dry-run')).toContain('Would import 1 messages of 1 conversations')
    const { conversations } = await scene.ben.browser.call('listConversations', { limit: 100 })
    expect(conversations.filter(({ title }) => title === 'general-CTWICE')).toEqual([])
    await run(path)
    await write({
      'general-CTWICE/2024-01-02.json': [
        said('1704153600.000100', 'U2', 'Two', { thread_ts: '1704067200.000100' }),
      ],
    })
    expect(await run(path)).toContain('Imported 1 messages of 1 conversations; 1 were here already.')
    expect(await run(path)).toContain('Imported 0 messages of 0 conversations; 2 were here already.')
    const { messages } = await read('general-CTWICE')
    expect(messages.map(({ content, reply_count }) => [content, reply_count])).toEqual([
      ['One', 1],
      ['Two', 0],
    ])
  })

  it('lets people who are members by now come to channels that were imported before, with what they wrote', async () => {
    const { founder, office, ben } = scene
    const joins = (email: string) => ({
      ...workspace({ '2024-01-01': [said('1704067200.000100', 'U9', 'Mine')] }, 'CJOIN'),
      'users.json': [
        { id: 'U2', name: 'ben', profile: { email: ben.email } },
        { id: 'U9', name: 'dora', profile: { email, display_name: 'Dora' } },
      ],
      'channels.json': [{ id: 'CJOIN', name: 'general-CJOIN', members: ['U2', 'U9'] }],
    })
    await run(await write(joins('dora@later.example')))
    expect((await read('general-CJOIN')).messages).toMatchObject([{ sender_id: 0, guest: { name: 'Dora' } }])
    const dora = await chatterOf(office, await newMember(office, founder, 'member'))
    const path = await write(joins(dora.email))
    expect(await run(path, '--dry-run')).toContain(
      '1 would come to conversations that were here, and 1 messages',
    )
    expect(
      await scene.shownTo(dora, (await read('general-CJOIN')).conversation.conversationId),
    ).toBeUndefined()
    expect(await run(path)).toContain('1 came to conversations that were here, and 1 messages became theirs.')
    const { conversation, messages } = await read('general-CJOIN')
    expect(messages).toMatchObject([{ sender_id: Number(dora.id), content: 'Mine' }])
    expect(messages[0]).not.toHaveProperty('guest')
    expect(await scene.shownTo(dora, conversation.conversationId)).toMatchObject({ unread: 0 })
    expect(await auditOf(founder)).toContainEqual(
      expect.objectContaining({ detail: expect.objectContaining({ joined: 1, given: 1, messages: 0 }) }),
    )
    expect(await run(path)).not.toContain('members since an earlier import')
  })

  it('puts nothing older behind what was written here since', async () => {
    const path = await write(workspace({ '2024-01-01': [said('1704067200.000100', 'U1', 'Old')] }, 'CGOES'))
    await run(path)
    const { conversation } = await read('general-CGOES')
    const { conversationId } = conversation
    await scene.ben.browser.call('sendMessage', { conversationId, content: 'New' })
    await write({ 'general-CGOES/2024-01-02.json': [said('1704153600.000100', 'U2', 'Older')] })
    const printed = await run(path)
    expect(printed).toContain('Imported 0 messages')
    expect(printed).toContain('1 older than what was written here since, not imported: general-CGOES')
    expect((await read('general-CGOES')).messages.map(({ content }) => content)).toEqual(['Old', 'New'])
  })

  it('does not bring back what retention or an erasure has removed, and brings what is new', async () => {
    const early = [said('1704067200.000100', 'U1', 'Gone'), said('1704067300.000100', 'U2', 'Kept')]
    await run(await write(workspace({ '2024-01-01': early }, 'CGONE')))
    await scene.office.database.pool.query(`delete from messages where content = 'Gone'`)
    const later = { '2024-01-01': early, '2024-01-02': [said('1704153600.000100', 'U1', 'New')] }
    const printed = await run(await write(workspace(later, 'CGONE')))
    expect(printed).toContain('Imported 1 messages')
    expect(printed).toContain('1 older than what was written here since, not imported: general-CGONE')
    expect((await read('general-CGONE')).messages.map(({ content }) => content)).toEqual(['Kept', 'New'])
  })

  it('tells no member: no event, no push, no unread message', async () => {
    const listener = await scene.listen(scene.ben)
    const path = await write(workspace({ '2024-01-01': [said('1704067200.000100', 'U1', 'Hi <@U2>')] }))
    await run(path)
    const conversationId = await openDm(scene.ada, scene.ben)
    await scene.ada.browser.call('sendMessage', { conversationId, content: 'Last' })
    await expect.poll(() => listener.heard('message.created')).toMatchObject([{ content: 'Last' }])
    expect(listener.heard('conversation.joined')).toEqual([])
  })

  it('keeps to messages of threads that lead in a circle, to themselves or to nothing', async () => {
    const printed = await run(
      await write(
        workspace(
          {
            '2024-01-01': [
              said('1704067200.000001', 'U1', 'A', { thread_ts: '1704067200.000002' }),
              said('1704067200.000002', 'U1', 'B', { thread_ts: '1704067200.000001' }),
              said('1704067200.000003', 'U1', 'C', { thread_ts: '1600000000.000001' }),
              said('1704067200.000003', 'U1', 'C again'),
              said('1704067200.000004', 'U1', 'D', { thread_ts: '1704067200.000004' }),
              { type: 'message', text: 'no time' },
              said('1e999', 'U1', 'no time either'),
              said('1704067200.000005', 'U1', 'x'.repeat(70_000)),
              said('1704067200.000006', 'U1', 'y'.repeat(4_001)),
              null as never,
            ],
            '2024-01-02': 'not a list' as never,
          },
          'CCIRCLE',
        ),
      ),
    )
    expect(printed).toContain('Imported 6 messages of 1 conversations')
    expect(printed).toContain('2 answer a message that is not in the export')
    expect(printed).toContain('1 twice in the export')
    expect(printed).toContain('2 without a time')
    expect(printed).toContain('1 too long, not imported: general-CCIRCLE, 1704067200.000005')
    expect(printed).toContain('1 longer than 4,000 characters, divided')
    expect(printed).toContain('1 could not be read: general-CCIRCLE/2024-01-02.json')
    const { messages } = await read('general-CCIRCLE')
    const [a, b] = messages
    expect(messages.map(({ content }) => content.slice(0, 1))).toEqual(['A', 'B', 'C', 'D', 'y', 'y'])
    expect([a?.parent_message_id, b?.parent_message_id]).toEqual([null, a?.message_id])
  })

  it('makes the conversation of two theirs, and a group where they have written here already', async () => {
    const { ada, ben } = scene
    const dms = (id: string) => ({
      ...workspace({}),
      'dms.json': [{ id, members: ['U1', 'U2'] }],
      [`${id}/2024-01-01.json`]: [said('1704067200.000100', 'U1', `Hello of ${id}`)],
    })
    const conversationId = await openDm(ada, ben)
    await ada.browser.call('sendMessage', { conversationId, content: 'Here' })
    await run(await write(dms('D1')))
    expect((await read(/^Ada, Ben$/)).messages).toMatchObject([{ content: 'Hello of D1' }])
  })

  it('leaves out conversations of which no member is here', async () => {
    const path = await write({
      ...workspace({}, 'CNONE'),
      'groups.json': [{ id: 'G1', name: 'secret', members: ['U3'] }],
      'secret/2024-01-01.json': [said('1704067200.000100', 'U3', 'Nobody')],
    })
    expect(await run(path)).toContain('1 conversations of which no member is here, not imported: secret')
  })

  it('follows no link out of its folder, and refuses what is no export', async () => {
    const path = await write({ 'notes.txt': 'hello' })
    await expect(run(path)).rejects.toThrow('This is no export')
    await expect(run(join(path, 'missing'))).rejects.toThrow('There is nothing at')
    await symlink('/etc/passwd', join(path, 'users.json'))
    await expect(run(path)).rejects.toThrow('This is no export')
    await rm(join(path, 'users.json'))
    await expect(run(await write({ 'users.json': '{"a": 1}' }))).rejects.toThrow('is not the list')
    await expect(atrium(scene.office, ['chat', 'import', 'org_none', path])).rejects.toThrow(
      'There is no organization',
    )
  })

  it('reads a ZIP, and refuses one that names places outside of it or is broken', async () => {
    const files = workspace({ '2024-01-01': [said('1704067200.000100', 'U1', 'Zipped')] }, 'CZIP')
    const entries = Object.entries(files).map(([name, content]) => [name, JSON.stringify(content)] as const)
    const path = join(folder, 'export.zip')
    await writeFile(path, zipOf(entries))
    expect(await run(path)).toContain('Imported 1 messages of 1 conversations')
    await writeFile(path, zipOf([...entries, ['../../outside.json', '[]']]))
    await expect(run(path)).rejects.toThrow('The ZIP cannot be read')
    await writeFile(path, zipOf(entries).subarray(0, 200))
    await expect(run(path)).rejects.toThrow('The ZIP cannot be read')
  })
})

describe('atrium chat import, of Mattermost', () => {
  const line = (type: string, content: object) => JSON.stringify({ type, [type]: content })
  const people = () => [
    line('channel', { team: 'core', name: 'town', display_name: 'Town', type: 'O' }),
    ...[
      ['ada', scene.ada.email],
      ['ben', scene.ben.email],
    ].map(([username, email]) =>
      line('user', { username, email, teams: [{ name: 'core', channels: [{ name: 'town' }] }] }),
    ),
  ]

  it('brings channels and direct messages, with replies in the order of their moments', async () => {
    const { ben } = scene
    const path = join(folder, 'bulk.jsonl')
    const at = 1_704_067_200_000
    await writeFile(
      path,
      [
        '{"type":"version","version":1}',
        ...people(),
        line('post', {
          ...{
            team: 'core',
            channel: 'town',
            user: 'ada',
            create_at: at,
            message: 'Hello @ben. <@1> @nobody',
          },
          reactions: [{ user: 'ben', emoji_name: 'tada', create_at: at }],
          replies: [{ user: 'ben', message: 'Reply', create_at: at + 5_000 }],
        }),
        line('post', {
          team: 'core',
          channel: 'town',
          user: 'ben',
          message: 'Between :tada: `:tada:`',
          create_at: at + 1_000,
        }),
        line('post', {
          team: 'core',
          channel: 'town',
          user: 'ben',
          type: 'system_join_channel',
          create_at: at,
        }),
        `{"type":"post","post":{"message":"${'x'.repeat(17 * 1024 * 1024)}"}}`,
        'no JSON',
        '',
        line('post', { team: 'core', channel: 'town', user: 'ben', message: 'Last', create_at: at + 9_000 }),
      ].join('\n'),
    )
    const printed = await run(path)
    expect(printed).toContain('Imported 4 messages of 1 conversations')
    expect(printed).toContain('1 too long, not imported: line 8')
    expect(printed).toContain('1 could not be read: line 9')
    const { messages } = await read('^Town$')
    expect(messages.map(({ content }) => content)).toEqual([
      ...[`Hello <@${ben.id}>. @1> @nobody`, 'Between 🎉 `:tada:`', 'Reply', 'Last'],
    ])
    expect(messages[0]).toMatchObject({ reply_count: 1, reactions: [{ emoji: '🎉' }] })
    expect(messages[2]?.parent_message_id).toBe(messages[0]?.message_id)
    expect(await run(path)).toContain('Imported 0 messages of 0 conversations; 4 were here already.')
  })

  it('tells apart what one author wrote in one millisecond, with its answers, whenever it is imported', async () => {
    const path = join(folder, 'twins.jsonl')
    const at = 1_704_067_200_000
    const of = { team: 'core', channel: 'twins', user: 'ada', create_at: at }
    const reply = { user: 'ben', message: 'To', create_at: at + 1 }
    await writeFile(
      path,
      [
        ...people().map((one) => one.replaceAll('town', 'twins').replace('Town', 'Twins')),
        line('post', { ...of, message: 'First' }),
        line('post', { ...of, message: 'Second', replies: [reply, { ...reply, message: 'To, again' }] }),
        line('post', { ...of, message: 'Third', replies: [reply] }),
        line('post', { ...of, message: 'First', replies: [reply] }),
      ].join('\n'),
    )
    const printed = await run(path)
    expect(printed).toContain('Imported 8 messages of 1 conversations')
    const { messages } = await read('^Twins$')
    const contentOf = (id: number | null) => messages.find(({ message_id }) => message_id === id)?.content
    expect(messages.map(({ content, parent_message_id }) => [content, contentOf(parent_message_id)])).toEqual(
      [
        ...['First', 'Second', 'Third', 'First'].map((content) => [content, undefined]),
        ...[
          ['To', 'Second'],
          ['To, again', 'Second'],
          ['To', 'Third'],
          ['To', 'First'],
        ],
      ],
    )
    expect(messages.at(-1)?.parent_message_id).toBe(messages[3]?.message_id)
    expect(await run(path)).toContain('Imported 0 messages of 0 conversations; 8 were here already.')
  })
})

/** A ZIP of these files, compressed. */
function zipOf(files: readonly (readonly [name: string, content: string])[]): Buffer {
  const [parts, directory]: [Buffer[], Buffer[]] = [[], []]
  let offset = 0
  for (const [name, content] of files) {
    const [bytes, packed, path] = [Buffer.from(content), deflateRawSync(content), Buffer.from(name)]
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(20, 0)
    facts.writeUInt16LE(0x800, 2)
    facts.writeUInt16LE(8, 4)
    facts.writeUInt32LE(crc32(bytes), 10)
    facts.writeUInt32LE(packed.length, 14)
    facts.writeUInt32LE(bytes.length, 18)
    facts.writeUInt16LE(path.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), facts, path, packed])
    const where = Buffer.alloc(14)
    where.writeUInt32LE(offset, 10)
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), facts, where, path]))
    parts.push(local)
    offset += local.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, listed, end])
}
