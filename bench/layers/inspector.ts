import { setTimeout as pause } from 'node:timers/promises'

const OPEN_WITHIN_MS = 10_000
const AGAIN_MS = 50

/** The inspector of a process that was started with `--inspect`. */
export interface Inspector {
  // biome-ignore lint/suspicious/noExplicitAny: each method answers something else
  call(method: string, params?: object): Promise<any>
  close(): void
}

export async function openInspector(port: number): Promise<Inspector> {
  const socket = new WebSocket(await addressAt(port))
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true })
    socket.addEventListener('error', () => reject(new Error('the inspector did not open')), { once: true })
  })
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  socket.addEventListener('message', ({ data }) => {
    const { id, result, error } = JSON.parse(String(data))
    const asked = waiting.get(id)
    waiting.delete(id)
    if (error) asked?.reject(new Error(error.message))
    else asked?.resolve(result)
  })
  socket.addEventListener('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('the inspector was closed'))
  })
  let last = 0
  return {
    call(method, params = {}) {
      last += 1
      const answer = Promise.withResolvers<unknown>()
      waiting.set(last, answer)
      socket.send(JSON.stringify({ id: last, method, params }))
      return answer.promise
    },
    close: () => socket.close(),
  }
}

async function addressAt(port: number): Promise<string> {
  const until = Date.now() + OPEN_WITHIN_MS
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/json/list`).catch(() => undefined)
    const [target] = answer?.ok ? ((await answer.json()) as { webSocketDebuggerUrl: string }[]) : []
    if (target) return target.webSocketDebuggerUrl
    if (Date.now() > until) throw new Error(`no inspector answers at port ${port}`)
    await pause(AGAIN_MS)
  }
}
