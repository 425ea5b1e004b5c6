import { describe, expect, it } from 'vitest'
import { until } from '../../../tests/until.ts'
import { openNodePage } from './node-page.ts'

const FAMILIES = ['http_connections_open', 'nodejs_eventloop_lag_p99_seconds'].map((name) => ({
  ...{ name, help: name, labels: [] },
  type: 'gauge' as const,
}))

const textOf = async (page: ReturnType<typeof openNodePage>) =>
  Buffer.from((await page.current()).plain).toString()

describe('the metrics in the memory of a node', () => {
  it('are put into words when they are asked for, once for all who ask within a second, and then anew', async () => {
    const page = openNodePage(FAMILIES, {})
    let made = 0
    page.collect('http_connections_open', () => {
      made += 1
      return made
    })
    expect(made).toBe(0)
    const texts = await Promise.all([textOf(page), textOf(page), textOf(page)])
    expect(made).toBe(1)
    for (const text of texts) expect(text).toMatch(/^http_connections_open 1$/m)
    await until(async () => /^http_connections_open 2$/m.test(await textOf(page)))
    page.close()
  })

  it('that cannot be made once are made for the next who asks', async () => {
    const page = openNodePage(FAMILIES, {})
    let broken = true
    page.collect('http_connections_open', () => {
      if (broken) throw new Error('no descriptors left')
      return 7
    })
    await expect(page.current()).rejects.toThrow('no descriptors left')
    broken = false
    expect(await textOf(page)).toMatch(/^http_connections_open 7$/m)
    page.close()
  })

  it('tell of the event loop since they were made before', async () => {
    const page = openNodePage(FAMILIES, {})
    expect(await textOf(page)).toMatch(/^nodejs_eventloop_lag_p99_seconds 0$/m)
    await until(async () => {
      const late = /^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(await textOf(page))?.[1]
      return Number(late) > 0
    })
    page.close()
  })
})
