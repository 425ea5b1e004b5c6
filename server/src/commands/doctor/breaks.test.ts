import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@atrium/embedded-postgres/free-port.ts'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { connectToIssuer } from '../../../tests/chapters/single-sign-on.ts'
import { type FreshDatabase, freshDatabase } from '../../../tests/fresh-database.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { PRODUCTION } from '../../../tests/operator/production-settings.ts'
import { newFounder, newPerson } from '../../../tests/people.ts'
import { openHostileIssuer } from '../../../tests/vendors/hostile-issuer.ts'
import { openWorkosStub } from '../../../tests/vendors/workos-stub.ts'
import { readConfig } from '../../configuration/config.ts'
import { lookAtClock } from './clock.ts'
import { lookAtDatabase } from './database.ts'
import { doctor, lookAtImageCheck } from './doctor.ts'
import { lookAtFileCheckAndTranscriber } from './file-check-and-transcriber.ts'
import { lookAtOffice } from './office.ts'
import { lookAtAddresses, lookAtPairs } from './process.ts'
import type { Finding } from './realtime.ts'
import { lookAtRunningNode } from './running.ts'
import { lookAtStorage } from './storage.ts'
import { lookAtCollector } from './traces.ts'
import { lookAtIssuers, lookAtWorkos } from './vendors.ts'

/** No process listens there. */
const NOWHERE = 'http://127.0.0.1:1'
const CANARY = 'canary-canary-canary-canary-canary-canary'

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

const configOf = (settings: Record<string, string>) =>
  readConfig({ ATRIUM_ENV: 'test', ...settings }, '/nowhere')

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanUps.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'atrium-doctor-'))
  cleanUps.push(() => rm(made, { recursive: true, force: true }))
  return made
}

/** What an operator has broken is found, in one finding that names it; no secret is repeated. */
function expectFault(findings: readonly Finding[], part: string, says: RegExp): void {
  const faults = findings.filter(({ ok }) => !ok)
  expect(faults).toMatchObject([{ part, ok: false, says: expect.stringMatching(says) }])
  expect(JSON.stringify(findings)).not.toContain('canary')
}

describe('the doctor, of the data folder', () => {
  it('finds one that takes no files', async () => {
    const dataDir = await folder()
    await writeFile(join(dataDir, 'storage'), 'a file in the place of the folder')
    expectFault(
      await lookAtStorage(configOf({ DATA_DIR: dataDir })),
      'storage',
      /takes no files: .*no folder.*DATA_DIR/,
    )
    // of a system that takes no writes, not even root's
    const readOnly = await lookAtStorage(configOf({ DATA_DIR: '/proc/sys' }))
    expectFault(readOnly, 'storage', /takes no files: E\w+.*DATA_DIR/)
  })
})

describe('the doctor, of services that see what people send and say', () => {
  const asked = (url: string) =>
    lookAtFileCheckAndTranscriber(configOf({ FILE_CHECK_URL: url, TRANSCRIBER_URL: url }))

  it('asks each that is set, with a file and a sound of its own', async () => {
    const bodies: Record<string, Buffer> = {}
    const url = await serve(async (request, response) => {
      bodies[request.url ?? ''] = Buffer.concat(await request.toArray())
      if (request.url === '/check') response.writeHead(204).end()
      else response.end('{"words":[]}')
    })
    expect(await asked(url)).toEqual([
      { part: 'file check', ok: true, says: `${url} answers` },
      { part: 'transcriber', ok: true, says: `${url} answers` },
    ])
    expect(bodies['/check']?.toString()).toContain('Atrium asks')
    expect(bodies['/transcribe']?.subarray(0, 4).toString()).toBe('OggS')
    expect(await lookAtFileCheckAndTranscriber(configOf({}))).toEqual([])
  })

  it('names the setting of one that is away, answers something else, or refuses everything', async () => {
    const faults = (await asked(NOWHERE)).map(({ ok, says }) => [ok, says])
    expect(faults).toEqual([
      [false, expect.stringMatching(/send no files. Check FILE_CHECK_URL/)],
      [false, expect.stringMatching(/no transcripts. Check TRANSCRIBER_URL/)],
    ])
    const refuses = await serve((_request, response) => response.writeHead(422).end())
    expect((await asked(refuses)).map(({ ok }) => ok)).toEqual([false, true])
    const page = await serve((_request, response) => response.end('<html>'))
    expect((await asked(page)).map(({ ok }) => ok)).toEqual([false, false])
  })
})

