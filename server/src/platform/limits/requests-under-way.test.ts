import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { recordedLog } from '../../../tests/recorded-log.ts'
import { sharedReads } from '../database/shared-reads.ts'
import { newWaitingBudget, withinWaitingBudget } from '../database/waiting-budget.ts'
import { createServer } from '../http/server.ts'
import { comeBackToDoor, requestsUnderWay } from './requests-under-way.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** A server with requests that name their owner, and end when they are told to. */
async function open(
  sizes: { person: number; organization: number },
  work?: () => Promise<void>,
  waitBefore?: (name: string) => Promise<void>,
) {
  const underWay = requestsUnderWay(() => sizes)
  const begun: string[] = []
  const gone: string[] = []
  const arrived: string[] = []
  const ends = new Map<string, (error?: Error) => void>()
  const server = await createServer({ log: recordedLog().log, trustProxy: [], origins: [], secure: false })
  const nameOf = (url: string) => url.split('/').at(-1) as string
  server.addHook('onRequest', async ({ url }) => {
    arrived.push(nameOf(url))
    await waitBefore?.(nameOf(url))
  })
  server.addHook('onRequestAbort', async ({ url }) => void gone.push(nameOf(url)))
  server.get<{ Params: { organization: string; person: string; name: string } }>(
    '/:organization/:person/:name',
    async ({ params: { name, ...owner } }, reply) =>
      await withinWaitingBudget(newWaitingBudget(60_000), () =>
        underWay.run(owner, reply, async () => {
          begun.push(name)
          await work?.()
          const { promise, resolve, reject } = Promise.withResolvers<void>()
          ends.set(name, (error) => (error ? reject(error) : resolve()))
          await promise
          return name
        }),
      ),
  )
  const base = await server.listen({ port: 0, host: '127.0.0.1' })
  closing.push(() => server.close())
  return {
    ...{ begun, arrived, gone },
    async end(name: string, error?: Error) {
      await expect.poll(() => ends.has(name)).toBe(true)
      ends.get(name)?.(error)
    },
    ask: async (path: string, signal?: AbortSignal) =>
      (await fetch(`${base}/${path}`, signal ? { signal } : {})).status,
  }
}

