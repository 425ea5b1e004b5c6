import { expect, it } from 'vitest'
import { createPeople } from './people.ts'
import type { ReceivedEvent } from './realtime.ts'
import { fakeLive, fakeOffice } from './tests/fake-office.ts'

const member = (number: number) => ({
  id: String(number),
  displayName: `Person ${number}`,
  avatarUrl: '',
  email: `p${number}@people.example`,
  role: 'member',
  presenceStatus: 'offline',
  presenceUserId: `user_${number}`,
})

function office(count: number) {
  const state = { members: Array.from({ length: count }, (_, index) => member(index)) }
  const { client, asked } = fakeOffice({
    '/members/list': ({ body }) => {
      const [limit, offset] = [Number(body.limit), Number(body.offset)]
      const data = state.members.slice(offset, offset + limit)
      return { body: { data, page: { limit, offset, total: state.members.length } } }
    },
  })
  return { state, client, asked, ...fakeLive() }
}

it('reads all pages, follows all members, and shows their statuses as they change', async () => {
  const { client, asked, live, followed, emit } = office(201)
  const people = createPeople(client, live)
  await expect.poll(() => people.get().loaded).toBe(true)
  expect(people.get().people).toHaveLength(201)
  expect(asked).toHaveLength(3)
  expect(followed.size).toBe(201)

  const before = people.get().people
  emit('status', { userId: 'user_7', status: 'busy' })
  expect(people.get().people[7]).toMatchObject({ displayName: 'Person 7', status: 'busy' })
  expect(people.get().people[8]).toBe(before[8])
  const after = people.get()
  emit('status', { userId: 'user_7', status: 'busy' })
  expect(people.get()).toBe(after)
  expect(people.search('P200@').map(({ id }) => id)).toEqual(['200'])
  people.close()
  expect(followed.size).toBe(0)
})

it('reads them again after an event that changes them, and after a gap', async () => {
  const { client, state, live, followed, emit } = office(2)
  const people = createPeople(client, live)
  await expect.poll(() => people.get().loaded).toBe(true)
  state.members = [member(1), member(2)]
  emit('event', { type: 'member.joined', scope: 'organization' } as unknown as ReceivedEvent)
  await expect.poll(() => people.get().people.map(({ id }) => id)).toEqual(['1', '2'])
  expect([...followed]).toEqual(['user_1', 'user_2'])
  state.members = []
  emit('gap', { scope: 'organization' })
  await expect.poll(() => people.get().people).toEqual([])
  people.close()
})

it('takes a member’s activity from the event itself', async () => {
  const { client, asked, live, emit } = office(2)
  const people = createPeople(client, live)
  await expect.poll(() => people.get().loaded).toBe(true)
  const tell = (data: object) =>
    emit('event', {
      type: 'profile.updated',
      scope: 'organization',
      data: { userId: '1', presenceUserId: 'user_1', ...data },
    } as ReceivedEvent)
  const [other, before] = people.get().people
  tell({ activity: 'in-room', roomId: 'r1' })
  expect(people.get().people).toEqual([other, { ...before, activity: 'in-room', roomId: 'r1' }])
  tell({ activity: null, roomId: null })
  expect(people.get().people).toEqual([other, before])
  expect(asked).toHaveLength(1)
  tell({ displayName: 'Somebody else' })
  await expect.poll(() => asked.length).toBe(2)
  people.close()
})

it('reads once more where an activity changes while all are being read', async () => {
  const { state, asked, live, emit } = office(1)
  const reads: PromiseWithResolvers<void>[] = []
  const { client } = fakeOffice({
    '/members/list': async () => {
      const [at, read] = [{ ...state.members[0] }, Promise.withResolvers<void>()]
      reads.push(read)
      await read.promise
      return { body: { data: [at], page: { limit: 100, offset: 0, total: 1 } } }
    },
  })
  const people = createPeople(client, live)
  await expect.poll(() => reads.length).toBe(1)
  state.members = [{ ...member(0), activity: 'in-room', roomId: 'r1' } as never]
  emit('event', {
    type: 'profile.updated',
    scope: 'organization',
    data: { userId: '0', presenceUserId: 'user_0', activity: 'in-room', roomId: 'r1' },
  } as ReceivedEvent)
  reads[0]?.resolve()
  await expect.poll(() => reads.length).toBe(2)
  reads[1]?.resolve()
  await expect.poll(() => people.get().people[0]?.activity).toBe('in-room')
  expect(asked).toEqual([])
  people.close()
})

it('begins anew in another organization, and says what went wrong', async () => {
  const { client, state, live, emit } = office(1)
  const people = createPeople(client, live)
  await expect.poll(() => people.get().loaded).toBe(true)
  state.members = [member(5)]
  emit('organization', { organizationId: 'org_2' })
  expect(people.get()).toEqual({ people: [], loaded: false })
  await expect.poll(() => people.get().people.map(({ id }) => id)).toEqual(['5'])
  people.close()

  const nowhere = createPeople(fakeOffice({}).client, fakeLive().live)
  await expect.poll(() => nowhere.get().error).toMatchObject({ status: 404 })
  nowhere.close()
})
