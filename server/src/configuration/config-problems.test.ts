import { describe, expect, it } from 'vitest'
import { problemsIn } from '../../tests/operator/configuration-problems.ts'
import { PRODUCTION } from '../../tests/operator/production-settings.ts'
import { readConfig } from './config.ts'
import { DEVELOPMENT_SECRET_KEY } from './settings.ts'

const LONG = 'x'.repeat(32)

describe('production', () => {
  it('names every setting that is missing, at once', () => {
    const problems = problemsIn({ ATRIUM_ENV: 'production' })
    const names = ['BASE_URL', 'SECRET_KEY', 'SMTP_URL', 'DATABASE_URL']
    expect(problems.map((line) => line.split(' ')[0])).toEqual(names)
    for (const line of problems) expect(line).toContain('is missing')
  })

  it('has the store that the recorder of its media server writes into', () => {
    const livekit = {
      LIVEKIT_URL: 'https://media.example',
      LIVEKIT_API_KEY: 'key',
      LIVEKIT_API_SECRET: PRODUCTION.SECRET_KEY,
    }
    const store = { STORAGE: 's3', S3_ENDPOINT: 'https://store.example', S3_BUCKET: 'office' }
    expect(() => readConfig({ ...PRODUCTION, ...livekit }, '/nowhere')).toThrow(/STORAGE=s3/)
    const keys = { S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: 'a secret' }
    const { s3 } = readConfig({ ...PRODUCTION, ...livekit, ...store, ...keys }, '/nowhere')
    expect(s3).toMatchObject({ bucket: 'office' })
  })

  it('runs on the embedded database only where it is told so', () => {
    const { EMBEDDED_DATABASE: _, ...unset } = PRODUCTION
    expect(problemsIn(unset)).toEqual([expect.stringContaining('EMBEDDED_DATABASE=true')])
    expect(problemsIn({ ...unset, DATABASE_URL: 'postgres://u:p@db.example/x' })).toEqual([])
    expect(problemsIn({ ATRIUM_ENV: 'development' })).toEqual([])
  })

  it.each(['SECRET_KEY', 'SECRET_KEY_PREVIOUS'])('refuses the default of development as %s', (name) => {
    const problems = problemsIn({ ...PRODUCTION, [name]: ` ${DEVELOPMENT_SECRET_KEY} ` })
    expect(problems).toEqual([expect.stringMatching(new RegExp(`^${name} is the public default`))])
  })

  it('is content with what it needs', () => {
    expect(problemsIn(PRODUCTION)).toEqual([])
  })

  const KEYS = [
    'SECRET_KEY',
    'SECRET_KEY_PREVIOUS',
    'BROKER_TOKEN_SECRET',
    'BROKER_PROXY_SECRET',
    'CENTRIFUGO_API_KEY',
    'LIVEKIT_API_SECRET',
    'RECORDINGS_WEBHOOK_SECRET',
    'METRICS_TOKEN',
    'CHAT_TOKEN_SECRET',
  ]
  it.each(KEYS)('refuses a %s that can be guessed, and does not repeat it', (name) => {
    for (const guessable of ['a'.repeat(40), 'k3Vq9Zx7'.repeat(5), '0123456789abcdef0123456789abcdef']) {
      const problems = problemsIn({ ...PRODUCTION, [name]: guessable })
      expect(problems).toEqual([expect.stringMatching(new RegExp(`^${name} can be guessed`))])
      expect(problems.join()).not.toContain(guessable)
    }
  })

  it('names every secret that can be guessed, at once', () => {
    const guessable = Object.fromEntries(KEYS.map((name) => [name, 'a'.repeat(40)]))
    const named = problemsIn({ ...PRODUCTION, ...guessable }).map((line) => line.split(' ')[0])
    expect(named.toSorted()).toEqual(KEYS.toSorted())
  })

  it('leaves the look of secrets to others that others have made', () => {
    const theirs = { GOOGLE_CLIENT_SECRET: 'a'.repeat(40), S3_SECRET_ACCESS_KEY: 'minioadmin' }
    expect(problemsIn({ ...PRODUCTION, ...theirs })).toEqual([])
  })

  it.each(['BASE_URL', 'FRONTEND_URL'])('refuses a %s without https, but on this machine', (name) => {
    const problems = problemsIn({ ...PRODUCTION, [name]: 'http://office.example' })
    expect(problems).toEqual([
      expect.stringMatching(new RegExp(`^${name} is http://office.example: .*https`)),
    ])
    for (const loopback of ['http://localhost:3000', 'http://127.0.0.1', 'http://[::1]:3000'])
      expect(problemsIn({ ...PRODUCTION, [name]: loopback })).toEqual([])
  })

  it.each(['BROKER_PUBLIC_URL', 'LIVEKIT_PUBLIC_URL'])(
    'refuses a %s that sends people without TLS, but on this machine',
    (name) => {
      expect(problemsIn({ ...PRODUCTION, [name]: 'ws://live.example' })).toEqual([
        expect.stringMatching(new RegExp(`^${name} is ws://live.example: .*wss`)),
      ])
      for (const protectedOne of ['wss://live.example', 'ws://127.0.0.1:8000', 'ws://localhost:7880'])
        expect(problemsIn({ ...PRODUCTION, [name]: protectedOne })).toEqual([])
    },
  )
})

