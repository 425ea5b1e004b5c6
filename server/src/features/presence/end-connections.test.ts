import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../tests/fresh-database.ts'
import { testClock } from '../../../tests/office.ts'
import { foundOrganization, makePerson, truthOf } from '../../../tests/realtime/presence-world.ts'
import { recordedLog } from '../../../tests/recorded-log.ts'
import { type FakeBroker, fakeBroker } from '../../../tests/vendors/fake-broker.ts'
import type { Ending, EndingCause } from '../../access/sessions/ended-access.ts'
import { insertSession } from '../../access/sessions/session-store.ts'
import { secondsAfter } from '../../platform/clock.ts'
import { ProviderFailure } from '../../platform/refusal.ts'
import type { BrokerPort, ConnectionEnding } from '../../ports/broker.ts'
import { changePresence, type PresenceOwner } from './change-presence.ts'
import { type ConnectionEnder, connectionEnder } from './end-connections.ts'
import { writeBrokerMemory } from './poll-store.ts'

// Over real connections: `server/tests/realtime/ended-access.test.ts`, and on a real Centrifugo `engines/centrifugo/ended.ts`.

let database: FreshDatabase
let broker: FakeBroker & Pick<BrokerPort, 'endConnections'>
let asked: (readonly ConnectionEnding[])[]
/** What the broker does next when it is told to end connections. */
let whenAsked: (endings: readonly ConnectionEnding[]) => readonly ConnectionEnding[]
let ender: ConnectionEnder
let lines: object[]
let isOurs: boolean
const clock = testClock()
const presenceRules = { restoreManual: false }

beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  asked = []
  whenAsked = () => []
  isOurs = true
  broker = {
    ...fakeBroker(),
    async endConnections(endings) {
      asked.push(endings)
      return new Set(whenAsked(endings))
    },
  }
  await writeBrokerMemory(database.db, { generation: '1', quietUntil: null })
  const recorded = recordedLog()
  lines = recorded.lines
  ender = connectionEnder({
    db: database.db,
    clock,
    presenceRules,
    broker,
    log: recorded.log,
    isOurs: () => isOurs,
  })
})

async function someoneBusy(): Promise<PresenceOwner> {
  const user = await makePerson(database.db)
  const place = { organization: await foundOrganization(database.db, [user]), user }
  await changePresence({ db: database.db, clock, presenceRules }, place, { kind: 'chosen', status: 'busy' })
  return place
}

let ids = 0
function ending({ organization, user }: PresenceOwner, cause: EndingCause = 'session-ended'): Ending {
  ids += 1
  const isSession = cause !== 'membership-ended'
  return {
    id: String(ids),
    cause,
    sessionId: isSession ? '41' : null,
    membershipGeneration: isSession ? null : '42',
    user,
    organization: { id: organization.id, identityId: organization.identityId },
  }
}

async function statusOf({ organization, user }: PresenceOwner): Promise<string | undefined> {
  return (await truthOf(database.db, organization.id)).get(user.id)
}
const connect = ({ organization, user }: PresenceOwner) =>
  broker.connect(organization.identityId, user.identityId)
const cut = ({ organization, user }: PresenceOwner) => broker.cut(organization.identityId, user.identityId)

describe('the end of connections', () => {
  it('is told to the broker by what their tokens were minted from, with a reason and a code', async () => {
    const ada = await someoneBusy()
    await ender.end([
      ending(ada, 'session-ended'),
      ending(ada, 'session-superseded'),
      ending(ada, 'membership-ended'),
    ])
    expect(asked.flat().map(({ disconnect }) => disconnect)).toEqual([
      { code: 4502, reason: 'session ended' },
      { code: 3014, reason: 'session replaced' },
      { code: 4501, reason: 'organization left' },
    ])
    const [ofSession, , ofMembership] = asked.flat()
    const infos = [
      { sid: '41', membership: '7' },
      { sid: '7', membership: '42' },
      { sid: '7' },
      undefined,
      '41',
    ]
    expect(infos.map((info) => ofSession?.isOf(info))).toEqual([true, false, false, false, false])
    expect(infos.map((info) => ofMembership?.isOf(info))).toEqual([false, true, false, false, false])
  })

  it('takes members without another connection offline, and no others', async () => {
    const [ada, ben] = [await someoneBusy(), await someoneBusy()]
    connect(ben)
    await ender.end([ending(ada), ending(ben)])
    expect([await statusOf(ada), await statusOf(ben)]).toEqual(['offline', 'busy'])
  })

  it('takes no member offline where an absence proves nothing', async () => {
    const ada = await someoneBusy()
    broker.restart()
    await ender.end([ending(ada)])
    await writeBrokerMemory(database.db, { generation: '2', quietUntil: secondsAfter(clock.now(), 60) })
    await ender.end([ending(ada)])
    expect(await statusOf(ada)).toBe('busy')
  })

  it('looks again where a member may be counted by a connection that was closed just now', async () => {
    const ada = await someoneBusy()
    const ended = ending(ada)
    connect(ada)
    whenAsked = (endings) => endings
    await ender.end([ended])
    expect(await statusOf(ada)).toBe('busy')
    cut(ada)
    whenAsked = () => []
    await ender.end([ended])
    expect(await statusOf(ada)).toBe('offline')
  })

  it('decides about presence once for each ending, and again when another connection was found', async () => {
    const ada = await someoneBusy()
    const ended = ending(ada)
    connect(ada)
    await ender.end([ended])
    cut(ada)
    await ender.end([ended])
    expect(await statusOf(ada)).toBe('busy')
    whenAsked = (endings) => endings
    await ender.end([ended])
    whenAsked = () => []
    await ender.end([ended])
    expect(await statusOf(ada)).toBe('offline')
  })

  it('asks once for many that are told of one by one', async () => {
    const ada = await someoneBusy()
    await Promise.all(Array.from({ length: 50 }, () => ender.end([ending(ada)])))
    expect(asked.map((endings) => endings.length)).toEqual([50])
  })

  it('does again what failed, and says so', async () => {
    const ada = await someoneBusy()
    const ended = ending(ada)
    whenAsked = () => {
      throw new ProviderFailure('broker', 'disconnect', { retryable: true })
    }
    await ender.end([ended])
    expect(lines).toHaveLength(1)
    whenAsked = () => []
    await ender.end([])
    expect(asked.map((endings) => endings.length)).toEqual([1, 1])
    await ender.end([])
    expect(asked).toHaveLength(2)
    expect(await statusOf(ada)).toBe('offline')
  })

  it("is no business of a node whose it isn't", async () => {
    const ada = await someoneBusy()
    isOurs = false
    await ender.end([ending(ada)])
    isOurs = true
    await ender.end([])
    expect(asked).toEqual([])
    expect(await statusOf(ada)).toBe('busy')
  })

  it('says of whom every connection may be closed: those without a session in an organization', async () => {
    const [ada, ben] = [await someoneBusy(), await someoneBusy()]
    const now = clock.now()
    await insertSession(
      database.db,
      {
        tokenHash: Buffer.from(ben.user.id),
        user: ben.user.id,
        organization: ben.organization.id,
        method: 'magic_auth',
        ssoOrganization: null,
        idleExpiresAt: secondsAfter(now, 60),
        absoluteExpiresAt: secondsAfter(now, 60),
        upstreamSession: null,
        network: '',
        device: '',
      },
      now,
    )
    await ender.end([ending(ada), ending(ben)])
    clock.advance(60)
    await ender.end([ending(ben)])
    expect(asked.flat().map(({ ofAll }) => ofAll)).toEqual([true, false, true])
  })
})
