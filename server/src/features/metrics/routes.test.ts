import { request } from 'node:http'
import { gunzipSync, inflateRawSync } from 'node:zlib'
import { nodeMetrics, officeMetrics } from '@atrium/contract'
import fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  deliver,
  MEDIA_SETTINGS,
  metricsOf,
  newRoom,
  newSession,
  parseMetrics,
  seriesValue,
  somebody,
  tell,
  untilMetrics,
} from '../../../tests/chapters/media-events.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { statusForCollector } from '../../../tests/vendors/collector.ts'
import { pagePart } from '../../platform/metrics/page-part.ts'
import { metricsPage } from './routes.ts'

let office: TestOffice
beforeAll(async () => {
  office = await openTestOffice({
    settings: { ...MEDIA_SETTINGS, METRICS_PROJECT: 'a "project"\\', METRICS_REGION: 'eu-1' },
  })
})
afterAll(() => office.close())

describe('the page', () => {
  it('is Prometheus text of version 0.0.4, and does not let itself be stored', async () => {
    const answer = await fetch(`${office.baseUrl}/metrics`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('set-cookie')).toBeNull()
  })

  it('tells of an organization with its id, project and region', async () => {
    const { founder, room } = await newRoom(office)
    await deliver(office, tell.room('room_started', newSession(room)))
    await untilMetrics(office, founder.organizationId, { rtc_room_active: 1 })
    const sample = (await metricsOf(office)).find(
      ({ name, labels }) => name === 'rtc_room_active' && labels.org_id === founder.organizationId,
    )
    expect(sample?.labels).toEqual({
      org_id: founder.organizationId,
      project: 'a "project"\\',
      region: 'eu-1',
    })
  })

  it('has every metric of the catalogue in its type, once, with its help', async () => {
    const { founder, room } = await newRoom(office)
    const session = newSession(room)
    const who = somebody(founder.id)
    const egress = { egressId: 'EG_page', roomName: room, roomComposite: {} }
    const ingress = { ingressId: 'IN_page', roomName: room }
    for (const event of [
      tell.room('room_started', session),
      tell.participant('participant_joined', session, who),
      tell.track('track_published', session, who, { sid: 'TR_page', source: 'CAMERA', type: 'VIDEO' }),
      tell.participant('participant_connection_aborted', session, somebody('1')),
      tell.participant('participant_left', session, who),
      tell.room('room_finished', session),
      tell.egress('egress_started', egress),
      tell.egress('egress_ended', egress),
      tell.ingress('ingress_started', ingress),
      tell.ingress('ingress_ended', ingress),
    ])
      await deliver(office, event)
    await untilMetrics(office, founder.organizationId, { rtc_ingress_ended_total: 1 })
    await office.office.jobs.runNow('refresh-metrics')
    await untilMetrics(office, founder.organizationId, { 'rtc_unique_participants{window=7d}': 1 })
    const text = await (await fetch(`${office.baseUrl}/metrics`)).text()
    const types = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name, type]) => `${name} ${type}`)
    const expected = [...officeMetrics, ...nodeMetrics].map(({ name, type }) => `${name} ${type}`)
    expect(types.toSorted()).toEqual(expected.toSorted())
    expect([...text.matchAll(/^# HELP (\w+) \S/gm)]).toHaveLength(expected.length)
    for (const { name, labels, tenant } of officeMetrics) {
      const sample = parseMetrics(text).find(
        (one) => one.name.startsWith(name) && (!tenant || one.labels.org_id === founder.organizationId),
      )
      const own = Object.keys(sample?.labels ?? {}).filter((label) => label !== 'le')
      expect([name, own.toSorted()]).toEqual([
        name,
        [...(tenant ? ['org_id'] : []), ...labels, 'project', 'region'].toSorted(),
      ])
    }
  })

  it('names every metric and its type before anything has happened', async () => {
    const fresh = await openTestOffice({ settings: MEDIA_SETTINGS })
    try {
      const text = await (await fetch(`${fresh.baseUrl}/metrics`)).text()
      const types = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name, type]) => `${name} ${type}`)
      const expected = [...officeMetrics, ...nodeMetrics].map(({ name, type }) => `${name} ${type}`)
      expect(types.toSorted()).toEqual(expected.toSorted())
    } finally {
      await fresh.close()
    }
  })

  it('has no series of an organization where nothing happened', async () => {
    const { founder } = await newRoom(office)
    await office.office.jobs.runNow('refresh-metrics')
    const own = (await metricsOf(office)).filter(({ labels }) => labels.org_id === founder.organizationId)
    expect(own).toEqual([])
  })

  it('is that of the node alone while the series of the office cannot be read', async () => {
    const server = fastify()
    metricsPage({
      officePage: { current: () => new Promise(() => {}) },
      nodePage: { current: async () => pagePart('node_up 1\n') },
      nodeReport: () => ({}) as never,
      access: { token: undefined, withoutToken: 'whoever-reaches-it' },
    }).addTo(server)
    try {
      const base = await server.listen({ port: 0, host: '127.0.0.1' })
      expect(await (await fetch(`${base}/metrics`)).text()).toBe('node_up 1\n')
    } finally {
      await server.close()
    }
  })

  it('is the same compressed, for those who take it so', async () => {
    const { port } = new URL(office.baseUrl)
    const bytes = await new Promise<Buffer>((resolve, reject) => {
      const options = { port, path: '/metrics', headers: { 'accept-encoding': 'gzip' } }
      request(options, (answer) => {
        expect(answer.headers['content-encoding']).toBe('gzip')
        const parts: Buffer[] = []
        answer.on('data', (part: Buffer) => parts.push(part)).on('end', () => resolve(Buffer.concat(parts)))
      })
        .on('error', reject)
        .end()
    })
    // one member: browsers and some collectors read no second one
    const text = inflateRawSync(bytes.subarray(10)).toString()
    expect(gunzipSync(bytes).toString()).toBe(text)
    const samples = parseMetrics(text)
    expect(seriesValue(samples, 'rtc_webhook_dropped_total')).toBe(0)
    expect(samples.some(({ name }) => name === 'rtc_room_active')).toBe(true)
  })

  it('keeps the name of an organization right, and forgets those that are gone', async () => {
    const { founder, room } = await newRoom(office)
    await deliver(office, tell.room('room_started', newSession(room)))
    await untilMetrics(office, founder.organizationId, { 'rtc_org_info{org_name=Acme}': 1 })
    const name = 'Acme "Nord"\\Süd'
    await founder.browser.call('updateOrganization', { organizationId: founder.organizationId, name })
    await office.office.jobs.runNow('refresh-metrics')
    await untilMetrics(office, founder.organizationId, { [`rtc_org_info{org_name=${name}}`]: 1 })
    const named = (await metricsOf(office)).filter(
      (one) => one.name === 'rtc_org_info' && one.labels.org_id === founder.organizationId,
    )
    expect(named).toHaveLength(1)

    await founder.browser.call('deleteOrganization', { organizationId: founder.organizationId })
    await office.office.jobs.runNow('refresh-metrics')
    const { until } = await import('../../../tests/until.ts')
    await until(async () =>
      (await metricsOf(office)).every(({ labels }) => labels.org_id !== founder.organizationId),
    )
  })

  it('counts those with a stored presence that is not offline', async () => {
    const { founder } = await newRoom(office)
    await founder.browser.call('setPresenceStatus', { status: 'appear_offline' })
    await office.office.jobs.runNow('refresh-metrics')
    await untilMetrics(office, founder.organizationId, { rtc_participants_connected: 1 })
  })
})