describe('an environment that was forgotten', () => {
  const BEYOND = { BASE_URL: 'https://office.example', FRONTEND_URL: 'https://app.example', HOST: '0.0.0.0' }

  it.each([
    ['BASE_URL', 'https://office.example'],
    ['BASE_URL', 'http://10.0.0.4:3000'],
    ['FRONTEND_URL', 'https://app.example'],
    ['HOST', '0.0.0.0'],
    ['HOST', '::'],
    ['HOST', '192.0.2.1'],
  ])('is no office that reaches beyond this machine by %s=%s', (name, value) => {
    const problems = problemsIn({ [name]: value, SECRET_KEY: LONG })
    expect(problems).toEqual([expect.stringMatching(new RegExp(`^${name} is .*ATRIUM_ENV is not set`))])
    expect(problems[0]).toContain('ATRIUM_ENV=production')
  })

  it('is told of each setting that reaches beyond', () => {
    const problems = problemsIn({ ...BEYOND, ATRIUM_ENV: ' ' })
    expect(problems.map((line) => line.split(' ')[0])).toEqual(['BASE_URL', 'FRONTEND_URL', 'HOST'])
  })

  it('is none where development is meant', () => {
    expect(problemsIn({ ...BEYOND, ATRIUM_ENV: 'development' })).toEqual([])
  })

  it('is none where nothing reaches beyond this machine', () => {
    const near = { BASE_URL: 'http://localhost:4000', FRONTEND_URL: 'http://127.0.0.1:5173', HOST: '::1' }
    expect(problemsIn(near)).toEqual([])
  })
})

describe('a password in an address', () => {
  it.each([
    ['BASE_URL', 'https://ada:canary@office.example', 'give the address alone'],
    ['FRONTEND_URL', 'https://canary@app.example', 'give the address alone'],
    ['BASE_URL', 'htps://ada:canary@office.example', 'is not an http or https address'],
    ['BASE_URL', 'ada:canary@office.example', 'is not an http or https address'],
    ['ALLOWED_ORIGINS', 'ftp://ada:canary@app.example', 'is not an http or https origin'],
    ['ALLOWED_ORIGINS', 'https://ada:canary@app.example', 'is not an http or https origin'],
    ['S3_ENDPOINT', 'ada:canary@s3.example', 'is not an http or https address: …@s3.example'],
    ['S3_ENDPOINT', 'ada:a/canary@s3.example', 'is not an http or https address: …@s3.example'],
    ['S3_ENDPOINT', 's3://ada:a/canary@s3.example', 'is not an http or https address: s3://…@s3.example'],
  ])('is not repeated: %s=%s', (name, value, says) => {
    const problems = problemsIn({ [name]: value, SECRET_KEY: LONG }).join('\n')
    expect(problems).toContain(says)
    expect(problems).not.toContain('canary')
  })
})

describe('a port of the metrics', () => {
  it('is not that of the office, whether it is given or the default', () => {
    const says = [expect.stringMatching(/^METRICS_PORT is \d+, which is the PORT of the office/)]
    expect(problemsIn({ ATRIUM_ENV: 'test', PORT: '4410', METRICS_PORT: '4410' })).toEqual(says)
    expect(problemsIn({ ATRIUM_ENV: 'test', METRICS_PORT: '3000' })).toEqual(says)
    expect(problemsIn({ ATRIUM_ENV: 'test', PORT: '4410', METRICS_PORT: '4411' })).toEqual([])
  })
})

