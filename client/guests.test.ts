import { expect, it } from 'vitest'
import { createLobby } from './guests.ts'
import type { ReceivedEvent } from './realtime.ts'
import { fakeLive, fakeOffice } from './tests/fake-office.ts'

const guest = (number: number, state: string, more = {}) => ({
  ...{ guestIdentity: `guest:${number}`, guestName: `Guest ${number}`, state },
  ...{ since: '2026-03-23T09:00:00.000Z', mayDecide: true, ...more },
})
const event = (type: string, data: object) => ({ type, data, scope: 'user' }) as ReceivedEvent

function office() {
  const state = { guests: [guest(1, 'waiting'), guest(2, 'admitted'), guest(3, 'denied')] }
  let status = 200
  const { client, asked } = fakeOffice({
    '/api/v1/rtc/guest/list': () => ({ status, body: { code: status, message: 'No', guests: state.guests } }),
    '/api/v1/rtc/guest/admit': ({ body }) => {
      if (body.guestIdentity === 'guest:9') return { status: 409, body: { code: 409, message: 'No' } }
      const admitted = body.action === 'admit' ? 'admitted' : 'denied'
      state.guests = state.guests.map((one) =>
        one.guestIdentity === body.guestIdentity ? { ...one, state: admitted } : one,
      )
      return { body: { code: 200 } }
    },
    '/api/v1/rtc/guest/remove': ({ body }) => {
      state.guests = state.guests.filter(({ guestIdentity }) => guestIdentity !== body.guestIdentity)
      return { status: 200, body: {} }
    },
  })
  const refuse = () => {
    status = 403
  }
  return { state, client, asked, refuse, ...fakeLive() }
}

it('shows who waits and who is in, of those whom the caller may decide on, and decides', async () => {
  const { client, state, live } = office()
  state.guests.push(guest(4, 'waiting', { mayDecide: false }))
  const lobby = createLobby(client, live, 'room')
  const shown = () => {
    const { waiting, admitted } = lobby.get()
    return [waiting, admitted].map((list) => list.map(({ guestIdentity }) => guestIdentity))
  }
  await expect.poll(shown).toEqual([['guest:1'], ['guest:2']])
  await lobby.admit('guest:1')
  await expect.poll(shown).toEqual([[], ['guest:1', 'guest:2']])
  await lobby.remove('guest:2')
  await expect.poll(shown).toEqual([[], ['guest:1']])
  await lobby.deny('guest:1')
  await expect.poll(shown).toEqual([[], []])
  await expect(lobby.admit('guest:9')).rejects.toMatchObject({ status: 409 })
  lobby.close()
})

it('reads again by events of its room, by other roles and after a gap, and shows nothing where it is refused', async () => {
  const { client, state, asked, live, emit, refuse } = office()
  const lobby = createLobby(client, live, 'room')
  await expect.poll(() => lobby.get().loaded).toBe(true)
  const reads = () => asked.length
  emit('event', event('guest.waiting', { roomId: 'another' }))
  state.guests = []
  emit('event', event('guest.left', { roomId: 'room' }))
  await expect.poll(() => lobby.get()).toEqual({ waiting: [], admitted: [], loaded: true })
  expect(reads()).toBe(2)
  state.guests = [guest(5, 'waiting')]
  emit('gap', { scope: 'user' })
  await expect.poll(() => lobby.get().waiting).toHaveLength(1)
  refuse()
  emit('event', event('member.updated', { userId: '1', role: 'member' }))
  await expect.poll(() => lobby.get()).toMatchObject({ waiting: [], loaded: false, error: { status: 403 } })
  lobby.close()
})
