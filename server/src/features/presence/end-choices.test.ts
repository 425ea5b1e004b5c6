import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../tests/fresh-database.ts'
import { testClock } from '../../../tests/office.ts'
import { foundOrganization, makePerson } from '../../../tests/realtime/presence-world.ts'
import { recordedLog } from '../../../tests/recorded-log.ts'
import { type RecordedOutbox, recordOutbox } from '../../../tests/recorded-outbox.ts'
import { type FakeBroker, fakeBroker } from '../../../tests/vendors/fake-broker.ts'
import { changePresence, type PresenceOwner } from './change-presence.ts'
import { endChoicesJob } from './end-choices.ts'
import { connectivityPoll, type PollNeeds } from './jobs.ts'

describe('the end of a choice', () => {
  let database: FreshDatabase
  let outbox: RecordedOutbox
  let broker: FakeBroker
  let needs: PollNeeds
  let ada: PresenceOwner
  const clock = testClock()
  const { signal } = new AbortController()

  beforeEach(async () => {
    database = await freshDatabase()
    outbox = await recordOutbox(database)
    broker = fakeBroker()
    needs = {
      db: database.db,
      clock,
      broker,
      log: recordedLog().log,
      presenceRules: { restoreManual: false },
    }
    const user = await makePerson(database.db)
    ada = { organization: await foundOrganization(database.db, [user]), user }
  })
  afterEach(() => database.drop())

  /** She is there, and busy for four seconds. */
  async function chooseForSeconds(): Promise<void> {
    broker.connect(ada.organization.identityId, ada.user.identityId)
    const until = new Date(clock.now().getTime() + 4_000)
    await changePresence(needs, ada, { kind: 'chosen', status: 'busy', until })
    await connectivityPoll(needs)(signal)
  }
  const cut = () => broker.cut(ada.organization.identityId, ada.user.identityId)
  const end = async () => {
    clock.advance(5)
    await endChoicesJob(needs).run(signal)
  }
  const told = async () =>
    (await outbox.events('status:')).map(({ data }) => (data as { status: string }).status)

  it('is online with a connection', async () => {
    await chooseForSeconds()
    await end()
    expect(await told()).toEqual(['busy', 'online'])
  })

  it('is offline without one, and never online before', async () => {
    await chooseForSeconds()
    cut()
    await end()
    // a page that is loaded again is away for a moment
    expect(await told()).toEqual(['busy'])
    clock.advance(15)
    await end()
    expect(await told()).toEqual(['busy', 'offline'])
    await connectivityPoll(needs)(signal)
    expect(await told()).toEqual(['busy', 'offline'])
  })

  it('is online with a connection that comes back at once', async () => {
    await chooseForSeconds()
    cut()
    await end()
    broker.connect(ada.organization.identityId, ada.user.identityId)
    await end()
    expect(await told()).toEqual(['busy', 'online'])
  })

  it.each([
    ['cannot say', () => broker.fail(true)],
    ['is another one', () => broker.restart()],
    ['has forgotten its connections', () => broker.forget()],
  ])('puts none offline where the broker %s: the poll decides', async (_case, happens) => {
    await chooseForSeconds()
    happens()
    await end()
    expect(await told()).toEqual(['busy', 'online'])
  })
})
