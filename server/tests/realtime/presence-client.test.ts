import { createOffice, type Office } from '@atrium/client/office'
import { connectRealtime, type Realtime, type RealtimeEvents } from '@atrium/client/realtime'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { connectivityPoll } from '../../src/features/presence/jobs.ts'
import { openTestOffice, type TestOffice } from '../office.ts'
import { signInAgain } from '../people.ts'
import { recordedLog } from '../recorded-log.ts'
import { until } from '../until.ts'
import { type Colleague, joinedBy, newColleague } from './colleagues.ts'
import { appendCommand } from './outbox-commands.ts'

/** `@atrium/client` against a whole office with its own broker: what two people see of each other. */

let office: TestOffice
const open = new Set<Realtime>()
beforeAll(async () => {
  office = await openTestOffice()
})
afterEach(() => {
  for (const one of open) one.close()
  open.clear()
})
afterAll(() => office.close())

/** Sockets that the test can cut, and keep from coming back. */
function controlledSockets() {
  const sockets = new Set<WebSocket>()
  let blocked = false
  class Controlled extends WebSocket {
    constructor(url: string, protocols?: string | string[]) {
      // no process listens on port 9
      super(blocked ? 'ws://127.0.0.1:9' : url, protocols)
      sockets.add(this)
    }
  }
  return {
    websocket: Controlled,
    cut() {
      blocked = true
      for (const socket of sockets) socket.close()
    },
    restore() {
      blocked = false
    },
  }
}

interface Screen {
  realtime: Realtime
  events: { [Name in keyof RealtimeEvents]: RealtimeEvents[Name][] }
}

async function connect(one: Colleague, options: { websocket?: unknown } = {}): Promise<Screen> {
  const realtime = await connectRealtime(one.browser, options)
  open.add(realtime)
  const events: Screen['events'] = {
    status: [],
    unfollowed: [],
    event: [],
    gap: [],
    state: [],
    organization: [],
  }
  for (const name of Object.keys(events) as (keyof RealtimeEvents)[])
    realtime.on(name, (payload) => void (events[name] as unknown[]).push(payload))
  return { realtime, events }
}

/** Waits until a screen shows a member's status. */
function shows({ realtime }: Screen, { user }: Colleague, status: string | undefined): Promise<void> {
  return until(async () => realtime.statusOf(user.identityId) === status)
}

/** The poll of the office, round by round. */
function pollRounds(): (rounds: number) => Promise<void> {
  const { db } = office.database
  const { broker } = office.office.realtime
  const { log } = recordedLog()
  const rules = { restoreManual: false }
  const poll = connectivityPoll({ db, clock: office.clock, broker, log, presenceRules: rules })
  return async (rounds) => {
    for (let at = 0; at < rounds; at++) await poll(new AbortController().signal)
  }
}

describe('two colleagues', () => {
  it('see each other come, change, leave and return', async () => {
    const poll = pollRounds()
    const [ada, grace] = await twoColleagues()
    const adas = await connect(ada)
    await shows(adas, ada, 'online')
    adas.realtime.follow([grace.user.identityId])
    await shows(adas, grace, 'offline')

    const graces = await connect(grace)
    graces.realtime.follow([ada.user.identityId])
    await shows(adas, grace, 'online')
    await shows(graces, ada, 'online')
    for (const status of ['busy', 'away', 'online'] as const) {
      await graces.realtime.setStatus(status)
      await shows(adas, grace, status)
      expect(graces.realtime.statusOf(grace.user.identityId)).toBe(status)
    }
    graces.realtime.close()
    await until(async () => {
      await poll(1)
      return adas.realtime.statusOf(grace.user.identityId) === 'offline'
    })
    await connect(grace)
    await shows(adas, grace, 'online')
    const changes = adas.events.status.filter(({ userId }) => userId === grace.user.identityId)
    expect(changes.map(({ status }) => status)).toEqual([
      'offline',
      'online',
      'busy',
      'away',
      'online',
      'offline',
      'online',
    ])
  })

  it('of an office of a thousand are followed all at once, before the connection stands', async () => {
    const [ada, grace] = await twoColleagues()
    await connect(grace)
    const adas = await connect(ada)
    const strangers = Array.from({ length: 1_000 }, (_, n) => `user_${String(n).padStart(26, '0')}`)
    expect(adas.realtime.state).toBe('connecting')
    adas.realtime.follow([grace.user.identityId, ...strangers])
    await shows(adas, grace, 'online')
    expect(adas.events.state.map(({ state }) => state)).toEqual(['connected'])
  })

  it('read the note of a status and when it ends', async () => {
    const [ada, grace] = await twoColleagues()
    const adas = await connect(ada)
    const graces = await connect(grace)
    const until = new Date(Date.now() + 3_600_000)
    await graces.realtime.setStatus('busy', { note: 'Release', until })
    const seen = async () => {
      const { data } = await ada.browser.call('listMembers', {})
      return data.find(({ presenceUserId }) => presenceUserId === grace.user.identityId)
    }
    expect(await seen()).toMatchObject({ note: 'Release', until: until.toISOString() })
    await graces.realtime.setStatus('busy', { note: '' })
    expect(await seen()).not.toHaveProperty('note')
    await shows(adas, ada, 'online')
  })

  it('cannot tell who is invisible, who knows it on every device', async () => {
    const [ada, grace] = await twoColleagues()
    const adas = await connect(ada)
    adas.realtime.follow([grace.user.identityId])
    const [phone, desk] = [await connect(grace), await connect(grace)]
    await shows(adas, grace, 'online')
    await shows(desk, grace, 'online')
    await phone.realtime.setStatus('appear_offline')
    await shows(adas, grace, 'offline')
    await shows(desk, grace, 'appear_offline')
    await desk.realtime.reconnect()
    await shows(desk, grace, 'appear_offline')
    await phone.realtime.setStatus('busy')
    await shows(adas, grace, 'busy')
    await shows(desk, grace, 'busy')
    const changes = adas.events.status.filter(({ userId }) => userId === grace.user.identityId)
    expect(changes.map(({ status }) => status).slice(-3)).toEqual(['online', 'offline', 'busy'])
  })
})

