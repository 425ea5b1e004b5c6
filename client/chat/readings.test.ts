import { afterEach, describe, expect, it, vi } from 'vitest'
import { messageShown } from '../tests/chat-fixtures.ts'
import type { ChatData, MessagePage, MessagePlace, MessageShown } from './chat-data.ts'
import { createConversation } from './conversation.ts'

const row = (id: number, more: Partial<MessageShown> = {}) => messageShown(id, more)

/** What the office shows from one message to another, of a conversation that goes from 1 to `last`. */
function page(from: number, to: number, last = to): MessagePage {
  const messages = Array.from({ length: to - from + 1 }, (_, at) => row(from + at))
  return { messages, before: from > 1 ? from : null, after: to < last ? to : null }
}

interface Reading {
  place: MessagePlace
  answer(found: MessagePage): Promise<void>
  fail(error?: Error): Promise<void>
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

/** A conversation, with its readings for the test to answer in any order. */
function begin() {
  const readings: Reading[] = []
  const data = {
    me: async () => 9,
    messages(_id: number, _limit: number, place: MessagePlace = {}) {
      const { promise, resolve, reject } = Promise.withResolvers<MessagePage>()
      const after = (done: () => void) => {
        done()
        return settled()
      }
      readings.push({
        place,
        answer: (found) => after(() => resolve(found)),
        fail: (error = new TypeError('fetch failed')) => after(() => reject(error)),
      })
      return promise
    },
  } as unknown as ChatData
  const marks: unknown[] = []
  const put = async ({ body }: { body: unknown }) => void marks.push(body)
  const outbox = { put, again: async () => {}, drop: async () => {} }
  const control = createConversation(data, outbox, { id: 18, onMarked: () => {} })
  const { conversation } = control
  const next = () => readings.shift() as Reading
  const ids = () => conversation.get().messages.map(({ message_id }) => message_id)
  const shown = (id: number) => conversation.get().messages.find(({ message_id }) => message_id === id)
  return { control, conversation, readings, next, ids, shown, marks }
}

/** The same, with what it begins with. */
async function showing(found: MessagePage) {
  const scene = begin()
  await scene.next().answer(found)
  return scene
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at)
const thumb = { emoji: '👍', userId: '5', added: true, count: 1 }
const later = '2026-03-24T00:00:00+00:00'

type Scene = Awaited<ReturnType<typeof showing>>

/** What happens to 80, 81 and 82. */
function change({ control }: Scene) {
  control.receiveDeleted(80)
  control.receiveReaction(81, thumb)
  control.receiveChanged(row(82, { content: 'edited', is_edited: true, updated_at: later }))
}

function expectChanged({ shown }: Scene) {
  expect(shown(80)).toMatchObject({ content: '', is_deleted: true })
  expect(shown(81)?.reactions).toEqual([{ emoji: '👍', count: 1, userIds: ['5'], mine: false }])
  expect(shown(82)).toMatchObject({ content: 'edited', is_edited: true })
}

describe('what is heard while a page is read is not laid over by it', () => {
  it('of the newest ones', async () => {
    const scene = await showing(page(61, 100))
    void scene.conversation.refresh()
    change(scene)
    scene.control.receive(row(101))
    await scene.next().answer(page(61, 100))
    expectChanged(scene)
    expect(scene.ids()).toEqual(range(61, 101))
  })

  it('of the first ones', async () => {
    const scene = begin()
    change(scene)
    scene.control.receive(row(101))
    await scene.next().answer(page(61, 100))
    expectChanged(scene)
    expect(scene.ids()).toEqual(range(61, 101))
    expect(scene.conversation.get().hasOlder).toBe(true)
  })

  it('of older ones', async () => {
    const scene = await showing(page(101, 150))
    void scene.conversation.loadOlder()
    change(scene)
    scene.control.receive(row(151))
    await scene.next().answer(page(51, 100, 150))
    expectChanged(scene)
    expect(scene.ids()).toEqual(range(51, 151))
  })

  it('of an earlier place, and of what follows it', async () => {
    const scene = await showing(page(101, 150))
    void scene.conversation.showAround(85)
    change(scene)
    scene.control.receive(row(151))
    await scene.next().answer(page(78, 90, 151))
    expectChanged(scene)
    expect(scene.ids()).toEqual(range(78, 90))

    void scene.conversation.loadNewer()
    scene.control.receiveDeleted(120)
    scene.control.receive(row(152))
    await scene.next().answer(page(91, 151))
    expect(scene.shown(120)).toMatchObject({ content: '', is_deleted: true })
    expect(scene.ids()).toEqual(range(78, 152))
  })

  it('where it begins again behind a hole', async () => {
    const scene = await showing(page(101, 150))
    void scene.conversation.refresh()
    scene.control.receive(row(401))
    await scene.next().answer(page(351, 400))
    expect(scene.ids()).toEqual(range(351, 401))
  })

  it('nor twice: an answer is counted once, whether the page has it or not', async () => {
    const answer = row(101, { parent_message_id: 100 })
    const scene = await showing(page(61, 100))
    for (const found of [
      page(61, 100),
      { ...page(61, 99), messages: [row(100, { reply_count: 1 }), answer] },
    ]) {
      void scene.conversation.refresh()
      scene.control.receive(answer)
      expect(scene.shown(100)?.reply_count).toBe(1)
      await scene.next().answer(found)
      expect(scene.shown(100)?.reply_count).toBe(1)
    }
  })

  it('nor by the answer to an edit that was made before the deletion', async () => {
    const { control, shown } = await showing(page(61, 100))
    control.receiveDeleted(80)
    control.receiveChanged(row(80, { content: 'edited', is_edited: true, updated_at: later }))
    expect(shown(80)).toMatchObject({ content: '', is_deleted: true })
  })

  it('also where a reading that counts no more comes last', async () => {
    const scene = await showing(page(61, 100))
    void scene.conversation.refresh()
    const first = scene.next()
    change(scene)
    void scene.conversation.refresh()
    await scene.next().answer(page(63, 102))
    await first.answer(page(61, 100))
    expect(scene.ids()).toEqual(range(61, 102))
    expect(scene.shown(80)).toMatchObject({ content: 'message 80' })
  })
})

describe('a page that belongs to what is shown no more is dropped', () => {
  it('older ones, where what they come before is gone', async () => {
    const { conversation, next, ids } = await showing(page(101, 150))
    void conversation.loadOlder()
    const older = next()
    expect(older.place).toEqual({ before: 101 })
    void conversation.refresh()
    await next().answer(page(351, 400))
    await older.answer(page(51, 100, 400))
    expect(ids()).toEqual(range(351, 400))
    expect(conversation.get().hasOlder).toBe(true)
    void conversation.loadOlder()
    expect(next().place).toEqual({ before: 351 })
  })

  it('not where the newest ones reach what they come before', async () => {
    const { conversation, next, ids } = await showing(page(101, 150))
    void conversation.loadOlder()
    const older = next()
    void conversation.refresh()
    await next().answer(page(111, 160))
    await older.answer(page(51, 100, 160))
    expect(ids()).toEqual(range(51, 160))
  })

  it('newer ones, where the newest are shown again', async () => {
    const { conversation, control, next, ids } = await showing(page(351, 400))
    void conversation.showAround(100)
    await next().answer(page(76, 125, 400))
    void conversation.loadNewer()
    const newer = next()
    void conversation.showNewest()
    const newest = next()
    await newer.answer(page(126, 175, 400))
    await newest.answer(page(351, 400))
    expect(ids()).toEqual(range(351, 400))
    expect(conversation.get().hasNewer).toBe(false)
    control.receive(row(401))
    expect(ids().at(-1)).toBe(401)
    void conversation.refresh()
    expect(next().place).toEqual({})
  })

  it('one of two places, where the other one was asked for later', async () => {
    const { conversation, next, ids } = await showing(page(351, 400))
    void conversation.showAround(100)
    const first = next()
    void conversation.showAround(200)
    await next().answer(page(176, 225, 400))
    await first.answer(page(76, 125, 400))
    expect(ids()).toEqual(range(176, 225))
  })

  it('a place, where the newest ones or what is there already was asked for later', async () => {
    const { conversation, next, ids } = await showing(page(351, 400))
    for (const ask of [() => conversation.showNewest(), () => conversation.showAround(360)]) {
      void conversation.showAround(100)
      void ask()
      await next().answer(page(76, 125, 400))
      expect(ids()).toEqual(range(351, 400))
    }
  })

  it('the newest ones, where an earlier place is shown', async () => {
    const { conversation, next, ids } = await showing(page(351, 400))
    void conversation.refresh()
    const newest = next()
    void conversation.showAround(100)
    await next().answer(page(76, 125, 400))
    await newest.answer(page(351, 400))
    expect(ids()).toEqual(range(76, 125))
    expect(conversation.get().hasNewer).toBe(true)
  })

  it('the newest ones of before, where a place reaches the end: they are read again', async () => {
    const { conversation, next, ids } = await showing(page(351, 400))
    void conversation.refresh()
    const before = next()
    void conversation.showAround(505)
    await next().answer(page(480, 529))
    await before.answer(page(351, 400))
    expect(ids()).toEqual(range(480, 529))
    await next().answer(page(481, 530))
    expect(ids()).toEqual(range(480, 530))
  })

  it('all of them, once the conversation is closed', async () => {
    const { control, conversation, readings, ids } = await showing(page(101, 150))
    const asked = [conversation.loadOlder(), conversation.showAround(7), conversation.refresh()]
    control.close()
    for (const reading of readings) await reading.answer(page(1, 50, 150))
    await Promise.all(asked)
    expect(ids()).toEqual(range(101, 150))
  })
})

describe('no hole', () => {
  it('where a message is changed that is not shown', async () => {
    const { control, conversation, next, ids, shown } = await showing(page(101, 150))
    control.receiveChanged(row(5, { parent_message_id: 101, updated_at: later }))
    expect(ids()).toEqual(range(101, 150))
    expect(shown(101)?.reply_count).toBe(0)
    void conversation.loadOlder()
    expect(next().place).toEqual({ before: 101 })
  })

  it('where a message came before the first page, and others were missed', async () => {
    const { control, conversation, next, ids } = begin()
    control.receive(row(401))
    void conversation.refresh()
    await next().answer(page(351, 400))
    await next().answer(page(451, 500))
    expect(ids()).toEqual(range(451, 500))
    expect(conversation.get().hasOlder).toBe(true)
  })
})

describe('the newest ones that could not be read', () => {
  afterEach(() => void vi.useRealTimers())

  it('are read again by themselves, until the conversation is closed', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { control, conversation, readings, next, ids } = await showing(page(101, 150))
    void conversation.refresh()
    await next().fail()
    expect(conversation.get().error).toBeInstanceOf(TypeError)
    vi.runAllTimers()
    await next().answer(page(351, 400))
    expect(ids()).toEqual(range(351, 400))
    expect(conversation.get().error).toBeUndefined()

    void conversation.refresh()
    await next().fail()
    control.close()
    vi.runAllTimers()
    expect(readings).toEqual([])
  })
})

it('is marked as read again where that was taken back elsewhere', async () => {
  const { control, conversation, marks } = await showing(page(1, 3))
  await conversation.markRead()
  await conversation.markRead()
  control.receiveUnread()
  await conversation.markRead()
  expect(marks).toEqual([1, 2].map(() => ({ conversation_id: 18, message_id: 3 })))
})
