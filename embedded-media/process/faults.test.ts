import { describe, expect, it } from 'vitest'
import type { Order } from '../messages.ts'
import { errorOf, faultOf } from './faults.ts'
import { startMediaProcess } from './start-media-process.ts'

describe('what goes wrong in the process that carries media', () => {
  it('is told to the process that started it as one error, and written nowhere else', async () => {
    const told: { error: unknown; message: string }[] = []
    const { promise: isTold, resolve } = Promise.withResolvers<void>()
    const reports: string[] = []
    const media = startMediaProcess({
      address: '127.0.0.1',
      cameras: 1,
      onReport: ({ report }) => reports.push(report),
      onEnded: () => undefined,
      onWarning(error, message) {
        told.push({ error, message })
        resolve()
      },
    })
    try {
      // nothing that this process would send
      media.start()
      media.send(null as unknown as Order)
      await isTold
    } finally {
      await media.close()
    }
    expect(told).toMatchObject([
      { error: { name: 'TypeError' }, message: 'the embedded media server met a fault' },
    ])
    const [fault] = told.map(({ error }) => error as Error)
    expect(fault?.stack).toContain('media-server.ts')
    expect(fault?.message).not.toContain('\n')
    expect(reports).not.toContain('fault')
  })

  it('is also told where a library writes it onto its error output', async () => {
    const told: string[] = []
    const { promise: isTold, resolve } = Promise.withResolvers<void>()
    const media = startMediaProcess({
      address: '127.0.0.1',
      cameras: 1,
      // it does not get so far as to speak for itself
      nodeOptions: ['--no-such-option'],
      onReport: () => undefined,
      onEnded: () => undefined,
      onWarning(_error, message) {
        told.push(message)
        if (message.includes('--no-such-option')) resolve()
      },
    })
    media.start()
    await isTold
    await media.close()
    expect(told.find((message) => message.includes('--no-such-option'))).toMatch(
      /^the embedded media server wrote: /,
    )
  })

  it('names no token and no password of a connection, and is no longer than it helps', () => {
    const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0MiJ9.c2lnbmF0dXJl'
    const error = new Error(`cannot read a=ice-pwd:p4ssw0rd of ${token} ${'x'.repeat(10_000)}`)
    const { message, stack } = errorOf(faultOf(error))
    expect(message).toMatch(/^cannot read a=\[redacted] of \[redacted] x+$/)
    expect(`${message}${stack}`).not.toMatch(/p4ssw0rd|eyJ/)
    expect(message.length).toBe(4_096)
    expect(errorOf(faultOf('a word'))).toMatchObject({ name: 'Error', message: 'a word' })
  })
})
