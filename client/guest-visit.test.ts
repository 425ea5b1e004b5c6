import { expect, it } from 'vitest'
import { createGuestVisit } from './guest-visit.ts'
import { type Answered, fakeOffice } from './tests/fake-office.ts'

const waiting = (told = false, programs: string[] = []): Answered => ({
  body: { rtcToken: 'token', url: 'ws://media', programs, guestIdentity: 'guest:1', state: 'waiting', told },
})
const refusal = (status: number, error: string, headers = {}): Answered => ({
  status,
  body: { code: status, error, message: 'No' },
  headers,
})

function office(...answers: Answered[]) {
  let at = 0
  const { client, asked } = fakeOffice({
    '/api/v1/rtc/guest/room-auth': () => {
      at += 1
      return answers[Math.min(at, answers.length) - 1] as Answered
    },
  })
  return { client, asked }
}

it('goes on asking until a member decides, and keeps the token while nothing changes', async () => {
  const admitted = { body: { rtcToken: 'other', programs: [], guestIdentity: 'guest:1', state: 'admitted' } }
  const { client, asked } = office(waiting(), waiting(), waiting(true), waiting(true, ['Minutes']), admitted)
  const visit = createGuestVisit(client, 'invite', { askAgainMs: 1 })
  const seen: unknown[] = []
  visit.subscribe(() => seen.push(visit.get()))
  await visit.ask('Gast')
  await expect.poll(() => visit.get().state).toBe('admitted')
  const ticket = { rtcToken: 'token', url: 'ws://media', programs: [], guestIdentity: 'guest:1' }
  expect(seen).toEqual([
    { state: 'asking' },
    { state: 'waiting', told: false, ...ticket },
    { state: 'waiting', told: true, ...ticket },
    { state: 'waiting', told: true, ...ticket, programs: ['Minutes'] },
    { state: 'admitted', rtcToken: 'other', programs: [], guestIdentity: 'guest:1' },
  ])
  expect(asked).toHaveLength(5)
  expect(asked[0]?.body).toEqual({ inviteToken: 'invite', guestName: 'Gast' })
  visit.close()
})

it('asks once where it is asked twice at once: there is one place at the door', async () => {
  const { client, asked } = office(waiting(true))
  const visit = createGuestVisit(client, 'invite', { askAgainMs: 0 })
  const [one, other] = await Promise.all([visit.ask('Gast'), visit.ask('Gast')])
  expect([one, other]).toMatchObject([{ state: 'waiting' }, { state: 'waiting' }])
  expect(asked).toHaveLength(1)
  // a place that is known by its cookie can be asked about again
  await visit.ask('Gast')
  expect(asked).toHaveLength(2)
  visit.close()
})

it.each([
  ['denied', refusal(403, 'guest-denied', { 'retry-after': '60' })],
  ['denied', refusal(403, 'guest-removed')],
  ['ended', refusal(410, 'gone')],
  ['ended', refusal(404, 'room-not-found')],
  ['ended', refusal(400, 'invalid')],
  ['failed', refusal(400, 'invalid-input')],
])('is %s by an answer of its kind, and asks no more', async (state, answer) => {
  const { client, asked } = office(answer)
  const visit = createGuestVisit(client, 'invite', { askAgainMs: 1 })
  expect(await visit.ask('Gast')).toMatchObject({ state, error: { status: answer.status } })
  // asked once more, by this check: had the visit gone on by itself, there would be others before
  await visit.check()
  expect(asked).toHaveLength(2)
  visit.close()
})

it('asks again after what passes by itself', async () => {
  const { client } = office(refusal(503, 'provider-unavailable'), waiting())
  const visit = createGuestVisit(client, 'invite', { askAgainMs: 1 })
  expect(await visit.ask('Gast')).toMatchObject({ state: 'failed' })
  await expect.poll(() => visit.get().state).toBe('waiting')
  visit.close()
})

it('asks nothing before it has a name, and changes nothing after it was closed', async () => {
  const { client, asked } = office(waiting())
  const visit = createGuestVisit(client, 'invite', { askAgainMs: 0 })
  expect(await visit.check()).toEqual({ state: 'outside' })
  expect(asked).toEqual([])
  const asking = visit.ask('Gast')
  visit.close()
  expect(await asking).toEqual({ state: 'asking' })
})

it('gives the key of the page where the room is sealed, and no key elsewhere', async () => {
  const given: unknown[] = []
  const { client } = fakeOffice({
    '/api/v1/rtc/guest/room-auth': ({ body }) => {
      given.push(body.publicKey)
      return body.publicKey === undefined ? refusal(409, 'key-required') : waiting()
    },
  })
  const sealed = createGuestVisit(client, 'invite', { askAgainMs: 0, sealedKey: async () => 'key' })
  expect(await sealed.ask('Gast')).toMatchObject({ state: 'waiting', sealed: true })
  await sealed.check()
  expect(given).toEqual([undefined, 'key', 'key'])
  const unable = async () => {
    throw new Error('no such browser')
  }
  const other = createGuestVisit(client, 'invite', { askAgainMs: 0, sealedKey: unable })
  expect(await other.ask('Gast')).toMatchObject({ state: 'failed', error: new Error('no such browser') })
  const open = office(waiting())
  const plain = createGuestVisit(open.client, 'invite', { askAgainMs: 0, sealedKey: unable })
  expect(await plain.ask('Gast')).not.toHaveProperty('sealed')
})

it('says by which connection it comes back, where it does so by itself', async () => {
  const { client, asked } = office(waiting(), waiting(), refusal(409, 'already-inside'))
  const visit = createGuestVisit(client, 'invite', { askAgainMs: 0 })
  await visit.ask('Gast', 'PA_1')
  await visit.check('PA_2')
  expect(await visit.check('PA_2')).toMatchObject({ state: 'failed', error: { error: 'already-inside' } })
  await visit.check()
  const returning = (participantSid: string) => ({ returning: { participantSid } })
  const asking = { inviteToken: 'invite', guestName: 'Gast' }
  expect(asked.map(({ body }) => body)).toEqual([
    { ...asking, ...returning('PA_1') },
    { ...asking, ...returning('PA_2') },
    { ...asking, ...returning('PA_2') },
    asking,
  ])
  visit.close()
})
