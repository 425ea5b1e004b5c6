import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Chatter,
  chatterOf,
  conversationOf,
  openGroup,
  sendMany,
} from '../../../../tests/chapters/chat.ts'
import { asRole, claimsIn } from '../../../../tests/chapters/chat-role.ts'
import { type ChatScene, openChatScene } from '../../../../tests/chapters/chat-scene.ts'
import { newMember } from '../../../../tests/people.ts'

let scene: ChatScene
beforeAll(async () => {
  scene = await openChatScene()
  await sendMany(scene.office, scene.ada, scene.conversation, [
    'The quarterly report is ready',
    'Reports of the reporters: quarterly, quarterly',
    "Straße und Müller, pipe | & ! : * \\ ' wildcards",
  ])
  await sendMany(scene.office, scene.ben, scene.conversation, ['I have read the report'])
})
afterAll(() => scene.close())

async function found(person: Chatter, query: string, more: object = {}): Promise<string[]> {
  const { hits } = await person.browser.call('searchMessages', { query, ...more })
  return hits.map(({ message }) => message.content)
}

describe('searchMessages', () => {
  it('finds all words, as they are written, as beginnings and by their stems', async () => {
    const { ada, ben } = scene
    expect(await found(ben, 'quarterly report')).toEqual([
      'Reports of the reporters: quarterly, quarterly',
      'The quarterly report is ready',
    ])
    expect(await found(ben, 'REPORTING')).toHaveLength(3)
    expect(await found(ben, 'quart')).toHaveLength(2)
    expect(await found(ben, 'quarterly absent')).toEqual([])
    expect(await found(ben, 'straße')).toHaveLength(1)
    // what the index knows of a message besides its words is no word
    expect(await found(ben, 'conversation')).toEqual([])
    expect(await found(ben, 'conv')).toEqual([])
    expect(await found(ada, 'report', { userId: ben.id })).toEqual(['I have read the report'])
  })

  it('has whole words first however far apart they stand, on pages too', async () => {
    const { ada, ben, conversation } = await conversationOf(scene.office)
    const far = (number: number) => `${number} zulu ${'filler '.repeat(250)} yankee ${'filler '.repeat(250)}`
    await sendMany(scene.office, ada, conversation, [far(1), far(2), 'xzulux xyankeex', far(3)])
    const query = 'zulu yankee'
    const whole = (await found(ben, query)).map((content) => content.split(' ')[0])
    expect(whole).toEqual(['3', '2', '1', 'xzulux'])
    const paged: (string | undefined)[] = []
    let cursor: string | null = null
    do {
      const page: { hits: { message: { content: string } }[]; cursor: string | null } =
        await ben.browser.call('searchMessages', { query, limit: 1, ...(cursor ? { cursor } : {}) })
      paged.push(...page.hits.map(({ message }) => message.content.split(' ')[0]))
      cursor = page.cursor
    } while (cursor)
    expect(paged).toEqual(whole)
  })

  it('finds parts of words, of scripts without spaces too, after whole words', async () => {
    const { ada, ben, conversation } = await conversationOf(scene.office)
    const texts = [
      'Planung',
      'Die Besprechungsraumplanung',
      '明日の会議は十時です',
      '100%ig_er',
      'schlafen am Plan',
    ]
    await sendMany(scene.office, ada, conversation, texts)
    expect(await found(ben, 'planung')).toEqual(['Planung', 'Die Besprechungsraumplanung'])
    expect(await found(ben, 'RAUM sprech')).toEqual(['Die Besprechungsraumplanung'])
    expect(await found(ben, '会議')).toEqual(['明日の会議は十時です'])
    expect(await found(ben, '議 十時')).toEqual(['明日の会議は十時です'])
    expect(await found(ben, 'la')).toEqual([])
    expect(await found(ben, 'https://a.example/r_ump')).toEqual([])
    const { hits } = await ben.browser.call('searchMessages', { query: 'RAUM sprech' })
    expect(hits.map(({ highlights }) => highlights)).toEqual([
      [
        { from: 6, to: 12 },
        { from: 16, to: 20 },
      ],
    ])
  })

  it('says where it was found', async () => {
    const { hits } = await scene.ben.browser.call('searchMessages', { query: 'quarterly ready' })
    expect(
      hits.map(({ message: { content }, highlights }) =>
        highlights.map(({ from, to }) => content.slice(from, to)),
      ),
    ).toEqual([['quarterly', 'ready']])
  })

  it.each([
    '&',
    '|',
    '!',
    '*:*',
    "'",
    '\\',
    ':*',
    '()',
    '<->',
    '%',
    '   ',
    '\u0000x'.slice(1),
    "a' | 'b",
    '*'.repeat(200),
  ])('takes any text for words: %s', async (query) => {
    expect((await scene.ada.browser.request('searchMessages', { query })).status).toBe(200)
  })

  it('refuses a query that is too long, and a cursor that is none', async () => {
    const { ada } = scene
    for (const input of [
      { query: '*'.repeat(4_000) },
      { query: 'x', cursor: 'x' },
      { query: 'x', userId: 'a' },
    ])
      expect((await ada.browser.request('searchMessages', input)).status).toBe(400)
  })

  it('pages without losing or doubling a hit', async () => {
    const { ada, ben } = await conversationOf(scene.office)
    const group = await openGroup(ada, [ben])
    const said = Array.from({ length: 7 }, (_, at) => `pigeon ${'pigeon '.repeat(at % 3)}${at}`)
    await sendMany(scene.office, ada, group, said)
    const seen: string[] = []
    let cursor: string | null | undefined
    do {
      const page = await ben.browser.call('searchMessages', {
        query: 'pigeon',
        limit: 2,
        ...(cursor ? { cursor } : {}),
      })
      seen.push(...page.hits.map(({ message }) => message.content))
      cursor = page.cursor
    } while (cursor)
    expect(seen).toHaveLength(7)
    expect([...seen].sort()).toEqual([...said].sort())
  })

  it('narrows by conversation and time', async () => {
    const { ada, ben, conversation } = scene
    const group = await openGroup(ada, [ben])
    await sendMany(scene.office, ada, group, ['report of the group'])
    expect(await found(ben, 'report', { conversationId: group })).toEqual(['report of the group'])
    expect(await found(ben, 'report', { conversationId: conversation })).not.toContain('report of the group')
    const soon = new Date(Date.now() + 86_400_000).toISOString()
    expect(await found(ben, 'report', { from: soon })).toEqual([])
    expect(await found(ben, 'report', { to: soon })).toHaveLength(4)
    const unknown = await ben.browser.request('searchMessages', {
      query: 'report',
      conversationId: 987_654_321,
    })
    expect(unknown).toMatchObject({ status: 404, body: { error: 'conversation-not-found' } })
  })

  it('finds no former text after an edit or a deletion', async () => {
    const { ada, ben, conversation: conversationId } = await conversationOf(scene.office)
    const { message_id: messageId } = await ada.browser.call('sendMessage', {
      conversationId,
      content: 'zebra',
    })
    await ada.browser.call('editMessage', { messageId, content: 'okapi' })
    expect(await found(ben, 'zebra')).toEqual([])
    expect(await found(ben, 'okapi')).toEqual(['okapi'])
    await ada.browser.call('deleteMessage', { messageId })
    expect(await found(ben, 'okapi')).toEqual([])
    const { rows } = await scene.office.database.pool.query(
      'select from message_words where message_id = $1',
      [messageId],
    )
    expect(rows).toEqual([])
  })

  it('finds exactly what row security shows, and nothing for who has left', async () => {
    const { ada, ben, founder } = await conversationOf(scene.office)
    const cleo = await chatterOf(scene.office, await newMember(scene.office, founder, 'member'))
    const groups = [await openGroup(ada, [ben]), await openGroup(ada, [cleo]), await openGroup(ben, [cleo])]
    for (const [at, person] of [ada, cleo, ben].entries())
      await sendMany(scene.office, person, groups[at] as number, [`walrus ${at}`])
    for (const person of [ada, ben, cleo]) {
      const shown = await asRole(scene.office, claimsIn(person.token), async (client) => {
        const { rows } = await client.query(
          `select content from messages where content like 'walrus%' order by 1`,
        )
        return rows.map(({ content }) => content)
      })
      expect((await found(person, 'walrus')).sort()).toEqual(shown)
      expect(shown).toHaveLength(2)
    }
    await founder.browser.call('removeMember', { id: cleo.id })
    const afterwards = await asRole(scene.office, claimsIn(cleo.token), async (client) => {
      const { rows } = await client.query(
        `select search_messages('walrus', null, null, null, null, 10, null, null, false) as hits`,
      )
      return rows[0].hits
    })
    expect(afterwards).toEqual([])
  })

  it('reads stems in the language of the organization', async () => {
    const { ada, ben, founder, conversation } = await conversationOf(scene.office)
    await founder.browser.call('updateOrganizationSettings', { language: 'de' })
    await sendMany(scene.office, ada, conversation, ['Die Häuser werden gestrichen'])
    expect(await found(ben, 'Haus')).toEqual(['Die Häuser werden gestrichen'])
  })
})
