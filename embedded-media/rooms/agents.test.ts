import { ParticipantInfo_Kind } from '@livekit/protocol'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectSignals, openLiveMedia, tokenFor } from '../live-media-fixture.ts'

let media: Awaited<ReturnType<typeof openLiveMedia>>
beforeAll(async () => {
  media = await openLiveMedia({ cameras: 4, people: 4, waiting: 4 })
  await media.rooms.createRoom({ name: 'office' })
})
afterAll(() => media.close())

it('tells clients which of those inside are programs', async () => {
  const enter = async (identity: string, kind?: string) =>
    await connectSignals(media.baseUrl, await tokenFor('office', identity, {}, { kind }))
  const before = await enter('ada')
  await enter('17', 'agent')
  const told = () => before.all('update').flatMap(({ value }) => value.participants)
  await expect
    .poll(() => told().find(({ identity }) => identity === '17')?.kind, { timeout: 20_000 })
    .toBe(ParticipantInfo_Kind.AGENT)
  const after = await enter('grace')
  const others = after.first('join')?.value.otherParticipants ?? []
  expect(new Map(others.map(({ identity, kind }) => [identity, kind]))).toEqual(
    new Map([
      ['ada', ParticipantInfo_Kind.STANDARD],
      ['17', ParticipantInfo_Kind.AGENT],
    ]),
  )
})

it('tells those inside, and those who come later, of a name and an attribute that an agent is given', async () => {
  await media.rooms.createRoom({ name: 'kitchen' })
  const enter = async (identity: string, kind?: string) =>
    await connectSignals(media.baseUrl, await tokenFor('kitchen', identity, {}, { kind }))
  const before = await enter('ada')
  await enter('agent-AJ_1', 'agent')
  await media.rooms.updateParticipant('kitchen', 'agent-AJ_1', { name: 'Minutes', attributes: { bot: '17' } })
  const known = { name: 'Minutes', attributes: { bot: '17' } }
  const told = () => before.all('update').flatMap(({ value }) => value.participants)
  await expect
    .poll(() => told().findLast(({ identity }) => identity === 'agent-AJ_1'), { timeout: 20_000 })
    .toMatchObject(known)
  const others = (await enter('grace')).first('join')?.value.otherParticipants ?? []
  expect(others.find(({ identity }) => identity === 'agent-AJ_1')).toMatchObject(known)
})
