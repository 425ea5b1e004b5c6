import { createStore } from '@atrium/client/store'
import { expect, it, vi } from 'vitest'
import { session } from '../live/office-client.ts'
import { callElsewhere } from './call-elsewhere.ts'
import { type Call, type CallState, OUTSIDE } from './call-state.ts'

function call(phase: CallState['phase']) {
  const store = createStore<CallState>({ ...OUTSIDE, phase })
  const leave = vi.fn(async () => {})
  const move = (next: CallState['phase']) => store.update((state) => ({ ...state, phase: next }))
  return { move, leave, call: { ...store, leave } as unknown as Call }
}

it('a call elsewhere is left when the next one stands, and goes on where that is refused', () => {
  const now = { state: 'signed-in', user: { currentOrganizationId: 'org_1' } }
  vi.spyOn(session, 'get').mockReturnValue(now as never)
  const elsewhere = call('inside')
  callElsewhere.keep({ call: elsewhere.call, roomId: '1', roomName: 'Kitchen', organizationId: 'org_1' })
  const refused = call('outside')
  const endFirst = callElsewhere.leaveFor(refused.call)
  for (const phase of ['connecting', 'outside', 'connecting', 'ended'] as const) refused.move(phase)
  endFirst()
  expect(elsewhere.leave).not.toHaveBeenCalled()
  expect(callElsewhere.get()?.roomId).toBe('1')
  const next = call('outside')
  const end = callElsewhere.leaveFor(next.call)
  next.move('connecting')
  expect(elsewhere.leave).not.toHaveBeenCalled()
  next.move('inside')
  expect(elsewhere.leave).toHaveBeenCalledOnce()
  expect(callElsewhere.get()).toBeUndefined()
  end()
})

it('a call that is shown again does not leave itself', () => {
  const now = { state: 'signed-in', user: { currentOrganizationId: 'org_1' } }
  vi.spyOn(session, 'get').mockReturnValue(now as never)
  const same = call('inside')
  callElsewhere.keep({ call: same.call, roomId: '1', roomName: 'Kitchen', organizationId: 'org_1' })
  callElsewhere.leaveFor(same.call)()
  expect(same.leave).not.toHaveBeenCalled()
  callElsewhere.forget()
})

it('a call of another organization than the present one is left as its screen goes', () => {
  const now = { state: 'signed-in', user: { currentOrganizationId: 'org_2' } }
  vi.spyOn(session, 'get').mockReturnValue(now as never)
  const former = call('inside')
  callElsewhere.keep({ call: former.call, roomId: '1', roomName: 'Kitchen', organizationId: 'org_1' })
  expect(former.leave).toHaveBeenCalledOnce()
  expect(callElsewhere.get()).toBeUndefined()
})