describe('a setting that is wrong', () => {
  it.each([
    ['ATRIUM_ENV', 'staging', 'it must be one of development, test, production'],
    ['ATRIUM_ENV', 'Production', 'it must be one of'],
    ['LOG_LEVEL', 'loud', 'it must be one of trace'],
    ['IDENTITY_PROVIDER', 'nobody', 'it must be one of local'],
    ['PORT', 'http', 'it must be a whole number from 0 to 65535'],
    ['PORT', '65536', 'it must be a whole number'],
    ['PORT', '-1', 'it must be a whole number'],
    ['PORT', '80.5', 'it must be a whole number'],
    ['PORT', '1e3', 'it must be a whole number'],
    ['PORT', '0x50', 'it must be a whole number'],
    ['DATABASE_POOL_SIZE', '1', 'it must be a whole number from 2 to 200'],
    ['DATABASE_WAIT_MS', '499', 'it must be a whole number from 500 to 60000'],
    ['RATE_LIMIT_PER_USER', 'none', 'it must be a whole number from 0'],
    [
      'RATE_LIMIT_UPLOAD_BYTES_PER_USER',
      '8388607',
      'it must be 0 (no limit), or a whole number from 8388608 to 1000000000000: less would let nothing pass',
    ],
    ['CALENDAR_ENABLED', 'yes', 'must be true or false'],
    ['BASE_URL', 'office.example', 'is not an http or https address: office.example'],
    ['BASE_URL', 'ftp://office.example', 'is not an http or https address'],
    ['BASE_URL', 'http://localhost:3000/office', 'has a path'],
    ['IMAGE_CHECK_URL', 'http://u:canary@127.0.0.1:9', 'has a user or a password in it'],
    ['FRONTEND_URL', 'javascript:alert(1)', 'is not an http or https address'],
    ['AVATAR_PUBLIC_BASE_URL', '/storage', 'is not an http or https address'],
    ['ALLOWED_ORIGINS', 'app.example', '"app.example" is not an http or https origin'],
    ['ALLOWED_ORIGINS', 'https://app.example, *', '"*" is not'],
    ['ALLOWED_ORIGINS', 'null', '"null" is not'],
    ['TRUST_PROXY', 'true', '"true" is not an address or a network'],
    ['TRUST_PROXY', '10.0.0.1,proxy.example', '"proxy.example" is not'],
    ['TRUST_PROXY', '10.0.0.0/33', '"10.0.0.0/33" is not'],
    ['TRUST_PROXY', '0.0.0.0/0', '"0.0.0.0/0" is not'],
    ['TRUST_PROXY', '::1/129', '"::1/129" is not'],
    ['TRUST_PROXY', '10.0.0.0/8/8', 'is not an address or a network'],
    ['MAIL_FROM', 'Atrium', '"Atrium" is not one sender'],
    ['MAIL_FROM', 'a@example.com, b@example.com', 'is not one sender'],
    ['MAIL_FROM', 'Acme, Inc <a@example.com>', 'is not one sender'],
    ['MAIL_FROM', 'Atrium <a@example.com', 'is not one sender'],
    ['DATABASE_URL', 'localhost/atrium', 'is not an address of the form postgres://'],
    ['DATABASE_URL', 'mysql://db.example/atrium', 'is not an address of the form postgres://'],
    [
      'DATABASE_URL',
      'postgres://a:p#w/d@db.example/atrium',
      'In a password # is written %23, / %2F, ? %3F, @ %40 and % %25',
    ],
    ['SMTP_URL', 'smtp://a:p#w@mail.example:587', 'In a password # is written %23'],
    ['SMTP_URL', 'mail.example:587', 'is not an address of the form smtp://'],
    ['SMTP_URL', 'https://mail.example', 'is not an address of the form smtp://'],
    ['EMBEDDED_MEDIA_ADDRESS', 'localhost', '"localhost" is not an IPv4 address'],
    ['EMBEDDED_MEDIA_ADDRESS', '::1', '"::1" is not an IPv4 address'],
    ['EMBEDDED_MEDIA_ADDRESS', '192.168.1.300', 'is not an IPv4 address'],
    ['EMBEDDED_MEDIA_ADDRESS', '192.168.1.20:7882', 'is not an IPv4 address'],
    ['SECRET_KEY', 'x'.repeat(31), 'is too short: at least 32 characters'],
    ['SECRET_KEY_PREVIOUS', 'short', 'is too short'],
  ])('%s=%s is refused by name', (name, value, says) => {
    expect(problemsIn({ [name]: value })).toEqual([expect.stringContaining(says)])
    expect(problemsIn({ [name]: value })[0]).toMatch(new RegExp(`^${name}\\b`))
  })

  it.each([
    ['PORT', '0'],
    ['PORT', '65535'],
    ['TRUST_PROXY', '10.1.2.3'],
    ['TRUST_PROXY', '10.0.0.0/8, fd00::/8'],
    ['TRUST_PROXY', 'loopback, linklocal,uniquelocal'],
    ['ALLOWED_ORIGINS', 'http://localhost:5173'],
    ['MAIL_FROM', 'office@example.com'],
    ['MAIL_FROM', '"Acme, Inc" <office@example.com>'],
    ['MAIL_FROM', '<office@example.com>'],
    ['DATABASE_URL', 'postgresql://db.example/atrium?sslmode=require'],
    ['DATABASE_URL', 'postgres:///atrium?host=/var/run/postgresql'],
    ['DATABASE_URL', 'postgres://u:p%40ss@db.example:6432/atrium'],
    ['SMTP_URL', 'smtps://u%40example.com:p@mail.example:465'],
    ['SECRET_KEY', 'x'.repeat(32)],
  ])('%s=%s is none', (name, value) => {
    expect(problemsIn({ [name]: value })).toEqual([])
  })

  it('does not hide the others', () => {
    const problems = problemsIn({ ATRIUM_ENV: 'production', PORT: 'x', TRUST_PROXY: 'y,z', SECRET_KEY: 'q' })
    expect(problems.map((line) => line.split(/[ :]/)[0])).toEqual([
      'PORT',
      'BASE_URL',
      'TRUST_PROXY',
      'TRUST_PROXY',
      'SECRET_KEY',
      'SMTP_URL',
      'DATABASE_URL',
    ])
  })
})
