import { describe, expect, it } from 'vitest'
import { metricsAccessOf } from '../../src/compose/parts/metrics.ts'
import { readConfig } from '../../src/configuration/config.ts'
import { metricsPage } from '../../src/features/metrics/routes.ts'
import { machineServer } from '../../src/platform/http/machine-routes.ts'
import { pagePart } from '../../src/platform/metrics/page-part.ts'
import { statusForCollector } from '../vendors/collector.ts'

const METRICS_TOKEN = 'a-token-for-the-collector-0123456789'

describe('who may read the metrics', () => {
  /** Asks a page of its own, with the access that these settings give. */
  async function ask(settings: Record<string, string>, headers: Record<string, string> = {}) {
    const part = pagePart('rtc_x 1\n')
    const page = machineServer(
      metricsPage({
        officePage: { current: async () => part },
        nodePage: { current: async () => part },
        nodeReport: () => Promise.reject(new Error('it was not asked for')) as never,
        access: metricsAccessOf(readConfig({ ATRIUM_ENV: 'test', ...settings }, '/nowhere')),
      }),
      { secure: false },
    )
    try {
      return await statusForCollector(await page.listen({ port: 0, host: '127.0.0.1' }), headers)
    } finally {
      await page.close()
    }
  }

  it.each<[string, Record<string, string>]>([
    ['where others can reach it', { HOST: '0.0.0.0' }],
    ['on this machine too', { HOST: '127.0.0.1' }],
    ['on a port of its own too', { HOST: '0.0.0.0', METRICS_PORT: '9464' }],
  ])('where a token is set, whoever has it: %s', async (_where, settings) => {
    const withToken = { ...settings, METRICS_TOKEN }
    for (const wrong of ['', 'Bearer another', METRICS_TOKEN, `Basic ${METRICS_TOKEN}`])
      expect(await ask(withToken, { authorization: wrong })).toBe(401)
    expect(await ask(withToken)).toBe(401)
    const authorization = `Bearer ${METRICS_TOKEN}`
    expect(await ask(withToken, { authorization })).toBe(200)
    expect(await ask(withToken, { authorization, 'x-forwarded-for': '203.0.113.9' })).toBe(200)
  })

  it('where others can reach it and there is no token, no one', async () => {
    expect(await ask({ HOST: '0.0.0.0' })).toBe(401)
    expect(await ask({ HOST: '0.0.0.0' }, { authorization: 'Bearer undefined' })).toBe(401)
  })

  it('on a port of its own, clients that reach it by any name, but not through a proxy', async () => {
    const apart = { HOST: '0.0.0.0', METRICS_PORT: '9464' }
    expect(await ask(apart, { host: 'atrium.internal:9464' })).toBe(200)
    expect(await ask(apart, { 'x-forwarded-for': '203.0.113.9' })).toBe(401)
  })
})
