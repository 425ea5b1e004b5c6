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
  const state = {
    members: Array.from({ length: count }, (_, index) => member(index)),
    /** Happens at the office before it answers a page. */
    beforePage: (_offset: number) => {},
  }
  const { client, asked } = fakeOffice({
    '/members/list': ({ body }) => {
      const [limit, offset] = [Number(body.limit), Number(body.offset)]
      state.beforePage(offset)
      const data = state.members.slice(offset, offset + limit)
      return { body: { data, page: { limit, offset, total: state.members.length } } }
    },
    '/members/get': ({ body }) => {
      const found = state.members.find(({ id }) => id === body.id)
      return found ? { body: found } : { status: 404, body: { code: 404, message: 'No' } }
    },
  })
  const paths = () => asked.map(({ path }) => path.split('/').at(-1))
  return { state, client, asked, paths, ...fakeLive() }
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

it('reads all again where one was removed, or named anew, between two pages, and another was on neither', async () => {
  const { state, client, asked, live } = office(201)
  const moved = [
    () => state.members.splice(0, 1),
    () => state.members.push(...state.members.splice(0, 1)),
    () => {},
  ]
  state.beforePage = (offset) => void (offset === 100 && moved.shift()?.())
  const people = createPeople(client, live)
  await expect.poll(() => people.get().loaded).toBe(true)
  expect(people.get().people.map(({ id }) => id)).toEqual(state.members.map(({ id }) => id))
  expect(asked).toHaveLength(6)
  people.close()
})

it('reads all once where people come in all the time: each of them is told of', async () => {
  const { state, client, asked, live } = office(250)
  let next = 1_000
  state.beforePage = (offset) => void (offset > 0 && state.members.unshift(member(next++)))
  const people = createPeople(client, live)
  await expect.poll(() => people.get().loaded).toBe(true)
  expect(people.get().people).toHaveLength(250)
  expect(asked).toHaveLength(3)
  people.close()
})

it('shows whom it has read where people come and go all the time', async () => {
  const { state, client, asked, live } = office(400)
  state.beforePage = (offset) => void (offset > 0 && state.members.splice(0, 1))
  const people = createPeople(client, live)
  await expect.poll(() => people.get().loaded).toBe(true)
  expect(people.get().people.length).toBeGreaterThan(300)
  expect(asked).toHaveLength(12)
  people.close()
})

const told = (type: string, userId: string, data: object = {}) =>
  ({
    type,
    scope: 'organization',
    data: { userId, presenceUserId: `user_${userId}`, ...data },
  }) as ReceivedEvent

it('reads one who joins or is named anew, none who has another role or leaves, and all after a gap', async () => {
  const { client, state, paths, live, followed, emit } = office(3)
  const people = createPeople(client, live)
  const names = () => people.get().people.map(({ displayName }) => displayName)
  await expect.poll(() => people.get().loaded).toBe(true)
  const newcomer = { ...member(7), displayName: 'person 1b' }
  state.members = [...state.members, newcomer]
  emit('event', told('member.joined', '7'))
  await expect.poll(names).toEqual(['Person 0', 'Person 1', 'person 1b', 'Person 2'])
  expect([...followed]).toEqual(['user_0', 'user_1', 'user_2', 'user_7'])
  state.members = state.members.map((one) => (one.id === '0' ? { ...one, displayName: 'Zoe' } : one))
  emit('event', told('profile.updated', '0', { displayName: 'Zoe' }))
  await expect.poll(names).toEqual(['Person 1', 'person 1b', 'Person 2', 'Zoe'])
  emit('event', told('member.updated', '1', { role: 'moderator' }))
  emit('event', told('member.removed', '7'))
  expect(people.get().people.map(({ id, role }) => [id, role])).toEqual([
    ['1', 'moderator'],
    ['2', 'member'],
    ['0', 'member'],
  ])
  expect([...followed]).toEqual(['user_0', 'user_1', 'user_2'])
  expect(paths()).toEqual(['list', 'get', 'get'])
  state.members = []
  emit('gap', { scope: 'organization' })
  await expect.poll(() => people.get().people).toEqual([])
  people.close()
})

it('reads all where many change at once, where the event names no person, and where the office orders names by other rules', async () => {
  const { client, state, paths, live, emit } = office(20)
  const people = createPeople(client, live)
  await expect.poll(() => people.get().loaded).toBe(true)
  for (let number = 0; number < 9; number += 1)
    emit('event', told('profile.updated', String(number), { displayName: '' }))
  await expect.poll(paths).toEqual(['list', 'list'])
  emit('event', { type: 'member.unheard-of', scope: 'organization' } as unknown as ReceivedEvent)
  await expect.poll(paths).toEqual(['list', 'list', 'list'])
  const names = ['Änne', 'Berta', 'Zoe'].map((displayName, id) => ({ ...member(id), displayName }))
  state.members = names
  emit('gap', { scope: 'organization' })
  await expect.poll(() => people.get().people).toHaveLength(3)
  state.members = [...names, { ...member(4), displayName: 'Ömer' }]
  emit('event', told('member.joined', '4'))
  await expect.poll(() => people.get().people).toHaveLength(4)
  expect(paths().slice(4)).toEqual(['get', 'list'])
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

it('reads one again who changes while all are being read', async () => {
  const { state, asked, live, emit } = office(1)
  const reads: PromiseWithResolvers<void>[] = []
  const { client } = fakeOffice({
    '/members/list': async () => {
      const [at, read] = [{ ...state.members[0] }, Promise.withResolvers<void>()]
      reads.push(read)
      await read.promise
      return { body: { data: [at], page: { limit: 100, offset: 0, total: 1 } } }
    },
    '/members/get': () => ({ body: state.members[0] }),
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
