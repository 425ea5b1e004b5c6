import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { freePort } from '@atrium/embedded-postgres/free-port.ts'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { expect, it } from 'vitest'
import { freshEmail } from '../office.ts'
import { until } from '../until.ts'
import { percentiles, rounds, tellFigures } from './figures.ts'
import { openNodesHarness } from './nodes.ts'
import { ask } from './requests.ts'

const harness = openNodesHarness()

type Mood = 'well' | 'refuses for now' | 'says nothing'

/** A mail server that can be in a mood, or away. */
async function openMailServer(port: number) {
  const received: string[] = []
  let mood: Mood = 'well'
  const answering = (done: (error?: Error | null) => void) => {
    if (mood === 'says nothing') return
    done(mood === 'well' ? null : Object.assign(new Error('later'), { responseCode: 451 }))
  }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onMailFrom: (_address, _session, done) => answering(done),
    onData: (stream, _session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', async () => {
        const mail = await PostalMime.parse(Buffer.concat(chunks))
        received.push(mail.to?.[0]?.address ?? '')
        done()
      })
    },
  })
  server.on('error', () => {})
  const sockets = new Set<Socket>()
  server.server.on('connection', (socket: Socket) => sockets.add(socket))
  const open = async () => {
    server.listen(port, '127.0.0.1')
    await once(server.server, 'listening')
    return (server.server.address() as AddressInfo).port
  }
  await open()
  return {
    received,
    feel: (now: Mood) => {
      mood = now
    },
    cut: () => {
      for (const socket of sockets) socket.destroy()
      sockets.clear()
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

it('a mail server that is away, refuses for now or says nothing makes no caller wait, and has each code once when it is back', async (context) => {
  const port = await freePort()
  const office = await harness.serve({
    settings: { DATABASE_URL: harness.database.connectionString, SMTP_URL: `smtp://127.0.0.1:${port}` },
  })
  const recipients: string[] = []
  const each = rounds(20)
  const signUps = async () => {
    const times: number[] = []
    for (let n = 0; n < each; n++) {
      const email = freshEmail()
      const { status, ms } = await ask(office.url, { path: '/auth/sign-up', body: { email } })
      expect(status).toBe(201)
      recipients.push(email)
      times.push(ms)
    }
    return times
  }
  const away = await signUps()
  const server = await openMailServer(port)
  server.feel('refuses for now')
  const refused = await signUps()
  server.feel('says nothing')
  const silent = await signUps()
  server.feel('well')
  server.cut()
  const began = performance.now()
  const well = await signUps()
  await until(() => recipients.every((email) => server.received.includes(email)))
  const deliveredMs = performance.now() - began
  tellFigures(context, {
    codes: recipients.length,
    mails: server.received.length,
    deliveredMs,
    ...percentiles('well', well),
    ...percentiles('away', away),
    ...percentiles('refused', refused),
    ...percentiles('silent', silent),
  })
  await server.close()
  expect(server.received.toSorted()).toEqual(recipients.toSorted())
  for (const times of [away, refused, silent]) expect(Math.max(...times)).toBeLessThan(2_500)
})
