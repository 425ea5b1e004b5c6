import { describe, expect, it, vi } from 'vitest'
import { createChat } from '../chat.ts'
import type { ReceivedEvent } from '../realtime.ts'
import { chatToken, messageRow as row } from '../tests/chat-fixtures.ts'
import { type Answers, fakeLive, fakeOffice } from '../tests/fake-office.ts'

describe('the list of conversations', () => {
  const listed = (conversation_id: number, more: object = {}) => ({
    ...{ conversation_id, type: 'DM', title: null, room_id: null, unread_count: 0 },
    ...{ peer_user_id: 42, members: [] },
    ...more,
  })
  const heard = (type: string, data: object, scope = 'user') => ({ type, scope, data }) as ReceivedEvent

  /** An office whose list the test changes. */
  async function listing(answers: Answers = {}) {
    let rows = [listed(18)]
    let held: Promise<void> | undefined
    const office = fakeOffice({
      '/api/v1/realtime/token': () => ({ body: { token: chatToken({ userId: 1 }) } }),
      '/api/v1/chat/messages/list': () => ({
        body: { messages: [row(1), row(2)], before: null, after: null },
      }),
      '/rest/v1/rpc/get_conversations': async () => {
        // as it is when it is asked, whenever the answer comes
        const body = rows
        await held
        return { body }
      },
      ...answers,
    })
    const fake = { ...office, ...fakeLive() }
    const chat = createChat(fake.client, fake.live)
    await expect.poll(() => chat.conversations.get().loaded).toBe(true)
    return {
      ...fake,
      chat,
      set: (next: ReturnType<typeof listed>[]) => {
        rows = next
        return rows
      },
      hold: (until: Promise<void> | undefined) => {
        held = until
      },
      ids: () => chat.conversations.get().rows.map(({ conversation_id }) => conversation_id),
    }
  }

  it('is right after every event, and after events were missed', async () => {
    const { chat, emit, set } = await listing()
    const dm = { conversation_id: 18 }
    const steps: [object[], () => void][] = [
      [
        [listed(19, { type: 'GROUP', title: 'Plans' }), listed(18)],
        () => emit('event', heard('conversation.joined', { conversation_id: 19, type: 'GROUP' })),
      ],
      // one's own, from another device
      [[listed(18), listed(19)], () => emit('event', heard('message.created', { ...row(1), sender_id: 1 }))],
      [
        [listed(18), listed(19)],
        () => emit('event', heard('conversation.read', { ...dm, last_read_message_id: 1, unread_count: 0 })),
      ],
      [
        [listed(20, { type: 'ROOM', room_id: 'r', title: 'Kitchen' }), listed(18), listed(19)],
        () => emit('gap', { scope: 'user' }),
      ],
      [
        [listed(20, { type: 'ROOM', room_id: 'r', title: 'Library' }), listed(18), listed(19)],
        () => emit('event', heard('room.updated', { roomId: 'r', name: 'Library' }, 'organization')),
      ],
      [
        [listed(20), listed(18, { peer_display_name: 'Ben' }), listed(19)],
        () => emit('event', heard('profile.updated', { userId: '42', displayName: 'Ben' }, 'organization')),
      ],
      [[listed(20, { title: 'Attic' })], () => emit('gap', { scope: 'organization' })],
    ]
    for (const [next, happens] of steps) {
      set(next as ReturnType<typeof listed>[])
      happens()
      await expect.poll(() => chat.conversations.get().rows).toEqual(next)
    }
    chat.close()
  })

  it('is right where something happens while it is being read', async () => {
    const { chat, emit, set, hold, ids, asked } = await listing()
    const slow = Promise.withResolvers<void>()
    hold(slow.promise)
    const before = asked.length
    const reading = chat.conversations.refresh()
    await expect.poll(() => asked.length).toBe(before + 1)
    set([listed(19), listed(18)])
    emit('event', heard('conversation.joined', { conversation_id: 19, type: 'GROUP' }))
    hold(undefined)
    slow.resolve()
    await reading
    await expect.poll(ids).toEqual([19, 18])
    chat.close()
  })

  it('shows at once how much is left unread', async () => {
    const { chat, emit, set, hold } = await listing()
    set([listed(18, { unread_count: 3 })])
    await chat.conversations.refresh()
    const slow = Promise.withResolvers<void>()
    hold(slow.promise)
    const data = { conversation_id: 18, last_read_message_id: 2, unread_count: 1 }
    emit('event', heard('conversation.read', data))
    expect(chat.conversations.get()).toMatchObject({ unread: 1, rows: [{ unread_count: 1 }] })
    slow.resolve()
    chat.close()
  })

  describe('shows a message of another person', () => {
    const day = (time: string) => `2026-03-23T${time}+00:00`
    const said = (more: object = {}) =>
      heard('message.created', { ...row(9, { content: 'Hello' }), created_at: day('12:00:00'), ...more })
    const known = [
      listed(19, { unread_count: 1, last_message_at: day('11:30:00') }),
      listed(18, { unread_count: 1, last_message_at: day('11:00:00') }),
    ]
    const choice = { unread: 1, mentioned: 1, draft: null, level: 'all', lastReadMessageId: 3 }

    async function open() {
      const opened = await listing({
        '/api/v1/chat/conversations/list': () => ({
          body: { conversations: [18, 19].map((id) => ({ conversationId: id, ...choice })), next: null },
        }),
        '/api/v1/chat/threads/list': () => ({ body: { threads: [], next: null } }),
      })
      opened.set(known)
      await opened.chat.conversations.refresh()
      const { choices, threads } = opened.chat
      await expect.poll(() => choices.get().loaded && threads.get().loaded).toBe(true)
      return opened
    }

    /** What is asked within a second of it. */
    async function askedAfter({ asked }: Awaited<ReturnType<typeof open>>, act: () => unknown) {
      const before = asked.length
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      act()
      await vi.advanceTimersByTimeAsync(1_000).finally(() => vi.useRealTimers())
      return asked.slice(before).map(({ path }) => path.split('/').slice(-2).join('/'))
    }

    it('without a question: everybody in the conversation hears of it', async () => {
      const opened = await open()
      const { chat, emit } = opened
      expect(await askedAfter(opened, () => emit('event', said({ mentions: ['1'] })))).toEqual([])
      expect(chat.conversations.get()).toEqual({
        rows: [
          {
            ...known[1],
            ...{ last_message_content: 'Hello', last_message_sender: 42, unread_count: 2 },
            ...{ last_message_at: day('12:00:00'), updated_at: day('12:00:00') },
          },
          known[0],
        ],
        unread: 3,
        loaded: true,
      })
      expect(chat.choices.get().of.get(18)).toMatchObject({ unread: 2, mentioned: 2, lastReadMessageId: 3 })
      expect(chat.choices.get().mentioned).toBe(3)
      const another = (time: string, more: object) => () =>
        emit('event', said({ message_id: 10, created_at: day(time), ...more }))
      await askedAfter(opened, another('12:01:00', { mentions: ['2'] }))
      expect(chat.choices.get().of.get(18)).toMatchObject({ unread: 3, mentioned: 2 })
      await askedAfter(opened, another('12:02:00', { mentionsRoom: true }))
      expect(chat.choices.get().mentioned).toBe(4)
      chat.close()
    })

    it('and does not count what an open conversation marks as read at once, nor shows it as unread before', async () => {
      const opened = await open()
      const { chat, emit } = opened
      const conversation = chat.conversation(18)
      await expect.poll(() => conversation.get().loaded).toBe(true)
      const counts: number[] = []
      const end = chat.conversations.subscribe(() => counts.push(chat.conversations.get().unread))
      await askedAfter(opened, () => {
        emit('event', said({ mentions: ['1'] }))
        void conversation.markRead()
        emit('event', said({ message_id: 10, created_at: day('12:00:01') }))
      })
      end()
      expect(counts).toEqual([2, 3])
      expect(chat.conversations.get().rows[0]).toMatchObject({
        last_message_at: day('12:00:01'),
        unread_count: 2,
      })
      expect(chat.choices.get().of.get(18)).toMatchObject({ unread: 2, mentioned: 1 })
      chat.close()
    })

    it('before it takes what another device has read: that counts all', async () => {
      const { chat, emit } = await open()
      emit('event', said())
      emit(
        'event',
        heard('conversation.read', { conversation_id: 18, last_read_message_id: 3, unread_count: 1 }),
      )
      expect(chat.conversations.get().rows[0]).toMatchObject({ conversation_id: 18, unread_count: 1 })
      chat.close()
    })

    it('counted again once it is marked as unread', async () => {
      const opened = await open()
      const { chat, emit } = opened
      const read = { conversation_id: 18, last_read_message_id: 9, unread_count: 0 }
      await askedAfter(opened, () => emit('event', heard('conversation.read', read)))
      const unread = { conversationId: 18, lastReadMessageId: 8, unread: 0, mentioned: 0 }
      await askedAfter(opened, () => emit('event', heard('conversation.unread', unread)))
      await askedAfter(opened, () => emit('event', said()))
      expect(chat.conversations.get().rows[0]).toMatchObject({ conversation_id: 18, unread_count: 2 })
      chat.close()
    })

    it.each([
      ['one’s own', said({ sender_id: 1 })],
      ['of a conversation that is not shown', said({ conversation_id: 20 })],
      ['that what was read has perhaps', said({ created_at: day('11:00:00') })],
    ])('but asks the office after one %s', async (_, event) => {
      const opened = await open()
      const asks = await askedAfter(opened, () => opened.emit('event', event))
      expect(asks.sort()).toEqual(['conversations/list', 'rpc/get_conversations'])
      opened.chat.close()
    })

    it('but asks for threads where it is a reply', async () => {
      const opened = await open()
      const asks = await askedAfter(opened, () => opened.emit('event', said({ parent_message_id: 2 })))
      expect(asks).toEqual(['threads/list'])
      opened.chat.close()
    })

    it('but asks again where the list is being read: the answer may be older', async () => {
      const { chat, emit, set, hold, ids } = await open()
      const slow = Promise.withResolvers<void>()
      hold(slow.promise)
      const reading = chat.conversations.refresh()
      set([listed(18), listed(19)])
      emit('event', said())
      hold(undefined)
      slow.resolve()
      await reading
      await expect.poll(ids).toEqual([18, 19])
      chat.close()
    })
  })

  it('is not read again for what it does not show: every page of the office would ask', async () => {
    const { chat, emit, set, asked } = await listing()
    set([
      listed(18, { peer_user_id: 42 }),
      listed(19, { type: 'GROUP', members: [{ user_id: 43 }] }),
      listed(20, { type: 'ROOM', room_id: 'r' }),
    ])
    await chat.conversations.refresh()
    const person = { userId: '42', microphone: true, camera: false, screen: false }
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const readingsAfter = async (type: string, data: object) => {
      const before = asked.length
      emit('event', heard(type, data, 'organization'))
      await vi.advanceTimersByTimeAsync(1_000)
      return asked.length - before
    }
    try {
      for (const [type, data] of [
        ['profile.updated', { userId: '42', activity: 'in-room', roomId: 'r' }],
        ['profile.updated', { userId: '42', note: 'Lunch', until: null }],
        ['profile.updated', { userId: '44', displayName: 'Ben' }],
        ['member.joined', { userId: '44' }],
        ['member.removed', { userId: '44' }],
        ['room.updated', { roomId: 'another', name: 'Attic' }],
        ['room.updated', { roomId: 'r', person }],
      ] as const)
        expect(await readingsAfter(type, data), JSON.stringify(data)).toBe(0)
      for (const [type, data] of [
        ['member.removed', { userId: '42' }],
        ['member.joined', { userId: '43' }],
        ['profile.updated', { userId: '43', displayName: 'Ben' }],
        ['room.updated', { roomId: 'r', name: 'Attic' }],
      ] as const)
        expect(await readingsAfter(type, data), JSON.stringify(data)).toBe(1)
    } finally {
      vi.useRealTimers()
      chat.close()
    }
  })

  it('is read again after a new name that comes while it is being read: it may show that person', async () => {
    const { chat, emit, set, hold } = await listing()
    const slow = Promise.withResolvers<void>()
    hold(slow.promise)
    set([listed(18, { peer_user_id: 44, peer_display_name: 'Benjamin' })])
    const reading = chat.conversations.refresh()
    set([listed(18, { peer_user_id: 44, peer_display_name: 'Ben' })])
    emit('event', heard('profile.updated', { userId: '44', displayName: 'Ben' }, 'organization'))
    hold(undefined)
    slow.resolve()
    await reading
    await expect.poll(() => chat.conversations.get().rows[0]).toMatchObject({ peer_display_name: 'Ben' })
    chat.close()
  })
})
