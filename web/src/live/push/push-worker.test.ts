import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { describe, expect, it, vi } from 'vitest'

const SOURCE = readFileSync(join(import.meta.dirname, '../../../public/push-worker.js'), 'utf8')

/** The worker among what a browser gives it. */
function worker(pages: unknown[] = []) {
  const heard: Record<string, (event: object) => void> = {}
  const registration = { showNotification: vi.fn(async () => {}) }
  const clients = { matchAll: async () => pages, openWindow: vi.fn(async () => {}) }
  const addEventListener = (name: string, listener: (event: object) => void) => {
    heard[name] = listener
  }
  runInNewContext(SOURCE, { addEventListener, registration, clients })
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