describe('a connection that was gone', () => {
  it('comes back with the changes it missed', async () => {
    const [ada, grace] = await twoColleagues()
    const sockets = controlledSockets()
    const adas = await connect(ada, sockets)
    adas.realtime.follow([grace.user.identityId])
    await shows(adas, grace, 'offline')
    sockets.cut()
    await until(async () => adas.events.state.at(-1)?.state === 'connecting')
    for (const status of ['busy', 'away'] as const) await grace.browser.call('setPresenceStatus', { status })
    sockets.restore()
    await shows(adas, grace, 'away')
  })

  it('takes a snapshot where it missed more than the broker keeps', async () => {
    const [ada, grace] = await twoColleagues()
    const sockets = controlledSockets()
    const adas = await connect(ada, sockets)
    adas.realtime.follow([grace.user.identityId])
    await shows(adas, grace, 'offline')
    sockets.cut()
    await until(async () => adas.events.state.at(-1)?.state === 'connecting')
    for (let times = 0; times < 30; times++)
      await grace.browser.call('setPresenceStatus', { status: times % 2 ? 'busy' : 'away' })
    sockets.restore()
    await shows(adas, grace, 'busy')
    // one change for the reader, not thirty replayed
    const changes = adas.events.status.filter(({ userId }) => userId === grace.user.identityId)
    expect(changes.map(({ status }) => status)).toEqual(['offline', 'busy'])
  })

  it('comes back after the office put it out with a code that says so', async () => {
    const [ada, grace] = await twoColleagues()
    const adas = await connect(ada)
    adas.realtime.follow([grace.user.identityId])
    await shows(adas, grace, 'offline')
    const connections = () => adas.events.state.filter(({ state }) => state === 'connected').length
    const before = connections()
    await putOut(ada, 4001)
    await until(async () => connections() > before)
    await grace.browser.call('setPresenceStatus', { status: 'busy' })
    await shows(adas, grace, 'busy')
  })

  it('ends where the session has ended, and says so', async () => {
    const [ada] = await twoColleagues()
    const adas = await connect(ada)
    await shows(adas, ada, 'online')
    await ada.browser.call('signOut')
    await until(async () => adas.events.state.at(-1)?.state === 'closed')
    expect(adas.events.state.at(-1)).toEqual({ state: 'closed', code: 4502, reason: 'session ended' })
    await expect(adas.realtime.reconnect()).rejects.toMatchObject({ status: 401 })
  })
})

describe('an office that is shown', () => {
  it('is left by itself where the session has ended elsewhere, or the membership', async () => {
    const [ada, grace] = await twoColleagues()
    const shown = [createOffice(ada.browser), createOffice(grace.browser)] as const
    const ends = shown.map((one) => one.open())
    const isIn = (one: Office) => one.get().present?.live.state === 'connected'
    await until(async () => shown.every(isIn))
    const [atAda, atGrace] = shown
    await office.database.pool.query('update memberships set role = $2 where user_id = $1', [
      ada.user.id,
      'admin',
    ])
    await ada.browser.call('removeMember', { id: grace.user.id })
    await until(async () => atGrace.get().present === undefined)
    expect(atGrace.session.get()).toMatchObject({ state: 'signed-in', user: { currentOrganizationId: '' } })
    await ada.browser.call('signOut')
    await until(async () => atAda.session.get().state === 'signed-out')
    for (const end of ends) end()
  })

  it('knows of its own session that it has ended before anything is asked, and of no other', async () => {
    const [ada] = await twoColleagues()
    const { browser } = await signInAgain(office, ada.email)
    const calls = vi.spyOn(browser, 'call')
    const shown = createOffice(browser)
    const end = shown.open()
    await until(async () => shown.get().present?.live.state === 'connected')
    const asked = () => calls.mock.calls.filter(([operation]) => operation === 'getCurrentUser')
    // once as it is opened, and once a moment after it has connected: who knows what was missed before
    await until(async () => asked().length >= 2)
    const heard: { sessionId: string; state: string }[] = []
    shown.get().present?.live.on('event', (event) => {
      if (event.type !== 'session.ended') return
      heard.push({ sessionId: event.data.sessionId, state: shown.session.get().state })
    })
    const { sessions } = await browser.call('listSessions')
    await ada.browser.call('signOut')
    await until(async () => heard.length === 1)
    expect(heard[0]?.state).toBe('signed-in')

    calls.mockClear()
    const own = sessions.find(({ current }) => current)?.id
    const statement = 'update sessions set revoked_at = now() where id = $1'
    await office.database.pool.query(statement, [own])
    await until(async () => shown.session.get().state === 'signed-out')
    expect(asked()).toEqual([])
    expect(heard.slice(1)).toEqual(heard.length === 1 ? [] : [{ sessionId: own, state: 'signed-out' }])
    end()
  })
})

