import { connectWorker, type PlayedWorker } from '@atrium/embedded-media/workers/live-worker-fixture.ts'
import { expect } from 'vitest'
import type { TestOffice } from '../office.ts'
import { newFounder, newMember, type Person } from '../people.ts'
import type { RecordedOutbox } from '../recorded-outbox.ts'
import { newBot } from './bots.ts'
import { guestLink, joinRoom, newRoom } from './rooms.ts'

const PATIENCE = { timeout: 20_000 }

/** A bot, a room, and people who may ask it in. */
export async function agentScene(office: TestOffice, outbox: RecordedOutbox) {
  const founder = await newFounder(office)
  const [member, moderator] = [
    await newMember(office, founder, 'member'),
    await newMember(office, founder, 'moderator'),
  ]
  const bot = await newBot(office, founder)
  const { id: roomId } = await newRoom(founder)
  const about = { roomId, botId: bot.id }
  const { rows } = await office.database.pool.query(
    'select identity_user_id as id from users where id = $1',
    [bot.id],
  )
  const told = async () =>
    (await outbox.events(`user:${founder.organizationId}:${rows[0].id}`))
      .filter(({ type }) => type === 'agent.dispatched')
      .map(({ data }) => data)
  const programs = async ({ browser }: Pick<Person, 'browser'> = founder) =>
    (await browser.call('authorizeRoom', { username: 'Ada', roomId })).programs
  const guestPrograms = async () => {
    const inviteToken = await guestLink(founder, roomId)
    return (await office.browser().call('authorizeGuest', { inviteToken, guestName: 'Gast' })).programs
  }
  const comesIn = async () => {
    const { token } = await bot.browser.call('authorizeRoom', { username: 'x', roomId })
    await joinRoom(office, token)
    await expect
      .poll(async () => (await founder.browser.call('getRoom', { roomId })).room.agents.length, PATIENCE)
      .toBe(1)
  }
  const update = (agentDispatch: 'none' | 'on-request' | 'always') =>
    founder.browser.call('updateRoom', { roomId, agentDispatch })
  return { founder, member, moderator, bot, roomId, about, told, programs, guestPrograms, comesIn, update }
}

export type { PlayedWorker }

/** A worker of livekit-agents that has registered at the media server of the office. */
export async function newWorker(office: TestOffice, agentName: string): Promise<PlayedWorker> {
  const { apiKey, apiSecret } = office.office.config.media as {
    apiKey: string
    apiSecret: { reveal(): string }
  }
  const keys = { apiKey, apiSecret: apiSecret.reveal() }
  const worker = await connectWorker(office.baseUrl, { agentName, keys })
  await expect.poll(() => worker.heard[0]?.case, PATIENCE).toBe('register')
  return worker
}
