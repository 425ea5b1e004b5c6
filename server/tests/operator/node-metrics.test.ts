import { randomUUID } from 'node:crypto'
import { operationEntries } from '@atrium/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { VERSION } from '../../src/platform/version.ts'
import { metricsOf } from '../chapters/media-events.ts'
import { openTestOffice, type TestOffice } from '../office.ts'
import { signedUp } from '../people.ts'
import { until } from '../until.ts'

let office: TestOffice
beforeAll(async () => {
  office = await openTestOffice()
})
afterAll(() => office.close())

type Labels = Readonly<Record<string, string>>

const series = async (name: string, labels: Labels = {}) =>
  (await metricsOf(office)).filter(
    (one) =>
      one.name === name && Object.entries(labels).every(([label, value]) => one.labels[label] === value),
  )
const requests = async (labels: Labels) =>
  (await series('http_request_seconds_count', labels)).reduce((sum, { value }) => sum + value, 0)

describe('the metrics of a node', () => {
  it('count requests by operation and class of status', async () => {
    const person = await signedUp(office)
    await person.browser.call('getCurrentUser', {})
    await fetch(`${office.baseUrl}/user/get`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
    })
    await until(async () => (await requests({ operation: 'getCurrentUser', status: '2xx' })) >= 1)
    await until(async () => (await requests({ operation: 'getCurrentUser', status: '4xx' })) >= 1)
    const [seconds] = await series('http_request_seconds_sum', { operation: 'getCurrentUser', status: '2xx' })
    expect(seconds?.value).toBeGreaterThan(0)
  })

  it('have no more series however requests look', async () => {
    const ids = new Set([...operationEntries.map(([id]) => id as string), '(none)'])
    for (let count = 0; count < 60; count++) {
      const name = `canary-${randomUUID()}`
      await fetch(`${office.baseUrl}/${name}?${name}=${name}`, {
        method: ['GET', 'POST', 'DELETE', 'PROPFIND'][count % 4] as string,
        headers: { 'x-request-id': name, 'user-agent': name, cookie: `${name}=1`, 'content-type': name },
      })
      await fetch(`${office.baseUrl}/rooms/${name}`, { headers: { origin: `https://${name}.example` } })
    }
    await until(async () => (await requests({ operation: '(none)' })) >= 60)
    const all = await metricsOf(office)
    expect(JSON.stringify(all)).not.toContain('canary')
    const counts = all.filter(({ name }) => name === 'http_request_seconds_count')
    for (const { labels } of counts) {
      const { operation = '', status } = labels
      expect(ids.has(operation) || operation.startsWith('/'), operation).toBe(true)
      expect(status).toMatch(/^[1-5]xx$/)
    }
    expect(counts.filter(({ labels }) => labels.operation === '(none)')).toHaveLength(1)
  })

  it('tell of connections to the database, of jobs, of what is remembered, and of the process', async () => {
    await until(() => office.office.jobs.isLeader())
    await office.office.jobs.runNow('measure-process')
    await until(async () =>
      (await series('job_runs_total', { job_name: 'measure-process', outcome: 'ok' })).some(
        (one) => one.value > 0,
      ),
    )
    await until(async () => (await series('jobs_leader'))[0]?.value === 1)
    expect((await series('node_ready'))[0]?.value).toBe(1)
    await until(async () => (await series('database_notifications_live'))[0]?.value === 1)
    const pools = new Set((await series('database_connections_max')).map(({ labels }) => labels.pool))
    expect(pools).toEqual(new Set(['requests', 'background', 'media events', 'relay', 'chat', 'chat rows']))
    expect((await series('atrium_build_info'))[0]?.labels).toMatchObject({
      version: VERSION,
      node: process.version,
    })
    const [open] = await series('process_open_fds')
    const [most] = await series('process_max_fds')
    expect(open?.value).toBeGreaterThan(10)
    expect(open?.value).toBeLessThan(most?.value as number)
    expect((await series('data_disk_free_bytes'))[0]?.value).toBeGreaterThan(0)
    const hits = async () =>
      (await series('cache_lookups_total', { cache: 'sessions', result: 'hit' }))[0]?.value ?? 0
    const person = await signedUp(office)
    const before = await hits()
    for (let count = 0; count < 3; count++) await person.browser.call('getCurrentUser', {})
    await until(async () => (await hits()) > before)
  })

  it('tell how old the oldest untaken mail is', async () => {
    const oldest = async () =>
      (await series('background_work_oldest_seconds', { queue: 'mail', class: 'code' }))[0]?.value
    await office.office.jobs.runNow('measure-background-work')
    await until(async () => (await oldest()) === 0)
    await office.database.pool.query(
      `insert into work_items (queue, class, organization_id, payload, created_at, run_at)
        values ('mail', 'code', 0, '{}', now() - interval '90 seconds', now() + interval '1 hour')`,
    )
    await office.office.jobs.runNow('measure-background-work')
    await until(async () => ((await oldest()) ?? 0) > 80)
  })
})
