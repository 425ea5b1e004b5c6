import { operationEntries } from '@atrium/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, type Person } from '../../../tests/people.ts'

describe('bots', () => {
  let office: TestOffice
  let founder: Person & { organizationId: string }
  beforeAll(async () => {
    office = await openTestOffice()
    founder = await newFounder(office)
  })
  afterAll(() => office.close())

  const make = (name = 'Minutes', by: Person = founder) => by.browser.call('createBot', { name })

  it('are members that say so, without an address', async () => {
    const { botId, token } = await make()
    expect(token).toMatch(/^atrbot_[\w-]{49}$/)
    const shown = {
      id: botId,
      displayName: 'Minutes',
      email: '',
      role: 'member',
      isBot: true,
      presenceStatus: 'offline',
    }
    const bot = office.program(token)
    expect(await bot.call('getMember', { id: botId })).toMatchObject(shown)
    const { data } = await founder.browser.call('listMembers')
    expect(data.find(({ id }) => id === botId)).toMatchObject(shown)
    expect(data.find(({ id }) => id === founder.id)).not.toHaveProperty('isBot')
    const { rows } = await office.database.pool.query('select t::text as row from bearer_tokens t')
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  it('are found by their name, and not by an address that they do not have', async () => {
    await make('Findable')
    const found = async (query: string) => (await founder.browser.call('listMembers', { query })).page.total
    expect(await found('Findable')).toBe(1)
    expect(await found('bot:user_')).toBe(0)
  })

  it('call what the contract marks for them, and nothing else', async () => {
    const { token } = await make()
    for (const [id, { access, method, path }] of operationEntries) {
      if (access.kind === 'public' || access.kind === 'bearer') continue
      const response = await fetch(office.baseUrl + path.replaceAll(/\{\w+\}/g, '1'), {
        method,
        headers: { authorization: `Bearer ${token}` },
      })
      const isOpen = access.kind === 'organization' && access.bots === true
      const { error } = (await response.json()) as { error?: string }
      if (isOpen) expect(error, id).not.toBe('token-not-allowed')
      else expect([response.status, error], id).toEqual([403, 'token-not-allowed'])
    }
  })

  it('are no members whose role is changed, who are removed, or knocked at', async () => {
    const { botId } = await make()
    const refused = { status: 409, body: { error: 'is-a-bot' } }
    const { browser } = founder
    expect(await browser.request('updateMember', { id: botId, role: 'admin' })).toMatchObject(refused)
    expect(await browser.request('removeMember', { id: botId })).toMatchObject(refused)
    for (const operation of ['knock', 'wave', 'talk'] as const)
      expect(await browser.request(operation, { userId: botId }), operation).toMatchObject({
        status: 404,
        body: { error: 'member-not-found' },
      })
  })

  it('are found only as bots, and in their own organization', async () => {
    const other = await newFounder(office, 'Other')
    const { botId } = await make()
    const notFound = { status: 404, body: { error: 'bot-not-found' } }
    for (const [who, id] of [
      [other, botId],
      [founder, founder.id],
      [founder, 'x'],
    ] as const) {
      expect(await who.browser.request('deleteBot', { botId: id })).toMatchObject(notFound)
      expect(await who.browser.request('updateBot', { botId: id, name: 'Notes' })).toMatchObject(notFound)
    }
    const { token } = await make('Theirs', other)
    const { data } = await office.program(token).call('listMembers')
    expect(data.map(({ displayName }) => displayName).sort()).toEqual(
      (await other.browser.call('listMembers')).data.map(({ displayName }) => displayName).sort(),
    )
  })

  it('sign in nowhere', async () => {
    const alone = await newFounder(office, 'Alone')
    const { botId } = await make('Company', alone)
    const { rows } = await office.database.pool.query('select email from users where id = $1', [botId])
    expect(await office.browser().request('signIn', { email: rows[0].email })).toMatchObject({ status: 400 })
  })

  it('are at most as many as the limit', async () => {
    const busy = await newFounder(office, 'Busy')
    for (let n = 0; n < 49; n += 1) await make(`Bot ${n}`, busy)
    const statuses = await Promise.all(
      ['Left', 'Right'].map(async (name) => (await busy.browser.request('createBot', { name })).status),
    )
    expect(statuses.sort()).toEqual([201, 409])
    const { limits } = await busy.browser.call('getOrganizationLimits')
    expect(limits.find(({ name }) => name === 'bots')).toMatchObject({ limit: 50, used: 50 })
  })
})
