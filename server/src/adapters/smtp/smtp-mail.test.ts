import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterEach, describe, expect, it } from 'vitest'
import { ProviderFailure } from '../../platform/refusal.ts'
import { Secret } from '../../platform/secrets/secret.ts'
import type { MailMessage } from '../../ports/mail.ts'
import { type SmtpMail, smtpMail } from './smtp-mail.ts'

const message: MailMessage = {
  to: 'ada@example.com',
  subject: 'Ihr Code ✓',
  text: 'Der Code: 123456',
  html: '<p>Der Code: <b>123456</b></p>',
}

interface Received {
  recipients: string[]
  mail: Email
}

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

/** A mail server that keeps what it takes; `options` change how it behaves. */
async function startServer(options: SMTPServerOptions = {}, port = 0) {
  const received: Received[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', async () => {
        const mail = await PostalMime.parse(Buffer.concat(chunks))
        received.push({ recipients: session.envelope.rcptTo.map(({ address }) => address), mail })
        done()
      })
    },
    ...options,
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', () => resolve()))
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()))
  cleanUps.push(close)
  return { received, close, port: (server.server.address() as AddressInfo).port }
}

function connect(port: number, from = 'Atrium <no-reply@atrium.example>'): SmtpMail {
  const timeouts = { connect: 1_000, silence: 1_000, whole: 3_000 }
  const mail = smtpMail({ url: new Secret(`smtp://127.0.0.1:${port}`), from, timeouts })
  cleanUps.push(() => mail.close())
  return mail
}

async function failureOf(work: Promise<void>): Promise<ProviderFailure> {
  const outcome = await work.then(
    () => new Error('nothing failed'),
    (error: unknown) => error,
  )
  if (outcome instanceof ProviderFailure) return outcome
  throw outcome
}

const answering = (code: number, text: string) => Object.assign(new Error(text), { responseCode: code })

describe('mail by SMTP', () => {
  it('arrives with both parts, sender and headers', async () => {
    const { received, port } = await startServer()
    await connect(port).send(message)
    expect(received).toHaveLength(1)
    expect(received[0]?.recipients).toEqual(['ada@example.com'])
    const mail = received[0]?.mail
    expect(mail).toMatchObject({
      from: { name: 'Atrium', address: 'no-reply@atrium.example' },
      to: [{ name: '', address: 'ada@example.com' }],
      subject: 'Ihr Code ✓',
    })
    expect(mail?.text?.trim()).toBe('Der Code: 123456')
    expect(mail?.html?.trim()).toBe('<p>Der Code: <b>123456</b></p>')
    expect(mail?.headers).toContainEqual(
      expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }),
    )
  })

  it('lets no text become a header, a recipient or a file', async () => {
    const { received, port } = await startServer()
    const subject = 'Hello\r\nBcc: eve@example.com\r\n\r\nbody'
    const from = '"Org\r\nBcc: eve@example.com" <no-reply@atrium.example>'
    await connect(port, from).send({
      ...message,
      subject,
      text: '/etc/passwd',
      html: '<img src="/etc/passwd">',
    })
    expect(received[0]?.recipients).toEqual(['ada@example.com'])
    const mail = received[0]?.mail
    expect(mail?.headers.map(({ key }) => key)).not.toContain('bcc')
    expect(mail?.subject).toBe('Hello Bcc: eve@example.com body')
    expect(mail?.text?.trim()).toBe('/etc/passwd')
    expect(mail?.attachments).toEqual([])
  })

  it.each([
    'ada@example.com\r\nRCPT TO:<eve@example.com>',
    'ada@example.com> <eve@example.com',
    'ada@example.com, eve@example.com',
    'ada@example.com,eve@example.com',
    'Ada: ada@example.com, eve@example.com;',
    'Ada <ada@example.com>',
    '"ada@example.com, eve"@example.com',
    'ada@example.com\u0000',
    '',
  ])('is never taken for the address %j', async (to) => {
    const { received, port } = await startServer()
    expect((await failureOf(connect(port).send({ ...message, to }))).retryable).toBe(false)
    expect(received).toEqual([])
  })

  it('is refused for good by a 5xx for its recipient, and does not repeat the address', async () => {
    const { port } = await startServer({
      onRcptTo: ({ address }, _session, done) => done(answering(550, `5.1.1 <${address}> is unknown here`)),
    })
    const failure = await failureOf(connect(port).send(message))
    expect(failure).toMatchObject({ provider: 'smtp', action: 'mail.send', retryable: false })
    expect((failure.cause as { code: string }).code).toBe('EENVELOPE 550 5.1.1')
    expect(`${failure.message} ${(failure.cause as Error).stack}`).not.toContain('ada@')
  })

  it.each([
    ['a 4xx for its recipient', { onRcptTo: (_to, _session, done) => done(answering(451, 'later')) }],
    ['a 5xx for its sender', { onMailFrom: (_from, _session, done) => done(answering(550, 'not you')) }],
    ['a 5xx for everybody', { onConnect: (_session, done) => done(answering(554, 'closed')) }],
    [
      'a 4xx for its content',
      {
        onData: (stream, _session, done) => {
          stream.resume()
          stream.on('end', () => done(answering(452, 'full')))
        },
      },
    ],
    ['a silence', { onRcptTo: () => {} }],
    ['a silent greeting', { onConnect: () => {} }],
    ['a wanted password', { authOptional: false }],
  ] as [string, SMTPServerOptions][])('may be tried again after %s', async (_case, options) => {
    const { received, port } = await startServer(options)
    expect((await failureOf(connect(port).send(message))).retryable).toBe(true)
    expect(received).toEqual([])
  })

  it('goes through the same connection pool once a server is back', async () => {
    const first = await startServer()
    const mail = connect(first.port)
    await mail.check()
    await mail.send(message)
    await first.close()
    expect(await failureOf(mail.send(message))).toMatchObject({ retryable: true })
    expect(await failureOf(mail.check())).toMatchObject({ action: 'mail.check', retryable: true })
    const second = await startServer({}, first.port)
    await mail.check()
    await mail.send(message)
    expect([first.received.length, second.received.length]).toEqual([1, 1])
  })

  it('wants one sender', () => {
    for (const from of ['', 'Atrium', 'a@example.com, b@example.com']) {
      expect(() => connect(1, from)).toThrow('must be one address')
    }
  })
})
