import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../tests/fresh-database.ts'
import { recordedLog } from '../../../tests/recorded-log.ts'
import { openTcpGate } from '../../../tests/run/tcp-gate.ts'
import { listenForNotifications, type Notifications } from './notifications.ts'

let database: FreshDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

const open: Notifications[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((notifications) => notifications.close()))
})

const soon = { timeout: 240_000, interval: 20 }
const notify = (channel: string, payload: string) =>
  database.pool.query({ text: 'select pg_notify($1, $2)', values: [channel, payload] })
const cutListeners = () =>
  database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'atrium notifications' and datname = current_database()`,
  )

function listen(connectionString = database.connectionString) {
  const gaps: boolean[] = []
  const { log, lines } = recordedLog()
  const notifications: Notifications = listenForNotifications({
    connectionString,
    log,
    onGap: () => gaps.push(notifications.isLive()),
    keepalive: { everyMs: 200, answerWithinMs: 500 },
  })
  open.push(notifications)
  return { notifications, gaps, lines }
}

function heard(notifications: Notifications, channel: string): string[] {
  const payloads: string[] = []
  notifications.on(channel, (payload) => payloads.push(payload))
  return payloads
}

describe('notifications', () => {
  it('reach every handler of their channel, and no other', async () => {
    const { notifications } = listen()
    const [one, two, other] = ['news', 'news', 'Odd "name"'].map((channel) => heard(notifications, channel))
    expect(notifications.isLive()).toBe(false)
    await vi.waitFor(() => expect(notifications.isLive()).toBe(true), soon)
    await notify('news', 'a')
    await notify('Odd "name"', '')
    await vi.waitFor(() => expect([one, two, other]).toEqual([['a'], ['a'], ['']]), soon)
  })

  it('reach a handler that came when the connection stood', async () => {
    const { notifications } = listen()
    await vi.waitFor(() => expect(notifications.isLive()).toBe(true), soon)
    const payloads = heard(notifications, 'late')
    expect(notifications.isLive()).toBe(false)
    await vi.waitFor(() => expect(notifications.isLive()).toBe(true), soon)
    await notify('late', 'x')
    await vi.waitFor(() => expect(payloads).toEqual(['x']), soon)
  })

  it('come again after the connection was killed, and both edges of the gap are told', async () => {
    const { notifications, gaps, lines } = listen()
    const payloads = heard(notifications, 'news')
    await vi.waitFor(() => expect(gaps).toEqual([true]), soon)
    await cutListeners()
    await vi.waitFor(() => expect(gaps).toEqual([true, false, true]), soon)
    await notify('news', 'after')
    await vi.waitFor(() => expect(payloads).toEqual(['after']), soon)
    expect(lines.map((line) => line.msg)).toEqual(['database connection lost', 'database connection is back'])
  })

  it('notice a connection that fell silent', async () => {
    const gate = await openTcpGate(database.connectionString)
    const { notifications, gaps } = listen(gate.url)
    const payloads = heard(notifications, 'news')
    await vi.waitFor(() => expect(gaps).toEqual([true]), soon)
    gate.freeze()
    await vi.waitFor(() => expect(gaps).toEqual([true, false]), soon)
    gate.thaw()
    await vi.waitFor(() => expect(gaps).toEqual([true, false, true]), soon)
    await notify('news', 'after')
    await vi.waitFor(() => expect(payloads).toEqual(['after']), soon)
    await notifications.close()
    await gate.close()
  })

  it('survive a handler that throws', async () => {
    const { notifications, lines } = listen()
    notifications.on('news', () => {
      throw new Error('no')
    })
    const payloads = heard(notifications, 'news')
    await vi.waitFor(() => expect(notifications.isLive()).toBe(true), soon)
    await notify('news', 'a')
    await vi.waitFor(() => expect(payloads).toEqual(['a']), soon)
    expect(lines.map((line) => line.msg)).toEqual(['a listener failed'])
  })

  it('wait for a database that is not there, and can be closed meanwhile', async () => {
    const { notifications, gaps } = listen('postgres://nobody@127.0.0.1:1/none')
    heard(notifications, 'news')
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(notifications.isLive()).toBe(false)
    await notifications.close()
    expect(gaps).toEqual([])
  })

  it('end with close, which is a gap too', async () => {
    const { notifications, gaps } = listen()
    await vi.waitFor(() => expect(notifications.isLive()).toBe(true), soon)
    await notifications.close()
    expect(gaps).toEqual([true, false])
  })
})