describe('the doctor, of an office with a database of its own', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())
  const named = (settings: Record<string, string> = {}) =>
    configOf({ DATABASE_URL: office.database.connectionString, DATA_DIR: office.dataDir, ...settings })

  it('finds a data folder in the place of the one that the database means', async () => {
    const { id } = await newPerson(office)
    await office.database.pool.query('update users set avatar_key = $1 where id = $2', [
      'avatars/1/a.png',
      id,
    ])
    expectFault(
      await lookAtStorage(named({ DATA_DIR: await folder() })),
      'files',
      /1 of the 1 newest avatars are not in .*DATA_DIR/,
    )
    await mkdir(join(office.dataDir, 'storage/avatars/1'), { recursive: true })
    await writeFile(join(office.dataDir, 'storage/avatars/1/a.png'), 'x')
    expect(await lookAtStorage(named())).toMatchObject([{ ok: true }, { part: 'files', ok: true }])
  })

  it('repeats what the office that runs says of itself', async () => {
    const port = Number(new URL(office.baseUrl).port)
    const [running] = await lookAtOffice({ host: '0.0.0.0', port })
    expect(running).toMatchObject({ part: 'office', ok: true, says: expect.stringContaining('is ready') })
    expect(await lookAtOffice({ host: '127.0.0.1', port: 1 })).toEqual([])
    const elsewhere = new URL(await serve((_request, response) => void response.end('{}')))
    expectFault(
      await lookAtOffice({ host: '127.0.0.1', port: Number(elsewhere.port) }),
      'office',
      /^port \d+ is in use by another program/,
    )
    const broken = new URL(
      await serve((_request, response) => {
        response.writeHead(503, { 'content-type': 'application/json' })
        const parts = { database: 'down', mail: 'ok' }
        response.end(JSON.stringify({ status: 'not-ready', parts, problems: ['The disk is full'] }))
      }),
    )
    expectFault(
      await lookAtOffice({ host: '127.0.0.1', port: Number(broken.port) }),
      'office',
      /not-ready: database down\. The disk is full\./,
    )
  })

  it('finds an issuer of single sign-on that does not answer, and names the organization', async () => {
    const issuer = await openHostileIssuer()
    const { organizationId } = await newFounder(office)
    await connectToIssuer(office, organizationId, issuer.issuer)
    expect(await lookAtIssuers(named())).toMatchObject(
      expect.arrayContaining([expect.objectContaining({ part: 'issuer', ok: true })]),
    )
    await issuer.close()
    const found = await lookAtIssuers(named())
    expect(found).toMatchObject([{ part: 'issuer', ok: true, warns: true }])
    expect(found[0]?.says).toContain(`${issuer.issuer} of ${organizationId} (`)
  })

  it('says of many issuers that cannot be reached one line, which fails nothing', async () => {
    for (let n = 0; n < 12; n += 1) {
      const { organizationId } = await newFounder(office)
      await connectToIssuer(office, organizationId, `${NOWHERE}/issuer-${n}`)
    }
    const found = await lookAtIssuers(named())
    expect(found).toMatchObject([{ part: 'issuer', ok: true, warns: true }])
    expect(found[0]?.says).toMatch(
      /1[23] of 1[23] of organizations cannot be used: .* and [78] more\. All of them/,
    )
  })

  it('repeats what the office that runs has seen: a proxy that is not believed, a host that cannot be reached', async () => {
    const port = Number(new URL(office.baseUrl).port)
    const asked = { host: '127.0.0.1', port, metrics: configOf({}).metrics }
    await fetch(`${office.baseUrl}/office`, { headers: { 'x-forwarded-for': '203.0.113.9' } })
    const host = `127.0.0.1:${await freePort()}`
    await expect(fetch(`http://${host}/never`)).rejects.toThrow()
    const found = await lookAtRunningNode(asked)
    expect(found).toMatchObject([
      { part: 'proxy', ok: true, warns: true, says: expect.stringMatching(/^127\.0\.0\.1 .*TRUST_PROXY/) },
      { part: 'outside', ok: true, warns: true, says: expect.stringContaining(`${host} (ECONNREFUSED`) },
    ])
    expect(await lookAtRunningNode({ ...asked, port: 1 })).toEqual([])
  })

  it('counts the nodes that run, and finds too few connections for them', async () => {
    const pool = (size: string) => lookAtDatabase(named({ DATABASE_POOL_SIZE: size }))
    expect((await pool('10')).find(({ part }) => part === 'database connections')).toMatchObject({ ok: true })
    const { rows } = await office.database.pool.query("select current_setting('max_connections')::int as max")
    if (rows[0].max > 220) return
    expectFault(await pool('200'), 'database connections', /too few for one node.*DATABASE_POOL_SIZE/)
  })
})

