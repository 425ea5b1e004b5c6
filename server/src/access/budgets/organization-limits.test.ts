import { EventEmitter } from 'node:events'
import type { LimitName } from '@atrium/contract'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { chatterOf, conversationOf, openDm } from '../../../tests/chapters/chat.ts'
import { internalIdOf, setLimit } from '../../../tests/chapters/limits.ts'
import { freshEmail, openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { atrium } from '../../../tests/operator/command-line.ts'
import { newFounder, newMember, type Person } from '../../../tests/people.ts'
import { eventually, until } from '../../../tests/until.ts'

/** The reply to a client that still waits. */
const stillThere = { raw: Object.assign(new EventEmitter(), { destroyed: false }) }

type Founder = Awaited<ReturnType<typeof newFounder>>
type Answer = { status: number; body: unknown }

const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status)
const oneAfterTheOther = async <Result>(count: number, ask: (n: number) => PromiseLike<Result>) => {
  const answers: Result[] = []
  for (let n = 0; n < count; n += 1) answers.push(await ask(n))
  return answers
}

describe('the limits of an organization', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice({
      settings: {
        ...{ ROOMS_PER_ORGANIZATION: '2', WEBHOOKS_PER_ORGANIZATION: '2', DOMAINS_PER_ORGANIZATION: '2' },
        ...{ SERVICE_TOKENS_PER_ORGANIZATION: '2', DIRECTORY_CONNECTIONS_PER_ORGANIZATION: '2' },
      },
    })
  })
  afterAll(() => office.close())

  const making: Partial<Record<LimitName, { make(of: Person, n: number): Promise<Answer>; error: string }>> =
    {
      rooms: {
        make: ({ browser }, n) => browser.request('createRoom', { name: `Room ${n}` }),
        error: 'too-many-rooms',
      },
      webhooks: {
        make: ({ browser }, n) =>
          browser.request('createWebhook', { url: `http://127.0.0.1:9/${n}`, events: ['room.created'] }),
        error: 'too-many-webhooks',
      },
      'service-tokens': {
        make: ({ browser }, n) =>
          browser.request('createServiceToken', { name: `Token ${n}`, operations: ['listMembers'] }),
        error: 'too-many-tokens',
      },
      'directory-connections': {
        make: ({ browser }, n) => browser.request('createDirectoryConnection', { name: `Directory ${n}` }),
        error: 'too-many-directory-connections',
      },
      domains: {
        make: ({ browser, id }, n) =>
          browser.request('claimOrganizationDomain', { domain: `d${n}-of-${id}.example` }),
        error: 'too-many-domains',
      },
    }

  it.each(Object.entries(making))(
    'of %s are those of the deployment, unless they are set higher or lower',
    async (name, { make, error }) => {
      const organizations: Founder[] = await oneAfterTheOther(3, () => newFounder(office))
      const [usual, more, less] = organizations as [Founder, Founder, Founder]
      await setLimit(office, more, name as LimitName, 3)
      await setLimit(office, less, name as LimitName, 1)
      for (const [founder, most] of [[usual, 2] as const, [more, 3] as const, [less, 1] as const]) {
        const answers = await oneAfterTheOther(most + 1, (n) => make(founder, n))
        expect(statuses(answers.slice(0, most)).every((status) => status < 300)).toBe(true)
        const message = expect.stringContaining(`at most ${most} `)
        expect(answers[most]).toMatchObject({ status: 409, body: { error, message } })
      }
      // what is there already stays
      await setLimit(office, more, name as LimitName, null)
      expect(await make(more, 9)).toMatchObject({ status: 409 })
    },
  )

  it('reach the other node within two seconds, and one that is started later', async () => {
    const other = await openTestOffice({ beside: office })
    try {
      const founder = await newFounder(office)
      const has = (value: number) => async () => {
        const headers = { cookie: `atrium_session=${founder.cookie}` }
        const url = `${other.baseUrl}/api/v1/organizations/limits/get`
        const { limits } = (await (await fetch(url, { method: 'POST', headers })).json()) as {
          limits: { name: string; limit: number }[]
        }
        return limits.find(({ name }) => name === 'rooms')?.limit === value
      }
      await until(has(1_000))
      await atrium(office, ['organization', 'limits', founder.organizationId, '--set', 'rooms=7'])
      await eventually('the other node has the limit', 2_000, has(7))
      await atrium(office, ['organization', 'limits', founder.organizationId, '--unset', 'rooms'])
      await eventually('the other node has what the deployment gives', 2_000, has(1_000))
      await setLimit(office, founder, 'rooms', 5)
      const later = await openTestOffice({ beside: office })
      const { limits } = later.office.access
      // from its first request on
      expect(limits.of(await internalIdOf(office, founder), 'rooms')).toBe(5)
      await later.close()
    } finally {
      await other.close()
    }
  })

  it('that nobody has told of are found by looking', async () => {
    const founder = await newFounder(office)
    const id = await internalIdOf(office, founder)
    const { limits } = office.office.access
    await office.database.pool.query('alter table organization_limits disable trigger user')
    try {
      const row = [id, 'rooms', 6]
      await office.database.pool.query(
        `insert into organization_limits values ($1, $2, $3, now()), ($1, 'of a later release', 1, now())`,
        row,
      )
      await limits.refresh()
      expect(limits.of(id, 'rooms')).toBe(6)
      expect(limits.own(id, 'webhooks')).toBeUndefined()
      await office.database.pool.query('delete from organization_limits where organization_id = $1', [id])
      await limits.refresh()
      expect(limits.own(id, 'rooms')).toBeUndefined()
    } finally {
      await office.database.pool.query('alter table organization_limits enable trigger user')
    }
  })
})

