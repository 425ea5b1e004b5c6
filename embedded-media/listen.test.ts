import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { openLiveMedia } from './live-media-fixture.ts'

it('bears addresses that are none, and goes on serving', async () => {
  const media = await openLiveMedia({ cameras: 1, people: 2, waiting: 1 })
  const answerTo = async (more: string) => {
    const socket = connect(Number(new URL(media.baseUrl).port), '127.0.0.1')
    socket.write(`GET //[ HTTP/1.1\r\nHost: a\r\n${more}\r\n`)
    const [answer] = await once(socket, 'data')
    socket.destroy()
    return String(answer)
  }
  try {
    expect(await answerTo('')).toContain('404')
    expect(await answerTo('Connection: Upgrade\r\nUpgrade: websocket\r\n')).toContain('404')
    expect((await fetch(media.baseUrl)).status).toBe(200)
  } finally {
    await media.close()
  }
})
