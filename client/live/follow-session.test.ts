import { expect, it } from 'vitest'
import type { ReceivedEvent } from '../realtime.ts'
import { createSession } from '../session.ts'
import { type Answered, fakeLive, fakeOffice } from '../tests/fake-office.ts'
import { followSession } from './follow-session.ts'

async function signedIn() {
  let name = 'Analytical'
  const failing: Answered[] = []
  const { client, asked } = fakeOffice({
    '/user/get': () =>
      failing.pop() ?? { body: { id: '1', displayName: name, currentOrganizationId: 'org_1' } },
  })
  const session = createSession(client, { tabs: false })
  await session.refresh()
  const { live, emit } = fakeLive()
  const follower = followSession(session, live)
  const shown = () => {
    const now = session.get()
    return now.state === 'signed-in' && now.user.displayName
  }
  return {
    ...{ asked, emit, failing, follower, shown },
    rename: (to: string) => (name = to),
  }
}

const event = (type: string, data: object) => ({ type, data }) as unknown as ReceivedEvent

it('reads the session again after events that change it, and after a gap', async () => {
  const { asked, emit, follower, shown, rename } = await signedIn()
  rename('Renamed')
  emit('event', event('member.updated', { userId: '2' }))
  emit('event', event('member.updated', { userId: '1' }))
  await expect.poll(shown).toBe('Renamed')
  rename('By another device')
  emit('event', event('profile.updated', { userId: '2', displayName: 'Somebody' }))
  emit('event', event('profile.updated', { userId: '1', activity: null }))
  emit('event', event('profile.updated', { userId: '1', displayName: 'By another device' }))
  await expect.poll(shown).toBe('By another device')
  rename('Elsewhere')
  emit('event', event('organization.updated', {}))
  await expect.poll(shown).toBe('Elsewhere')
  rename('Meanwhile')
  emit('gap', { scope: 'organization' })
  emit('gap', { scope: 'user' })
  await expect.poll(shown).toBe('Meanwhile')
  expect(asked).toHaveLength(5)
  follower.close()
})

it('repeats a reading that fails', async () => {
  const { emit, failing, follower, shown, rename } = await signedIn()
  rename('Renamed')
  failing.push({ status: 503, body: { code: 503, message: 'Busy' }, headers: { 'retry-after': '0' } })
  emit('gap', { scope: 'organization' })
  await expect.poll(shown, { timeout: 20_000 }).toBe('Renamed')
  follower.close()
})
