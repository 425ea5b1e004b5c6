import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { describeError } from './log.ts'

const run = promisify(execFile)
const LOG = new URL('log.ts', import.meta.url).href

/** What a process of its own writes that opens a log and does `work` with it. */
async function written(work: string, level = 'trace'): Promise<Record<string, unknown>[]> {
  const program = `
    const { openLog, withoutRedaction } = await import(${JSON.stringify(LOG)})
    const log = openLog({ level: ${JSON.stringify(level)}, forPeople: false })
    ${work}`
  const { stdout } = await run(process.execPath, ['--input-type=module', '--no-warnings', '-e', program])
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

describe('the log', () => {
  it('is one line of JSON each on standard output, of its level and above', async () => {
    const lines = await written(
      `log.debug('no'); log.info({ part: 'a\\nb' }, 'yes'); log.error('too')`,
      'info',
    )
    expect(lines).toMatchObject([
      { level: 30, part: 'a\nb', msg: 'yes' },
      { level: 50, msg: 'too' },
    ])
  })

  it('has its last lines even where the process ends at once', async () => {
    const lines = await written(`log.info('last'); process.exit(0)`)
    expect(lines.map(({ msg }) => msg)).toEqual(['last'])
  })

  it.skipIf(!existsSync('/dev/full'))(
    'where nothing can be written holds up no request, and no end of the process',
    async () => {
      const program = `
      const { openLog } = await import(${JSON.stringify(LOG)})
      const log = openLog({ level: 'info', forPeople: false })
      for (let n = 0; n < 10; n++) {
        log.info({ n, text: 'x'.repeat(1_000) }, 'lost')
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      process.stderr.write('still here')
      process.exit(0)`
      const output = openSync('/dev/full', 'w')
      const child = spawn(process.execPath, ['--input-type=module', '--no-warnings', '-e', program], {
        stdio: ['ignore', output, 'pipe'],
        // it once slept for ever
        timeout: 60_000,
        killSignal: 'SIGKILL',
      })
      closeSync(output)
      const [said, [code]] = await Promise.all([text(child.stderr as Readable), once(child, 'exit')])
      expect([said, code]).toEqual(['still here', 0])
    },
  )

  it('replaces what travels under the name of a secret, down to the third level', async () => {
    const names = ['authorization', 'cookie', 'set-cookie', 'password', 'secret', 'token', 'inviteToken']
    const more = ['pendingAuthenticationToken', 'code', 'codeVerifier', 'connectionString']
    const secrets = Object.fromEntries([...names, ...more].map((name) => [name, 'canary']))
    const [line] = await written(
      `const secrets = ${JSON.stringify(secrets)}
       log.info({ ...secrets, request: { ...secrets, headers: { ...secrets, host: 'kept' } } }, 'request')`,
    )
    expect(JSON.stringify(line)).not.toContain('canary')
    expect(line).toMatchObject({ cookie: '[redacted]', request: { headers: { host: 'kept' } } })
  })

  it('tells of an error what happened, and nothing of the data it carries', async () => {
    const [line] = await written(`
      const cause = Object.assign(new Error('inner'), { detail: 'canary', code: 'ECONNRESET' })
      const err = Object.assign(new Error('outer', { cause }), {
        code: '23505', constraint: 'users_email_key', table: 'users', detail: 'Key (email)=(canary)',
        parameters: ['canary'], response: { body: 'canary' }, config: { headers: { authorization: 'canary' } },
      })
      log.error({ err }, 'failed')`)
    expect(JSON.stringify(line)).not.toContain('canary')
    expect(line?.err).toMatchObject({
      type: 'Error',
      message: 'outer',
      errorCode: '23505',
      constraint: 'users_email_key',
      table: 'users',
      stack: expect.stringContaining('Error: outer'),
      cause: { message: 'inner', errorCode: 'ECONNRESET' },
    })
  })
})

describe('a fault that comes again and again', () => {
  it('is one line a second, with how often it was repeated', async () => {
    const lines = await written(`
      const child = withoutRedaction(log)
      const fail = (message) => Object.assign(new Error(message), { code: 'ECONNREFUSED' })
      for (let count = 0; count < 500; count++) {
        (count % 2 ? log : child).warn({ err: fail('the database is away'), requestId: String(count) }, 'request refused')
        if (count % 50 === 0) log.error({ err: fail('another fault') }, 'job failed')
        log.info({ count }, 'request')
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
      await new Promise((resolve) => setTimeout(resolve, 1_100))`)
    const of = (msg: string) => lines.filter((line) => line.msg === msg)
    expect(of('request')).toHaveLength(500)
    const refused = of('request refused')
    const times = refused.map(({ time }) => Number(time))
    for (const [at, time] of times.slice(1).entries()) expect(time - Number(times[at])).toBeGreaterThan(900)
    // the first line of each window stands for itself, every other for those that were held
    const total = refused.reduce((sum, { repeated }) => sum + (Number(repeated) || 1), 0)
    expect(total).toBe(500)
    expect(refused[0]).toMatchObject({ requestId: '0', err: { message: 'the database is away' } })
    expect(of('job failed').reduce((sum, { repeated }) => sum + (Number(repeated) || 1), 0)).toBe(10)
  })

  it('hides no other one, nor what tells of no error', async () => {
    const lines = await written(`
      for (const message of ['one', 'other', 'one']) log.error({ err: new Error(message) }, 'failed')
      for (let count = 0; count < 3; count++) log.warn({ count }, 'said')
      for (let count = 0; count < 2; count++) log.fatal({ err: new Error('the end') }, 'fatal')`)
    expect(lines.map(({ msg, err, count }) => [msg, (err as Error | undefined)?.message ?? count])).toEqual([
      ['failed', 'one'],
      ['failed', 'other'],
      ...[0, 1, 2].map((count) => ['said', count]),
      ...[1, 2].map(() => ['fatal', 'the end']),
    ])
  })
})

describe('the description of what was thrown', () => {
  it.each([
    ['text', 'text'],
    [undefined, 'undefined'],
    [null, 'null'],
    [7, '7'],
  ])('%o is its text', (thrown, message) => {
    expect(describeError(thrown)).toEqual({ message })
  })

  it('follows every cause', () => {
    const error = new Error('a', { cause: new Error('b', { cause: 'c' }) })
    expect(describeError(error)).toMatchObject({
      message: 'a',
      cause: { message: 'b', cause: { message: 'c' } },
    })
  })
})