describe('requests under way', () => {
  it('are so many of one person, and the next begins when one has ended, even with an error', async () => {
    const { ask, begun, end } = await open({ person: 1, organization: 5 })
    const first = ask('engines/ada/one')
    await expect.poll(() => begun).toEqual(['one'])
    const second = ask('engines/ada/two')
    const other = ask('engines/ben/three')
    await expect.poll(() => begun).toEqual(['one', 'three'])
    await end('one', new Error('it failed'))
    expect(await first).toBe(500)
    await end('two')
    await end('three')
    expect(await Promise.all([second, other])).toEqual([200, 200])
  })

  it('are as many as share a statement of one among them', async () => {
    const answer = Promise.withResolvers<void>()
    const read = sharedReads(async (questions: readonly string[]) => {
      await answer.promise
      return questions
    })
    const atOnce = Promise.withResolvers<void>()
    const { ask, begun, arrived, end } = await open(
      { person: 2, organization: 2 },
      async () => void (await read('status')),
      () => atOnce.promise,
    )
    const names = ['one', 'two', 'three', 'four', 'five']
    const asked = names.map((name) => ask(`engines/ada/${name}`))
    await expect.poll(() => arrived).toHaveLength(names.length)
    atOnce.resolve()
    await expect.poll(() => begun.toSorted()).toEqual(names.toSorted())
    answer.resolve()
    for (const name of names) await end(name)
    expect(await Promise.all(asked)).toEqual([200, 200, 200, 200, 200])
  })

  it('are not begun for who hung up while they waited', async () => {
    const { ask, begun, end, ...seen } = await open({ person: 1, organization: 5 })
    const first = ask('engines/ada/one')
    await expect.poll(() => begun).toEqual(['one'])
    const hangUp = new AbortController()
    const gone = ask('engines/ada/two', hangUp.signal).catch(() => 'hung up')
    await expect.poll(() => seen.arrived).toContain('two')
    const third = ask('engines/ada/three')
    hangUp.abort()
    expect(await gone).toBe('hung up')
    await expect.poll(() => seen.gone).toEqual(['two'])
    await end('one')
    await end('three')
    expect(await Promise.all([first, third])).toEqual([200, 200])
    expect(begun).toEqual(['one', 'three'])
  })

  it('are not begun for who hung up while they waited for something before, whether there is room or not', async () => {
    const { promise: paid, resolve: pay } = Promise.withResolvers<void>()
    const { ask, begun, end, ...seen } = await open({ person: 1, organization: 5 }, undefined, (name) =>
      name.startsWith('late') ? paid : Promise.resolve(),
    )
    const first = ask('engines/ada/one')
    await expect.poll(() => begun).toEqual(['one'])
    const hangUp = new AbortController()
    const gone = ['engines/ada/late-a', 'engines/ben/late-b'].map((path) =>
      ask(path, hangUp.signal).catch(() => 'hung up'),
    )
    await expect.poll(() => seen.arrived).toHaveLength(3)
    hangUp.abort()
    expect(await Promise.all(gone)).toEqual(['hung up', 'hung up'])
    await expect.poll(() => seen.gone).toHaveLength(2)
    pay()
    const last = [ask('engines/ada/two'), ask('engines/ben/three')]
    for (const name of ['one', 'two', 'three']) await end(name)
    expect(await Promise.all([first, ...last])).toEqual([200, 200, 200])
    expect(begun.toSorted()).toEqual(['one', 'three', 'two'])
  })

  it('that have begun go on when who sent them hangs up, and give their room back', async () => {
    const { ask, begun, end, ...seen } = await open({ person: 1, organization: 5 })
    const hangUp = new AbortController()
    const first = ask('engines/ada/one', hangUp.signal).catch(() => 'hung up')
    await expect.poll(() => begun).toEqual(['one'])
    hangUp.abort()
    expect(await first).toBe('hung up')
    await expect.poll(() => seen.gone).toEqual(['one'])
    const second = ask('engines/ada/two')
    await expect.poll(() => seen.arrived).toContain('two')
    expect(begun).toEqual(['one'])
    await end('one')
    await end('two')
    expect(await second).toBe(200)
  })

  it('take no room while another server is asked, for any caller', async () => {
    const silent = createHttpServer(() => {})
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const vendor = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
    const gone = new AbortController()
    closing.push(async () => silent.close())
    const { ask, begun, end } = await open({ person: 1, organization: 1 }, async () => {
      await new Promise((resolve) => setImmediate(resolve))
      if (begun.length === 1) void fetch(vendor, { signal: gone.signal }).catch(() => {})
    })
    const first = ask('engines/ada/one')
    await expect.poll(() => begun).toEqual(['one'])
    const colleague = ask('engines/ben/two')
    await expect.poll(() => begun).toEqual(['one', 'two'])
    const second = ask('engines/ada/three')
    await end('two')
    expect(await colleague).toBe(200)
    await expect.poll(() => begun).toEqual(['one', 'two', 'three'])
    await end('one')
    await end('three')
    expect(await Promise.all([first, second])).toEqual([200, 200])
    gone.abort()
  })

  it('that have asked another server wait for room again where they come back to the door, once', async () => {
    const silent = createHttpServer(() => {})
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const vendor = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
    const gone = new AbortController()
    closing.push(async () => silent.close())
    const answered = Promise.withResolvers<void>()
    const back: string[] = []
    const { ask, begun, end } = await open({ person: 1, organization: 1 }, async () => {
      const name = begun.at(-1) as string
      await comeBackToDoor()
      if (name !== 'one') return
      await new Promise((resolve) => setImmediate(resolve))
      void fetch(vendor, { signal: gone.signal }).catch(() => {})
      await answered.promise
      await comeBackToDoor()
      await comeBackToDoor()
      back.push(name)
    })
    const first = ask('engines/ada/one')
    await expect.poll(() => begun).toEqual(['one'])
    const second = ask('engines/ben/two')
    await expect.poll(() => begun).toEqual(['one', 'two'])
    answered.resolve()
    const third = ask('engines/ben/three')
    expect(back).toEqual([])
    await end('two')
    await expect.poll(() => back).toEqual(['one'])
    expect(begun).toEqual(['one', 'two'])
    await end('one')
    await end('three')
    expect(await Promise.all([first, second, third])).toEqual([200, 200, 200])
    gone.abort()
  })

  it('are any number where there is no limit', async () => {
    const { ask, begun, end } = await open({ person: 0, organization: 0 })
    const names = Array.from({ length: 20 }, (_, n) => `n${n}`)
    const answers = names.map((name) => ask(`engines/ada/${name}`))
    await expect.poll(() => begun.length).toBe(20)
    for (const name of names) await end(name)
    expect(new Set(await Promise.all(answers))).toEqual(new Set([200]))
  })
})
