import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshEmail, openTestOffice, type TestOffice } from '../office.ts'
import { until } from '../until.ts'

const INVITED = '@invited.example'

/** A mail server that answers nothing about an invitation until it is told to. */
async function openSlowMailServer() {
  const gate = Promise.withResolvers<void>()
  const asked: string[] = []
  const taken: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: async ({ address }, _session, done) => {
      asked.push(address)
      if (address.endsWith(INVITED)) await gate.promise
      done()
    },
    onData: (stream, session, done) => {
      stream.resume().on('end', () => {
        taken.push(session.envelope.rcptTo[0]?.address ?? '')
        done()
      })
    },
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    asked,
    taken,
    release: gate.resolve,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

describe('mails of an office', () => {
  let mailServer: Awaited<ReturnType<typeof openSlowMailServer>>
  let office: TestOffice
  beforeAll(async () => {
    mailServer = await openSlowMailServer()
    office = await openTestOffice({ settings: { SMTP_URL: mailServer.url } })
  })
  afterAll(async () => {
    mailServer.release()
    await office.close()
    await mailServer.close()
  })

  it('bring a code while many invitations wait for the mail server', async () => {
    const admin = office.browser()
    await admin.call('devSignIn')
    const emails = Array.from({ length: 20 }, (_, n) => `person-${n}${INVITED}`)
    await admin.call('sendInvitation', { emails })
    await until(() => mailServer.asked.length >= 2)
    const email = freshEmail()
    await office.browser().call('signUp', { email })
    await until(() => mailServer.taken.includes(email))
    expect(mailServer.taken).toEqual([email])
    mailServer.release()
    await until(() => mailServer.taken.length === 21)
    expect(new Set(mailServer.taken)).toEqual(new Set([...emails, email]))
  })
})