describe('the doctor, of DATABASE_URL', () => {
  let database: FreshDatabase
  beforeAll(async () => {
    database = await freshDatabase()
  })
  afterAll(() => database.drop())

  it('finds a limit of the user, and one of the database, and warns where no other node has room', async () => {
    const admin = new pg.Client({ connectionString: database.connectionString })
    await admin.connect()
    const name = new URL(database.connectionString).pathname.slice(1)
    cleanUps.push(() => admin.end())
    const config = configOf({ DATABASE_URL: database.connectionString })
    await admin.query(`alter database ${name} connection limit 20`)
    expectFault(
      await lookAtDatabase(config),
      'database connections',
      /room for 20, .* 31: too few for one node/,
    )
    await admin.query(`alter database ${name} connection limit 40`)
    const production = readConfig({ ...PRODUCTION, DATABASE_URL: database.connectionString }, '/nowhere')
    expect(
      (await lookAtDatabase(production)).find(({ part }) => part === 'database connections'),
    ).toMatchObject({
      ok: true,
      warns: true,
      says: expect.stringContaining('none is left for another one'),
    })
    await admin.query(`alter database ${name} connection limit -1`)
  })

  it('warns of one that takes its disks for such with moving parts', async () => {
    const plansAt = async (cost: string) => {
      const url = new URL(database.connectionString)
      url.searchParams.set('options', `-c random_page_cost=${cost}`)
      const findings = await lookAtDatabase(configOf({ DATABASE_URL: url.href }))
      return findings.filter(({ part }) => part === 'database plans')
    }
    expect(await plansAt('1.1')).toEqual([])
    expect(await plansAt('4')).toMatchObject([
      { ok: true, warns: true, says: expect.stringContaining('random_page_cost is 4 times') },
    ])
  })

  it('finds one that has become read-only', async () => {
    const url = new URL(database.connectionString)
    url.searchParams.set('options', '-c default_transaction_read_only=on')
    const findings = await lookAtDatabase(configOf({ DATABASE_URL: url.href }))
    expect(findings.find(({ ok }) => !ok)).toMatchObject({
      part: 'database',
      says: expect.stringContaining('it takes no writes: it is read-only. Check DATABASE_URL'),
    })
  })

  it('finds a clock that is away, by the database and by servers, in both directions', async () => {
    const config = configOf({ DATABASE_URL: database.connectionString })
    expect(await lookAtClock(config)).toMatchObject([
      { ok: true, says: expect.stringContaining('the database') },
    ])
    expectFault(
      await lookAtClock(config, () => Date.now() + 60_000),
      'clock',
      /60 s ahead of that of the database/,
    )
    const late = await serve((_request, response) => {
      response.setHeader('date', new Date(Date.now() + 300_000).toUTCString())
      response.end()
    })
    const livekit = { LIVEKIT_URL: late, LIVEKIT_API_KEY: 'key', LIVEKIT_API_SECRET: CANARY }
    expectFault(await lookAtClock(configOf(livekit)), 'clock', /(299|300|301) s behind that of LIVEKIT_URL/)
    expect(await lookAtClock(configOf({}))).toEqual([])
  })
})