describe('following', () => {
  it('says of strangers that they are no members here', async () => {
    const [ada] = await twoColleagues()
    const stranger = await newColleague(office)
    const adas = await connect(ada)
    adas.realtime.follow([stranger.user.identityId])
    await stranger.browser.call('setPresenceStatus', { status: 'busy' })
    await shows(adas, ada, 'online')
    expect(adas.realtime.statusOf(stranger.user.identityId)).toBeUndefined()
    expect(adas.events.status.map(({ userId }) => userId)).toEqual([ada.user.identityId])
  })

  it('follows as many as a connection carries, names those beyond, and keeps the connection', async () => {
    const ada = await newColleague(office)
    const sent: string[] = []
    class Counted extends WebSocket {
      override send(data: string): void {
        sent.push(data)
        super.send(data)
      }
    }
    const screen = await connect(ada, { websocket: Counted })
    await until(() => screen.realtime.state === 'connected')
    screen.realtime.follow(Array.from({ length: 600 }, (_, number) => `user_${number}`))
    // her own status is followed as well
    expect(screen.events.unfollowed.map(({ userId }) => userId)).toEqual(
      Array.from({ length: 101 }, (_, number) => `user_${number + 499}`),
    )
    await until(() => sent.join().split('"subscribe"').length - 1 === 500)
    expect(screen.events.state.filter(({ state }) => state === 'connecting')).toEqual([])
  })

  it('ends when asked to', async () => {
    const [ada, grace] = await twoColleagues()
    const adas = await connect(ada)
    adas.realtime.follow([grace.user.identityId])
    await shows(adas, grace, 'offline')
    adas.realtime.unfollow([grace.user.identityId])
    expect(adas.realtime.statusOf(grace.user.identityId)).toBeUndefined()
    await grace.browser.call('setPresenceStatus', { status: 'busy' })
    await adas.realtime.setStatus('away')
    await shows(adas, ada, 'away')
    expect(adas.realtime.statusOf(grace.user.identityId)).toBeUndefined()
  })

  it('begins anew in another organization', async () => {
    const [ada, grace] = await twoColleagues()
    const adas = await connect(ada)
    adas.realtime.follow([grace.user.identityId])
    await shows(adas, grace, 'offline')
    const { id } = await ada.browser.call('createOrganization', { name: 'Second' })
    await activate(ada, id)
    await adas.realtime.reconnect()
    expect(adas.events.organization).toEqual([{ organizationId: id }])
    expect(adas.realtime.organizationId).toBe(id)
    await shows(adas, ada, 'online')
    await grace.browser.call('setPresenceStatus', { status: 'busy' })
    await adas.realtime.setStatus('busy')
    expect(adas.realtime.statusOf(grace.user.identityId)).toBeUndefined()
    const { rows } = await office.database.pool.query(
      'select status from presence where user_id = $1 order by organization_id',
      [ada.user.id],
    )
    expect(rows).toEqual([{ status: 'online' }, { status: 'busy' }])
  })

  it('notices by itself that the session has moved, in every tab', async () => {
    const [ada] = await twoColleagues()
    const [adas, second] = [await connect(ada), await connect(ada)]
    await shows(adas, ada, 'online')
    const { id } = await ada.browser.call('createOrganization', { name: 'Third' })
    await ada.browser.call('switchOrganization', { email: ada.email, organizationId: id })
    await until(async () => second.realtime.organizationId === id)
    await until(async () => adas.realtime.organizationId === id)
    expect(adas.events.organization).toEqual([{ organizationId: id }])
  })
})

it('refuses to connect without a session', async () => {
  await expect(connectRealtime(office.browser())).rejects.toMatchObject({ status: 401 })
})

async function twoColleagues(): Promise<[Colleague, Colleague]> {
  const ada = await newColleague(office)
  return [ada, await joinedBy(office, ada)]
}

async function putOut({ user }: Colleague, code: number): Promise<void> {
  const command = { user: user.identityId, disconnect: { code, reason: 'of the test' } }
  await appendCommand(office.database.db, 'disconnect', command, user.identityId)
}

async function activate({ user }: Colleague, organizationId: string): Promise<void> {
  await office.database.pool.query(
    `update sessions set active_organization_id =
       (select id from organizations where identity_organization_id = $1) where user_id = $2`,
    [organizationId, user.id],
  )
  office.office.callers.forget(user.id)
}
