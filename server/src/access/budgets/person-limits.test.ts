import { EventEmitter } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
import { conversationOf } from '../../../tests/chapters/chat.ts'
import { internalIdOf, setLimit } from '../../../tests/chapters/limits.ts'
import { freshEmail, openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { atrium } from '../../../tests/operator/command-line.ts'
import { newFounder, newMember, type Person } from '../../../tests/people.ts'
import { eventually, until } from '../../../tests/until.ts'

/** The reply to a client that still waits. */
const stillThere = { raw: Object.assign(new EventEmitter(), { destroyed: false }) }

const statuses = async (count: number, ask: () => Promise<{ status: number }>) => {
  const answers: number[] = []
  for (let n = 0; n < count; n += 1) answers.push((await ask()).status)
  return answers
}

describe('what one person may do where an operator has said so', () => {
  const offices: TestOffice[] = []
  const open = async (settings: Record<string, string> = {}) => {
    const office = await openTestOffice({ settings })
    offices.push(office)
    return office
  }
  afterEach(async () => {
    for (const office of offices.splice(0).reverse()) await office.close()
  })
  const rowsOf = async (office: TestOffice, { id }: Person) =>
    (await office.database.pool.query('select name, value from person_limits where user_id = $1', [id])).rows

  it('calls: theirs, not those of their colleagues, and not elsewhere', async () => {
    const office = await open({ RATE_LIMIT_PER_USER: '20' })
    const founder = await newFounder(office)
    const ada = await newMember(office, founder, 'member')
    await setLimit(office, founder, 'calls-per-person', 30)
    await setLimit(office, { ...founder, person: ada }, 'calls-per-person', 3)
    expect(await statuses(4, () => ada.browser.request('getCurrentUser'))).toEqual([200, 200, 200, 429])
    const colleague = await founder.browser.request('getCurrentUser')
    expect(colleague.headers.get('ratelimit-limit')).toBe('30')
    const elsewhere = await newFounder(office)
    expect((await elsewhere.browser.request('getCurrentUser')).headers.get('ratelimit-limit')).toBe('20')
    await setLimit(office, { ...founder, person: ada }, 'calls-per-person', null)
    expect((await ada.browser.request('getCurrentUser')).headers.get('ratelimit-limit')).toBe('30')
  })

  it('invitations: more than all others, and how many of them are used', async () => {
    const office = await open({ RATE_LIMIT_INVITATIONS_PER_USER: '1' })
    const founder = await newFounder(office)
    const { organizationId } = founder
    const ada = await newMember(office, founder, 'admin')
    await setLimit(office, { ...founder, person: ada }, 'invitations-per-person', 3)
    const send = (person: Person) => () => person.browser.request('sendInvitation', { email: freshEmail() })
    const limits = (...args: string[]) => atrium(office, ['organization', 'limits', organizationId, ...args])
    const invitations = (printed: string) =>
      printed
        .split('\n')
        .find((line) => line.startsWith('invitations-per-person'))
        ?.split(/ {2,}/)
        .slice(1, 4)
    const founderSent = await statuses(2, send(founder))
    expect(founderSent.at(-1)).toBe(429)
    expect(await statuses(4, send(ada))).toEqual([200, 200, 200, 429])
    expect(invitations(await limits('--person', ada.email))).toEqual(['3', 'set', '3'])
    expect(invitations(await limits('--person', founder.email))).toEqual(['200', 'deployment', '1'])
    // a member with a limit of their own is not bound by the limit of all
    await setLimit(office, founder, 'invitations-per-person', 2)
    expect(invitations(await limits())).toEqual(['2', 'set', '0'])
    expect(invitations(await limits('--person', founder.id))).toEqual(['2', 'organization', '0'])
  })

  it('knocks, and requests at the same time', async () => {
    const office = await open({ RATE_LIMIT_KNOCKS_PER_USER: '1', REQUESTS_UNDER_WAY_PER_USER: '1' })
    const founder = await newFounder(office)
    const [ada, ben] = [
      await newMember(office, founder, 'member'),
      await newMember(office, founder, 'member'),
    ]
    await setLimit(office, { ...founder, person: ada }, 'knocks-per-person', 2)
    await setLimit(office, { ...founder, person: ada }, 'requests-under-way-per-person', 2)
    const knock = (person: Person) => () => person.browser.request('knock', { userId: founder.id })
    expect((await statuses(3, knock(ada))).map((status) => status === 429)).toEqual([false, false, true])
    expect((await statuses(2, knock(ben))).map((status) => status === 429)).toEqual([false, true])

    const organization = await internalIdOf(office, founder)
    const held = Promise.withResolvers<void>()
    const running: string[] = []
    const work = (person: Person) =>
      office.office.access.underWay.run(
        { person: person.id, organization },
        stillThere as never,
        async () => {
          running.push(person.id)
          await held.promise
        },
      )
    const all = [work(ada), work(ada), work(ben), work(ben).catch(() => {})]
    await until(() => running.length === 3)
    expect(running).toEqual([ada.id, ada.id, ben.id])
    held.resolve()
    await Promise.all(all)
  })

  it('messages', async () => {
    const office = await open({ RATE_LIMIT_MESSAGES_PER_CONVERSATION: '2' })
    const { ada, ben, conversation, founder } = await conversationOf(office)
    const send = (from: typeof ada) => async () =>
      await from.rest.from('messages').insert({ conversation_id: conversation, content: 'x' })
    await setLimit(office, { ...founder, person: ada }, 'messages-per-conversation', 4)
    expect(await statuses(5, send(ada))).toEqual([201, 201, 201, 201, 429])
    expect(await statuses(3, send(ben))).toEqual([201, 201, 429])
  })

  it('reaches the other node within two seconds, and ends with the membership', async () => {
    const office = await open()
    const other = await openTestOffice({ beside: office })
    offices.push(other)
    const founder = await newFounder(office)
    const ada = await newMember(office, founder, 'member')
    const organization = await internalIdOf(office, founder)
    const { limits } = other.office.access
    const command = ['organization', 'limits', founder.organizationId, '--person', ada.email]
    await atrium(office, [...command, '--set', 'calls-per-person=700'])
    await eventually('the other node has the limit', 2_000, () =>
      Promise.resolve(limits.of(organization, 'calls-per-person', ada.id) === 700),
    )
    expect(limits.own(organization, 'calls-per-person', founder.id)).toBeUndefined()
    // what no notification has told is found as well
    await limits.refresh()
    expect(limits.of(organization, 'calls-per-person', ada.id)).toBe(700)
    expect(await rowsOf(office, ada)).toEqual([{ name: 'calls-per-person', value: '700' }])
    await founder.browser.call('removeMember', { id: ada.id })
    expect(await rowsOf(office, ada)).toEqual([])
    await until(() => limits.personal(organization, 'calls-per-person', ada.id) === undefined)
  })
})