describe('what people may do in an organization with limits of its own', () => {
  const offices: TestOffice[] = []
  const open = async (settings: Record<string, string>) => {
    const office = await openTestOffice({ settings })
    offices.push(office)
    return office
  }
  afterEach(async () => {
    for (const office of offices.splice(0)) await office.close()
  })
  /** A person at work in one organization, and then in another. */
  const workIn = (person: Person, { organizationId }: { organizationId: string }) =>
    person.browser.call('switchOrganization', { email: person.email, organizationId })

  it('calls: more or fewer there, and what is left elsewhere is not touched', async () => {
    const office = await open({ RATE_LIMIT_PER_USER: '20' })
    const founders: Founder[] = await oneAfterTheOther(2, () => newFounder(office))
    const [here, there] = founders as [Founder, Founder]
    await setLimit(office, here, 'calls-per-person', 3)
    const call = ({ browser }: Person) => browser.request('getCurrentUser')
    const answers = await oneAfterTheOther(4, () => call(here))
    expect(statuses(answers)).toEqual([200, 200, 200, 429])
    expect(answers[0]?.headers.get('ratelimit-limit')).toBe('3')
    expect((await call(there)).headers.get('ratelimit-limit')).toBe('20')
    await setLimit(office, here, 'calls-per-person', 200)
    const raised = await call(here)
    expect(raised.status).toBe(200)
    expect(raised.headers.get('ratelimit-limit')).toBe('200')
    await setLimit(office, here, 'calls-per-person', 0)
    expect((await call(here)).headers.get('ratelimit-limit')).toBeNull()
  })

  it('calls with tokens: each by itself, and all together', async () => {
    const office = await open({ RATE_LIMIT_PER_TOKEN: '20' })
    const founder = await newFounder(office)
    const programs = await oneAfterTheOther(2, async (n) => {
      const made = { name: `Program ${n}`, operations: ['listMembers' as const] }
      return office.program((await founder.browser.call('createServiceToken', made)).token)
    })
    await setLimit(office, founder, 'calls-per-token', 3)
    await setLimit(office, founder, 'token-calls', 5)
    const call = (n: number) => programs[n]?.request('listMembers') as Promise<Answer>
    expect(statuses(await oneAfterTheOther(4, () => call(0)))).toEqual([200, 200, 200, 429])
    expect(statuses(await oneAfterTheOther(3, () => call(1)))).toEqual([200, 200, 429])
  })

  it('invitations of one person: those of another organization are apart', async () => {
    const office = await open({ RATE_LIMIT_INVITATIONS_PER_USER: '2' })
    const founder = await newFounder(office)
    const first = { organizationId: founder.organizationId }
    const send = () => founder.browser.request('sendInvitation', { email: freshEmail() })
    const { id } = await founder.browser.call('createOrganization', { name: 'Second' })
    await setLimit(office, first, 'invitations-per-person', 4)
    await workIn(founder, first)
    expect(statuses(await oneAfterTheOther(5, send))).toEqual([200, 200, 200, 200, 429])
    await workIn(founder, { organizationId: id })
    expect(statuses(await oneAfterTheOther(3, send))).toEqual([200, 200, 429])
    // lower again: what was sent there is remembered
    await setLimit(office, first, 'invitations-per-person', 3)
    await workIn(founder, first)
    expect(await send()).toMatchObject({ status: 429 })
  })

  it('invitations of all of an organization', async () => {
    const office = await open({ RATE_LIMIT_INVITATIONS_PER_ORGANIZATION: '2' })
    const founders: Founder[] = await oneAfterTheOther(2, () => newFounder(office))
    const [more, usual] = founders as [Founder, Founder]
    const send = ({ browser }: Person) => browser.request('sendInvitation', { email: freshEmail() })
    for (const founder of founders)
      expect(statuses(await oneAfterTheOther(3, () => send(founder)))).toEqual([200, 200, 429])
    await setLimit(office, more, 'invitations', 5)
    expect((await send(more)).status).toBe(200)
    expect((await send(usual)).status).toBe(429)
  })

  it('knocks', async () => {
    const office = await open({ RATE_LIMIT_KNOCKS_PER_USER: '1' })
    const founder = await newFounder(office)
    const { id } = await newMember(office, founder, 'member')
    await setLimit(office, founder, 'knocks-per-person', 2)
    const answers = await oneAfterTheOther(3, () => founder.browser.request('knock', { userId: id }))
    expect(statuses(answers).map((status) => status === 429)).toEqual([false, false, true])
  })

  it('requests at the same time', async () => {
    const office = await open({ REQUESTS_UNDER_WAY_PER_USER: '1' })
    const founder = await newFounder(office)
    const { underWay } = office.office.access
    const organization = await internalIdOf(office, founder)
    await setLimit(office, founder, 'requests-under-way-per-person', 2)
    const held = Promise.withResolvers<void>()
    const running = new Set<number>()
    const owner = { person: founder.id, organization }
    const work = (n: number) =>
      underWay
        .run(owner, stillThere as never, async () => {
          running.add(n)
          await held.promise
        })
        .catch(() => {})
    const all = [work(1), work(2)]
    await until(() => running.size === 2)
    held.resolve()
    await Promise.all(all)
  })

  it('messages, groups and the people in them', async () => {
    const office = await open({
      ...{ RATE_LIMIT_MESSAGES_PER_CONVERSATION: '2', RATE_LIMIT_MESSAGES_PER_USER: '3' },
      ...{ RATE_LIMIT_GROUPS_PER_USER: '1', PEOPLE_PER_GROUP: '1' },
    })
    const { ada, ben, conversation, founder } = await sceneOf(office)
    const send = (to: number) =>
      fetch(`${office.baseUrl}/rest/v1/messages`, {
        method: 'POST',
        headers: { authorization: `Bearer ${ada.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ conversation_id: to, content: 'x' }),
      })
    const sent = async (to: number, count: number) =>
      (await oneAfterTheOther(count, () => send(to))).map(({ status }) => status)
    const later = () =>
      office.database.pool.query(`update messages set created_at = created_at - interval '61 s'`)
    expect(await sent(conversation, 3)).toEqual([201, 201, 429])
    await later()
    await setLimit(office, founder, 'messages-per-conversation', 4)
    const refused = await oneAfterTheOther(4, () => send(conversation))
    expect(refused.map(({ status }) => status)).toEqual([201, 201, 201, 429])
    expect(await refused[3]?.json()).toMatchObject({
      code: 'P0430',
      details: 'At most 3 messages in 60 seconds.',
    })
    await later()
    await setLimit(office, founder, 'messages-per-person', 0)
    expect(await sent(conversation, 5)).toEqual([201, 201, 201, 201, 429])

    const others = [ben.id, (await newMember(office, founder, 'guest')).id].map(Number)
    const openGroup = (people: number[]) =>
      ada.rest.rpc('open_conversation', { p_user_ids: people, p_title: 'Lunch' })
    expect((await openGroup(others)).error?.message).toBe('A group has at most 1 people besides yourself')
    await setLimit(office, founder, 'people-per-group', 2)
    expect((await openGroup(others)).error).toBeNull()
    expect((await openGroup(others)).error).toMatchObject({ details: 'At most 1 new groups in 60 seconds.' })
    await setLimit(office, founder, 'groups-per-person', 2)
    expect((await openGroup(others)).error).toBeNull()

    // elsewhere everything is as the deployment has it
    const elsewhere = await conversationOf(office)
    const sentThere = await oneAfterTheOther(3, () =>
      elsewhere.ada.rest.from('messages').insert({ conversation_id: elsewhere.conversation, content: 'x' }),
    )
    expect(sentThere.map(({ status }) => status)).toEqual([201, 201, 429])
  })

  async function sceneOf(office: TestOffice) {
    const founder = await newFounder(office)
    const [ada, ben] = [await chatterOf(office, founder), await newMember(office, founder, 'member')]
    return { founder, ada, ben, conversation: await openDm(ada, ben) }
  }
})
