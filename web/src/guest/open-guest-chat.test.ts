import type { AtriumClient } from '@atrium/client'
import { unsentOf } from '@atrium/client/outbox'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { openGuestChat, unlisted } from './open-guest-chat.ts'

/** An office that a test answers for: each message waits until it is let through. */
function slowOffice() {
  const waiting: { content: string; answer(error?: Error): void }[] = []
  const call = async (operation: string, { content }: { content: string }) => {
    if (operation === 'listGuestMessages') return { messages: [] }
    return await new Promise<void>((resolve, reject) =>
      waiting.push({ content, answer: (error) => (error ? reject(error) : resolve()) }),
    )
  }
  const time = { now: () => 1_000, heard() {} }
  return { client: { call, time } as unknown as AtriumClient, waiting }
}

let open: ReturnType<typeof openGuestChat>
afterEach(() => open.close())

describe('what a guest writes', () => {
  it('stays when a second message comes while the first one is under way', async () => {
    const { client, waiting } = slowOffice()
    open = openGuestChat(client, { guestIdentity: 'guest:1', inviteId: 'one' })
    open.write('First')
    open.write('Second')
    await vi.waitFor(() => expect(waiting.map(({ content }) => content)).toEqual(['First']))
    expect(open.outbox.get().items.map(({ body }) => body)).toEqual([
      { content: 'First' },
      { content: 'Second' },
    ])
    waiting[0]?.answer()
    await vi.waitFor(() => expect(waiting.map(({ content }) => content)).toEqual(['First', 'Second']))
  })

  it('stays where the office does not answer, and is sent again', async () => {
    const { client, waiting } = slowOffice()
    open = openGuestChat(client, { guestIdentity: 'guest:2', inviteId: 'two' })
    open.write('Offline')
    await vi.waitFor(() => expect(waiting).toHaveLength(1))
    waiting[0]?.answer(new TypeError('no network'))
    await vi.waitFor(() => expect(open.outbox.get().items[0]?.state).toBe('waiting'))
    void open.outbox.again(open.outbox.get().items[0]?.id ?? '')
    await vi.waitFor(() => expect(waiting).toHaveLength(2))
    waiting[1]?.answer()
    await vi.waitFor(() => expect(open.outbox.get().items).toEqual([]))
  })

  it('is there after a reload of the page, until the guest has left', async () => {
    const place = { guestIdentity: 'guest:3', inviteId: 'three' }
    open = openGuestChat(slowOffice().client, place)
    open.write('Kept')
    await vi.waitFor(() => expect(open.outbox.get().items[0]?.state).toBe('sending'))
    open.close()
    const { client, waiting } = slowOffice()
    open = openGuestChat(client, place)
    await vi.waitFor(() => expect(waiting.map(({ content }) => content)).toEqual(['Kept']))
    open.close()
    open.forget()
    open = openGuestChat(slowOffice().client, { ...place })
    await vi.waitFor(async () => expect(await unsentOf(place.guestIdentity)).toBe(0))
  })
})

it('what was sent is shown once until the list has it', () => {
  const item = { id: 'a', kind: 'k', lane: 'l', at: 1, state: 'sending', body: { content: 'A' } } as const
  const other = { ...item, id: 'b', body: { content: 'B' } }
  const sent = [{ clientMessageId: 'a', content: 'A' }]
  expect(unlisted({ messages: [], sent }, [item, other])).toEqual([
    { id: 'a', content: 'A' },
    { id: 'b', content: 'B', item: other },
  ])
  // taken, and read, before its answer came
  const listed = { id: 1, name: 'G', mine: true, clientMessageId: 'b', content: 'B', createdAt: '' }
  expect(unlisted({ messages: [listed], sent: [] }, [other])).toEqual([])
})
