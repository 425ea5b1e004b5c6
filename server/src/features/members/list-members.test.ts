import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { picture, upload } from '../../../tests/chapters/uploads.ts'
import { vacuum } from '../../../tests/data/vacuumed.ts'
import { freshEmail, openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { linkTokenOf, newFounder, newMember, newPerson, type Person } from '../../../tests/people.ts'
import { EVERYBODY } from '../../directory/members/search-members.ts'

describe('listMembers', () => {
  let office: TestOffice
  let founder: Awaited<ReturnType<typeof newFounder>>
  const people: Record<string, Person> = {}
  beforeAll(async () => {
    office = await openTestOffice()
    founder = await newFounder(office)
    await founder.browser.call('updateProfile', { displayName: 'Zoë Founder' })
    const inviteToken = await linkTokenOf(founder)
    for (const name of ['Ada Lovelace', 'Bob 100%', 'Çelik Öztürk', 'under_score', 'back\\slash']) {
      const person = await newPerson(office, freshEmail(`p${Object.keys(people).length}`))
      await person.browser.call('updateProfile', { displayName: name })
      await person.browser.call('joinOrganization', { inviteToken })
      people[name] = person
    }
    const foreign = await newFounder(office)
    await foreign.browser.call('updateProfile', { displayName: 'Ada Foreign' })
  })
  afterAll(() => office.close())

  async function found(query: string): Promise<string[]> {
    const { data, page } = await founder.browser.call('listMembers', { query, limit: 20, offset: 0 })
    expect(page.total).toBe(data.length)
    return data.map(({ displayName }) => displayName)
  }

  it('refuses a query that no name can hold', async () => {
    for (const query of ['\u0000', 'a\u0000b']) {
      const answer = await founder.browser.request('listMembers', { query })
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 400, error: 'invalid-input', details: [{ field: 'query' }] },
      })
    }
  })

  it('finds an address of an international domain as people write it', async () => {
    const admin = await newFounder(office)
    const email = freshEmail().replace(/@.*/, '@b\u00fccher.example')
    const stored = email.replace(/@.*/, '@xn--bcher-kva.example')
    const person = await newMember(office, admin, 'member', await newPerson(office, stored))
    await person.browser.call('updateProfile', { displayName: 'M\u00fcllerin' })
    for (const query of [
      email,
      email.toUpperCase(),
      'b\u00fccher',
      'B\u00dcCHER.exam',
      '@b\u00fccher.',
      'xn--bcher',
    ])
      for (const more of [{}, { presence: 'offline' as const }])
        expect((await admin.browser.call('listMembers', { query, ...more })).data, query).toMatchObject([
          { id: person.id },
        ])
    // the name too, by the text as it is
    expect((await admin.browser.call('listMembers', { query: 'm\u00fcller' })).data).toHaveLength(1)
    expect((await admin.browser.call('listMembers', { query: 'b\u00fccherei' })).data).toEqual([])
  })

  it('shows the avatar and the status that others see', async () => {
    const admin = await newFounder(office)
    const member = await newMember(office, admin, 'member')
    const tmpKey = await upload(office, member.browser, await picture('png'))
    const { avatarUrl } = await member.browser.call('finalizeAvatarUpload', { tmpKey })
    const shown = async () => {
      const { data } = await admin.browser.call('listMembers', { query: member.email })
      return data.map((one) => [one.id, one.avatarUrl, one.presenceStatus])
    }
    for (const [status, seen] of [
      ['busy', 'busy'],
      ['appear_offline', 'offline'],
    ] as const) {
      await member.browser.call('setPresenceStatus', { status })
      expect(await shown()).toEqual([[member.id, avatarUrl, seen]])
    }
    await member.browser.call('setPresenceStatus', { status: 'away' })
    const changed = await admin.browser.call('updateMember', { id: member.id, role: 'moderator' })
    expect(changed).toMatchObject({ avatarUrl, presenceStatus: 'away' })
  })

  it('shows everybody by name, in the shape of a page', async () => {
    const page = await founder.browser.call('listMembers')
    expect(page.page).toEqual({ limit: 20, offset: 0, total: 6 })
    expect(page.data.map(({ displayName }) => displayName)).toEqual([
      'Ada Lovelace',
      'back\\slash',
      'Bob 100%',
      'Çelik Öztürk',
      'under_score',
      'Zoë Founder',
    ])
    expect(page.data[5]).toEqual({
      id: founder.id,
      displayName: 'Zoë Founder',
      avatarUrl: '',
      email: founder.email,
      role: 'admin',
      presenceStatus: 'offline',
      presenceUserId: expect.stringMatching(/^user_/),
    })
  })

  it.each([
    ['ada l', ['Ada Lovelace']],
    ['LOVE', ['Ada Lovelace']],
    ['ÖZTÜRK', ['Çelik Öztürk']],
    ['çel', ['Çelik Öztürk']],
    ['O\u0308zt', ['Çelik Öztürk']],
    ['100%', ['Bob 100%']],
    ['%', ['Bob 100%']],
    ['_', ['under_score']],
    ['\\', ['back\\slash']],
    ['nobody at all', []],
    ["' or 1=1 --", []],
    ['ada ', ['Ada Lovelace']],
    ['  ada l ', []],
    ['ada lovelace\n', []],
  ])('finds %j in names, in any case, with no wildcards', async (query, names) => {
    expect(await found(query)).toEqual(names)
  })

  it('finds parts of addresses', async () => {
    const { email } = people['Ada Lovelace'] as Person
    expect(await found(email.toUpperCase())).toEqual(['Ada Lovelace'])
    expect(await found(email.slice(3, 9))).toEqual(['Ada Lovelace'])
    expect(await found('@people.example')).toHaveLength(6)
  })

  it('finds its own among more people of the office than are looked at first', async () => {
    const admin = await newFounder(office)
    await admin.browser.call('updateProfile', { displayName: 'Crowded Founder' })
    const ask = (query: string) => admin.browser.call('listMembers', { query })
    await office.database.pool.query(`
      insert into users (identity_user_id, email, display_name, created_at, updated_at)
      select 'user_crowd' || n, 'crowd' || n || '@elsewhere.example', 'Crowded ' || n, now(), now()
      from generate_series(1, 1001) n`)
    const { data, page } = await ask('crowded')
    expect(data.map(({ id }) => id)).toEqual([admin.id])
    expect(page.total).toBe(1)
    expect((await ask('crowded 1')).page.total).toBe(0)
    expect((await ask('crowded f')).page.total).toBe(1)
  })

  it('shows a member who was renamed in the place of the new name', async () => {
    const admin = await newFounder(office)
    const member = await newMember(office, admin, 'member')
    const listed = async () => (await admin.browser.call('listMembers')).data.map(({ id }) => id)
    await admin.browser.call('updateProfile', { displayName: 'Mm' })
    await member.browser.call('updateProfile', { displayName: 'Aa' })
    expect(await listed()).toEqual([member.id, admin.id])
    await member.browser.call('updateProfile', { displayName: 'Zz' })
    expect(await listed()).toEqual([admin.id, member.id])
  })

  it('reads little more than the page, however many there are', async () => {
    const admin = await newFounder(office)
    const { pool } = office.database
    await pool.query(
      `with people as (
        insert into users (identity_user_id, email, display_name, created_at, updated_at)
        select 'user_of_many' || n, 'many' || n || '@many.example', 'Many ' || n, now(), now()
        from generate_series(1, 3000) n returning id)
      insert into memberships (organization_id, user_id, role, status, created_at, updated_at)
      select o.id, people.id, 'member', 'active', now(), now() from people, organizations o
      where o.identity_organization_id = $1`,
      [admin.organizationId],
    )
    await vacuum(pool, ['memberships', 'users'])
    const blocks = async (offset: number) => {
      const { rows } = await pool.query(
        `explain (analyze, buffers, format json) ${EVERYBODY.replaceAll(
          '$1',
          `(select id from organizations where identity_organization_id = '${admin.organizationId}')`,
        )
          .replace('$2', '20')
          .replace('$3', String(offset))}`,
      )
      return (
        rows[0]['QUERY PLAN'][0].Plan['Shared Hit Blocks'] +
        rows[0]['QUERY PLAN'][0].Plan['Shared Read Blocks']
      )
    }
    expect((await admin.browser.call('listMembers')).page.total).toBe(3001)
    // more than are looked up first, and few
    for (const [query, total] of [
      ['many 1', 1_111],
      ['many 30', 12],
    ] as const)
      expect((await admin.browser.call('listMembers', { query })).page.total).toBe(total)
    // 5,000 where all are sorted for each page
    expect(await blocks(0)).toBeLessThan(300)
    expect(await blocks(2_900)).toBeLessThan(400)
  })

  it('reads in pages that make up the whole, and an empty one beyond it', async () => {
    const names: string[] = []
    for (let offset = 0; offset < 8; offset += 2) {
      const { data, page } = await founder.browser.call('listMembers', { limit: 2, offset })
      expect(page).toEqual({ limit: 2, offset, total: 6 })
      names.push(...data.map(({ displayName }) => displayName))
    }
    expect(new Set(names).size).toBe(6)
    expect(names).toHaveLength(6)
  })

  it.each([
    { limit: 0 },
    { limit: 101 },
    { limit: '20' },
    { limit: 1.5 },
    { offset: -1 },
    { offset: '0' },
    { query: 5 },
  ])('refuses %j', async (input) => {
    const answer = await founder.browser.request('listMembers', {
      limit: 20,
      offset: 0,
      ...(input as object),
    })
    expect(answer).toMatchObject({ status: 400, body: { details: [{ field: Object.keys(input)[0] }] } })
  })

  it('takes an empty body, and answers guests', async () => {
    const headers = { 'content-type': 'application/json', cookie: `atrium_session=${founder.cookie}` }
    const answer = await fetch(`${office.baseUrl}/members/list`, { method: 'POST', headers, body: '{}' })
    expect(await answer.json()).toMatchObject({ page: { limit: 20, offset: 0 } })
    const other = await newFounder(office)
    const guest = await newMember(office, other, 'guest')
    expect((await guest.browser.call('listMembers')).page.total).toBe(2)
  })

  it('is refused without an active organization', async () => {
    const { browser } = await newPerson(office)
    expect(await browser.request('listMembers')).toMatchObject({ status: 403 })
  })
})
