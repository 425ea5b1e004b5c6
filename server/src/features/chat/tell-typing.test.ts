import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Chatter, chatterOf, openDm, openGroup } from '../../../tests/chapters/chat.ts'
import { type Listener, listenAs } from '../../../tests/listener.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, newMember, type Person } from '../../../tests/people.ts'
import { recordOutbox } from '../../../tests/recorded-outbox.ts'

type Founder = Awaited<ReturnType<typeof newFounder>>

let office: TestOffice
let founder: Founder
let listeners: Listener[] = []
let [ada, ben, cleo] = [] as unknown as [Chatter, Chatter, Chatter]
beforeAll(async () => {
  office = await openTestOffice()
  founder = await newFounder(office)
  ada = await chatterOf(office, founder)
  ben = await chatterOf(office, await newMember(office, founder, 'member'))
  cleo = await chatterOf(office, await newMember(office, founder, 'guest'))
})
afterAll(async () => {
  for (const listener of listeners) listener.close()
  await office.close()
})

const tell = (person: Pick<Person, 'browser'>, conversationId: number) =>
  person.browser.request('tellTyping', { conversationId })

async function listen(person: Chatter): Promise<() => unknown[]> {
  const listener = await listenAs(person)
  listeners = [...listeners, listener]
  return () => listener.heard('conversation.typing')
}

describe('tellTyping', () => {
  it('tells the other members who are connected, through the broker alone', async () => {
    const [dm, group] = [await openDm(ada, ben), await openGroup(ada, [ben, cleo])]
    const outbox = await recordOutbox(office.database)
    const heard = { ada: await listen(ada), ben: await listen(ben), cleo: await listen(cleo) }
    for (const conversation of [dm, group]) {
      expect((await tell(ada, conversation)).status).toBe(204)
    }
    const [first, second] = [dm, group].map((conversationId) => ({ conversationId, userId: ada.id }))
    await expect.poll(heard.ben).toEqual([first, second])
    await expect.poll(heard.cleo).toEqual([second])
    office.clock.advance(2)
    expect((await tell(ada, group)).status).toBe(204)
    await expect.poll(heard.cleo).toEqual([second, second])
    await expect.poll(heard.ben).toEqual([first, second, second])
    expect(heard.ada()).toEqual([])
    expect((await outbox.events()).filter(({ type }) => type === 'conversation.typing')).toEqual([])
  })

  it('gives no sign of who appears offline, until they are seen again', async () => {
    const group = await openGroup(ada, [ben, cleo])
    const heard = await listen(cleo)
    await ada.browser.call('setPresenceStatus', { status: 'appear_offline' })
    expect((await tell(ada, group)).status).toBe(204)
    expect((await tell(ben, group)).status).toBe(204)
    await expect.poll(heard).toEqual([{ conversationId: group, userId: ben.id }])
    await ada.browser.call('setPresenceStatus', { status: 'online' })
    office.clock.advance(2)
    expect((await tell(ada, group)).status).toBe(204)
    await expect.poll(heard).toHaveLength(2)
  })

  it('is for members of the conversation: others do not find it, here or elsewhere', async () => {
    const dm = await openDm(ada, ben)
    const refused = { status: 404, body: { error: 'conversation-not-found' } }
    for (const person of [cleo, await newFounder(office)])
      expect(await tell(person, dm)).toMatchObject(refused)
    expect(await tell(ada, 999_999_999)).toMatchObject(refused)
    for (const wrong of [0, -1, 1.5, '7', 2 ** 60])
      expect(await tell(ada, wrong as number)).toMatchObject({ status: 400 })
  })
})