describe('the doctor, of S3', () => {
  const s3 = {
    STORAGE: 's3',
    S3_BUCKET: 'office',
    S3_ACCESS_KEY_ID: 'key',
    S3_SECRET_ACCESS_KEY: CANARY,
  }
  it.each([
    ['InvalidAccessKeyId', 403, /Check S3_ACCESS_KEY_ID, which the store does not know/],
    ['SignatureDoesNotMatch', 403, /Check S3_SECRET_ACCESS_KEY, which is not that of/],
    ['NoSuchBucket', 404, /Check S3_BUCKET, which the store does not have/],
    ['AuthorizationHeaderMalformed', 400, /Check S3_REGION/],
    ['RequestTimeTooSkewed', 403, /Check the clock/],
    ['SomethingElse', 400, /Check S3_ENDPOINT, S3_BUCKET, S3_REGION and the keys/],
  ])('finds a wrong setting by its own name: %s', async (code, status, says) => {
    const endpoint = await serve((request, response) => {
      response.writeHead(status, { 'content-type': 'application/xml' })
      const body = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`
      response.end(request.method === 'HEAD' ? undefined : body)
    })
    expectFault(await lookAtStorage(configOf({ ...s3, S3_ENDPOINT: endpoint })), 'storage', says)
  })

  it('finds one that does not answer, with its address', async () => {
    const findings = await lookAtStorage(configOf({ ...s3, S3_ENDPOINT: NOWHERE }))
    expectFault(
      findings,
      'storage',
      /at http:\/\/127\.0\.0\.1:1 cannot be used: nobody answers \(ECONNREFUSED\)\. Check S3_ENDPOINT\./,
    )
  })
})

describe('the doctor, of vendors', () => {
  const livekit = { LIVEKIT_API_KEY: 'key', LIVEKIT_API_SECRET: CANARY, PORT: '1' }
  const mediaOf = async (url: string) =>
    (await doctor({ ...livekit, LIVEKIT_URL: url }, await folder())).filter(
      ({ part }) => part === 'media server',
    )

  it('finds a LiveKit that does not answer, with its address, and one that refuses our key', async () => {
    expectFault(
      await mediaOf(`http://127.0.0.1:${await freePort()}`),
      'media server',
      /^http:\/\/127\.0\.0\.1:\d+ cannot be used: no answer \(ECONNREFUSED\).*LIVEKIT_URL/,
    )
    const refusing = await serve((_request, response) => {
      response.writeHead(401, { 'content-type': 'application/json' })
      response.end('{"code":"unauthenticated","msg":"no"}')
    })
    expectFault(
      await mediaOf(refusing),
      'media server',
      /refuses our key: it answered 401.*LIVEKIT_API_SECRET/,
    )
  })

  const workos = { IDENTITY_PROVIDER: 'workos', WORKOS_API_KEY: CANARY, WORKOS_CLIENT_ID: 'client_1' }
  it('finds a WorkOS that refuses our key, and one that does not answer', async () => {
    const stub = await openWorkosStub()
    cleanUps.push(() => stub.close())
    const at = (url: string) => lookAtWorkos(configOf({ ...workos, WORKOS_API_URL: url }))
    expect(await at(stub.url)).toMatchObject([{ part: 'identity provider', ok: true }])
    stub.fault = { status: 401 }
    expectFault(await at(stub.url), 'identity provider', /refuses our key \(401\)\. Check WORKOS_API_KEY/)
    expectFault(await at(NOWHERE), 'identity provider', /127\.0\.0\.1:1 cannot be used.*WORKOS_API_URL/)
    expect(await lookAtWorkos(configOf({}))).toEqual([])
  })

  it('finds an issuer of a provider that does not describe itself, by its setting', async () => {
    const google = { GOOGLE_CLIENT_ID: 'us', GOOGLE_CLIENT_SECRET: CANARY, GOOGLE_ISSUER_URL: NOWHERE }
    expectFault(
      await lookAtIssuers(configOf(google)),
      'issuer',
      /of GOOGLE_ISSUER_URL, cannot be used.*Check GOOGLE_ISSUER_URL/,
    )
    const page = await serve((_request, response) => void response.end('<html>'))
    expectFault(
      await lookAtIssuers(configOf({ ...google, GOOGLE_ISSUER_URL: page })),
      'issuer',
      /GOOGLE_ISSUER_URL/,
    )
  })

  it('finds a collector of traces that is away, one that refuses us, and an address that is none', async () => {
    const at = (endpoint: string) =>
      lookAtCollector(
        configOf({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: `key=${CANARY}` }),
      )
    expect(await lookAtCollector(configOf({}))).toEqual([])
    const collector = await serve((request, response) => {
      if (request.url !== '/v1/traces') response.writeHead(404)
      else if (request.headers.key !== CANARY) response.writeHead(401)
      response.end('{}')
    })
    expect(await at(collector)).toMatchObject([{ part: 'traces', ok: true }])
    expectFault(await at(`${collector}/elsewhere`), 'traces', /answers 404.*OTEL_EXPORTER_OTLP_ENDPOINT/)
    const refused = lookAtCollector(configOf({ OTEL_EXPORTER_OTLP_ENDPOINT: collector }))
    expectFault(await refused, 'traces', /answers 401.*Check OTEL_EXPORTER_OTLP_HEADERS/)
    const away = `http://127.0.0.1:${await freePort()}`
    expectFault(
      await at(away),
      'traces',
      /cannot be reached: connect ECONNREFUSED.*OTEL_EXPORTER_OTLP_ENDPOINT/,
    )
  })

  it('finds an image check of ours that cannot start', async () => {
    const entry = join(await folder(), 'broken.ts')
    await writeFile(entry, "await import('sharp-that-is-not-installed')")
    expectFault(
      [await lookAtImageCheck({ imageCheckUrl: undefined }, entry)],
      'image check',
      /does not start.*omit=optional/,
    )
    expect(await lookAtImageCheck({ imageCheckUrl: undefined })).toMatchObject({ ok: true })
    expectFault(
      [await lookAtImageCheck({ imageCheckUrl: `http://127.0.0.1:${await freePort()}` })],
      'image check',
      /127\.0\.0\.1:\d+ does not answer: connect ECONNREFUSED .*IMAGE_CHECK_URL/,
    )
  })
})

describe('the doctor, of settings', () => {
  it.each([
    [{ GOOGLE_CLIENT_ID: 'us' }, /^GOOGLE_CLIENT_ID is set and GOOGLE_CLIENT_SECRET is not/],
    [{ MICROSOFT_CLIENT_SECRET: CANARY }, /^MICROSOFT_CLIENT_SECRET is set and MICROSOFT_CLIENT_ID is not/],
    [{ LIVEKIT_API_SECRET: CANARY }, /^LIVEKIT_API_SECRET is set and has no effect: LIVEKIT_URL is not/],
    [{ S3_BUCKET: 'office' }, /^S3_BUCKET is set and has no effect: STORAGE is not s3/],
    [{ WORKOS_API_KEY: CANARY }, /^WORKOS_API_KEY is set and has no effect: IDENTITY_PROVIDER is not workos/],
    [
      { CENTRIFUGO_API_KEY: CANARY },
      /^CENTRIFUGO_API_KEY is set and has no effect: BROKER is not centrifugo/,
    ],
  ])('finds half a pair: %o', (environment, says) => {
    expectFault(lookAtPairs(environment as Record<string, string>), 'configuration', says)
  })

  it('says nothing of whole pairs, nor of what means something alone', () => {
    const whole = { GOOGLE_CLIENT_ID: 'us', GOOGLE_CLIENT_SECRET: CANARY, STORAGE: 's3', S3_BUCKET: 'x' }
    expect(lookAtPairs({ ...whole, BROKER_TOKEN_SECRET: CANARY, WORKOS_API_KEY: ' ' })).toEqual([])
  })

  it('finds http in production, in addresses of the office and in those that browsers are sent to', async () => {
    const http = { ...PRODUCTION, BASE_URL: 'http://atrium.example', FRONTEND_URL: 'http://app.example' }
    expect(
      (await doctor(http, '/nowhere')).map(({ part, ok, says }) => [part, ok, says.split(' ')[0]]),
    ).toEqual([
      ['configuration', false, 'BASE_URL'],
      ['configuration', false, 'FRONTEND_URL'],
    ])
    const livekit = {
      ...{ STORAGE: 's3', S3_ENDPOINT: 'https://store.example', S3_BUCKET: 'office' },
      S3_ACCESS_KEY_ID: 'key',
      S3_SECRET_ACCESS_KEY: 'q7ZtR2vXk9LmW4sBfN8cHyD3pGjT6uAe1oKx5iVrQwM',
      LIVEKIT_API_KEY: 'key',
      LIVEKIT_API_SECRET: 'q7ZtR2vXk9LmW4sBfN8cHyD3pGjT6uAe1oKx5iVrQwM',
    }
    const at = (url: string) =>
      lookAtAddresses(readConfig({ ...PRODUCTION, ...livekit, LIVEKIT_URL: url }, '/nowhere'))
    expectFault(
      at('http://media.example'),
      'addresses',
      /^LIVEKIT_PUBLIC_URL leads to ws:\/\/media\.example.*wss\./,
    )
    expect(at('https://media.example')).toEqual([])
  })
})