describe('who may read it', () => {
  it('on this machine, a caller who asks it by a name of this machine and not through a proxy', async () => {
    const statusWith = (headers: Record<string, string>) => statusForCollector(office.baseUrl, headers)
    const { port } = new URL(office.baseUrl)
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, 'localhost', `[::1]:${port}`])
      expect(await statusWith({ host })).toBe(200)
    const proxied: Record<string, string>[] = [
      { 'x-forwarded-for': '203.0.113.9' },
      { 'x-forwarded-for': '' },
      { forwarded: 'for=203.0.113.9' },
      { 'x-real-ip': '203.0.113.9' },
      { 'x-forwarded-proto': 'https' },
      { 'x-forwarded-host': 'office.example' },
      { via: '1.1 edge' },
      // silent proxies, and pages of other sites that made their name lead here
      { host: 'office.example' },
      { host: 'localhost.office.example' },
    ]
    for (const headers of proxied) expect([headers, await statusWith(headers)]).toEqual([headers, 401])
  })

  it('is not on the port of the office where it has one of its own', async () => {
    const apart = await openTestOffice({
      settings: { ...MEDIA_SETTINGS, HOST: '0.0.0.0', METRICS_PORT: '9464' },
    })
    try {
      expect((await fetch(`${apart.baseUrl}/metrics`)).status).toBe(404)
    } finally {
      await apart.close()
    }
  })
})
