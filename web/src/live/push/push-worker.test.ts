import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { describe, expect, it, vi } from 'vitest'

const SOURCE = readFileSync(join(import.meta.dirname, '../../../public/push-worker.js'), 'utf8')

/** The worker among what a browser gives it. */
function worker(pages: unknown[] = [], more: object = {}) {
  const heard: Record<string, (event: object) => void> = {}
  const registration = { showNotification: vi.fn(async () => {}) }
  const clients = { matchAll: async () => pages, openWindow: vi.fn(async () => {}) }
  const addEventListener = (name: string, listener: (event: object) => void) => {
    heard[name] = listener
  }
  runInNewContext(SOURCE, { addEventListener, registration, clients, self: {}, ...more })
  const hear = async (name: string, event: object) => {
    const done: unknown[] = []
    heard[name]?.({ ...event, waitUntil: (promise: unknown) => done.push(promise) })
    await Promise.all(done)
  }
  return { hear, registration, clients }
}

describe('the worker of pushes', () => {
  it('shows what it is told, one in the place of another of the same', async () => {
    const { hear, registration } = worker()
    const notice = { title: 'Ada', body: 'has written to you', tag: 'conversation 7', path: '/chat/7' }
    await hear('push', { data: { json: () => notice } })
    const { title, body, tag, path: data } = notice
    expect(registration.showNotification).toHaveBeenCalledWith(title, {
      ...{ body, tag, data, icon: '/favicon.svg' },
    })
  })

  it('opens the place, or has an open page go there', async () => {
    const notification = { close: vi.fn(), data: '/chat/7' }
    const nothingOpen = worker()
    await nothingOpen.hear('notificationclick', { notification })
    expect(nothingOpen.clients.openWindow).toHaveBeenCalledWith('/chat/7')

    const page = { postMessage: vi.fn(), focus: vi.fn(async () => {}) }
    const open = worker([page])
    await open.hear('notificationclick', { notification })
    expect(page.postMessage).toHaveBeenCalledWith({ show: '/chat/7' })
    expect(page.focus).toHaveBeenCalled()
    expect(open.clients.openWindow).not.toHaveBeenCalled()
    expect(notification.close).toHaveBeenCalledTimes(2)
  })
})

/** What a browser keeps for an office, and the network to it. */
function shellOf(files: string[], kept: Record<string, string[]>) {
  const stores = new Map(Object.entries(kept).map(([name, paths]) => [name, new Set(paths)]))
  const pathOf = (asked: string | { url: string }) =>
    new URL(typeof asked === 'string' ? asked : asked.url, OFFICE).pathname
  const caches = {
    keys: async () => [...stores.keys()],
    delete: async (name: string) => stores.delete(name),
    match: async (asked: string | { url: string }) =>
      [...stores].find(([, paths]) => paths.has(pathOf(asked))) && `kept ${pathOf(asked)}`,
    open: async (name: string) => {
      const paths = stores.get(name) ?? new Set()
      stores.set(name, paths)
      return {
        addAll: async (all: string[]) => all.map((one) => paths.add(one)),
        put: async (one: string) => paths.add(one),
      }
    },
  }
  const fetch = vi.fn(
    async (_: unknown): Promise<unknown> => new Response('<script src="/assets/index-2.js">'),
  )
  const more = {
    ...{ caches, fetch, URL, location: { origin: OFFICE }, skipWaiting: vi.fn(), Response },
    self: { SHELL: { version: 'index-2.js', files, pages: ['', 'chat'] } },
  }
  const { hear } = worker([], more)
  const ask = async (path: string, request: object = {}) => {
    let answer: Promise<unknown> | undefined
    const respondWith = (given: Promise<unknown>) => {
      answer = given
    }
    await hear('fetch', {
      request: { url: OFFICE + path, method: 'GET', mode: 'cors', ...request },
      respondWith,
    })
    return await (answer ?? 'not touched')
  }
  return {
    hear,
    ask,
    fetch,
    keptNow: () => Object.fromEntries([...stores].map(([name, paths]) => [name, [...paths]])),
  }
}
const OFFICE = 'https://office.example'
const NAVIGATION = { mode: 'navigate' }

describe('the shell of the pages', () => {
  const ASSET = '/assets/index-2.js'

  it('is kept as a whole, in the place of the former one', async () => {
    const { hear, keptNow } = shellOf([ASSET], { 'shell index-1.js': ['/', '/assets/index-1.js'] })
    await hear('install', {})
    await hear('activate', {})
    expect(keptNow()).toEqual({ 'shell index-2.js': [ASSET, '/'] })
  })

  it('is not kept beside a page of another build', async () => {
    const { hear, fetch, keptNow } = shellOf([ASSET], {})
    fetch.mockResolvedValue(new Response('<script src="/assets/index-3.js">'))
    await expect(hear('install', {})).rejects.toThrow('another build')
    expect(keptNow()).toEqual({})
  })

  it('answers for the network, and only where that does not', async () => {
    const { ask, fetch } = shellOf([ASSET], { 'shell index-2.js': ['/', ASSET] })
    fetch.mockResolvedValue('of the office')
    expect(await ask('/chat/7', NAVIGATION)).toBe('of the office')
    expect(await ask(ASSET)).toBe(`kept ${ASSET}`)
    fetch.mockRejectedValue(new TypeError('no network'))
    expect(await ask('/chat/7', NAVIGATION)).toBe('kept /')
  })

  it.each([
    ['an operation', '/api/v1/chat/messages/list', { method: 'POST' }],
    ['what an operation answers', '/members/list', {}],
    ['a page that is no screen', '/docs', NAVIGATION],
  ])('does not come between a page and %s', async (_, path, request) => {
    const { ask, fetch } = shellOf([ASSET], { 'shell index-2.js': ['/', ASSET] })
    expect(await ask(path, request)).toBe('not touched')
    expect(fetch).not.toHaveBeenCalled()
  })
})
