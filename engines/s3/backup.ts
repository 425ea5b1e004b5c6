import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '@atrium/embedded-postgres/free-port.ts'
import { startTemporaryCluster } from '@atrium/embedded-postgres/temporary-cluster.ts'
import { CopyObjectCommand, GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'
import pg from 'pg'
import { run } from '../commands.ts'
import type { Check } from '../engine.ts'
import { digests } from '../postgres/digests.ts'
import { ENTRY } from '../postgres/node.ts'
import { type Ends, end, untilAnswers } from '../processes.ts'
import { ACCESS_KEY, SECRET_KEY } from './stores.ts'

/** Makes something of each kind in an office. */
const FILL = fileURLToPath(new URL('../../acceptance/fill.ts', import.meta.url))
const [BEFORE, AFTER, BACKUPS] = ['atrium-before', 'atrium-after', 'atrium-backups'] as const
/** What a backup holds of a store. */
const PICTURES = ['avatars/', 'logos/']
const RECORDINGS = 'recordings/'

interface Place {
  /** Of the store. */
  url: string
  /** Where it keeps its buckets: both servers take a folder there as one. */
  files: string
  /** For whatever the check needs besides. */
  folder: string
}

type Settings = Record<string, string>

/** An office with its files in S3 is backed up, and put back on another database and another bucket. */
export async function tryBackup(name: string, { url, files, folder }: Place, check: Check): Promise<void> {
  const ends: Ends = []
  const client = new S3Client({
    ...{ endpoint: url, region: 'us-east-1', forcePathStyle: true },
    credentials: { accessKeyId: ACCESS_KEY, secretAccessKey: SECRET_KEY },
  })
  const archive = join(folder, 'archive')
  try {
    for (const bucket of [BEFORE, AFTER]) await mkdir(join(files, bucket))
    const cluster = await startTemporaryCluster()
    ends.push(cluster.stop)
    const database = (bucket: string) => newDatabase(cluster.connectionString, bucket.replace('-', '_'))
    const secrets = { SECRET_KEY: randomBytes(32).toString('base64') }
    const settingsOf = async (bucket: string) => ({
      ...{ ...secrets, DATABASE_URL: await database(bucket), DATA_DIR: join(folder, bucket) },
      ...{ STORAGE: 's3', S3_ENDPOINT: url, S3_BUCKET: bucket },
      ...{ S3_ACCESS_KEY_ID: ACCESS_KEY, S3_SECRET_ACCESS_KEY: SECRET_KEY },
    })
    const [before, after] = [await settingsOf(BEFORE), await settingsOf(AFTER)]
    await check(`${name}: an office whose files are there is backed up while it is open`, async () => {
      await withOffice(before, async (office) => {
        await runScript(FILL, before, office)
        assert.match(await atrium(before, 'backup', `${archive}-open`), /Backed up: \d+ rows .* \d pictures/)
      })
      // of an office that rests, so that every row can be compared
      const printed = await atrium(before, 'backup', archive)
      assert.match(
        printed,
        /Backed up: \d+ rows .* [23] pictures and files of the chat\nNot in it: the files of 1 recordings/,
      )
    })
    await check(`${name}: it is put back into another bucket: every row, every picture`, async () => {
      const printed = await atrium(after, 'restore', archive)
      assert.match(printed, /files of 1 recordings are not in the store/)
      assert.deepEqual(await rowsOf(after), await rowsOf(before))
      const pictures = await objects(client, BEFORE, PICTURES)
      assert.ok(Object.keys(pictures).length >= 2)
      assert.deepEqual(await objects(client, AFTER, PICTURES), pictures)
      assert.deepEqual(await objects(client, AFTER, ['']), pictures)
    })
    await check(
      `${name}: an archive goes into a bucket, and the newest one is restored from there`,
      async () => {
        await mkdir(join(files, BACKUPS))
        const place = `s3://${BACKUPS}/office`
        const backUp = () => atrium(before, 'backup', '--to', place, '--keep-days', '7')
        const [, kept] = /Kept as (s3:\S+)/.exec(await backUp()) ?? []
        const other = { ...after, DATABASE_URL: await database('atrium-remote') }
        assert.match(await atrium(other, 'restore', place), /^Archive \d{4}-\d{2}-\d{2}-\d{6}\nRestored: /)
        assert.deepEqual(await rowsOf(other), await rowsOf(before))
        const named = { ...after, DATABASE_URL: await database('atrium-named') }
        assert.match(await atrium(named, 'restore', kept ?? ''), /every table was read again/)
      },
    )
    await check(`${name}: with the recordings' bucket copied nothing is missing`, async () => {
      const films = await objects(client, BEFORE, [RECORDINGS])
      assert.equal(Object.keys(films).length, 1)
      await copyAll(client, Object.keys(films))
      const again = { ...after, DATABASE_URL: await database('atrium-again') }
      assert.doesNotMatch(await atrium(again, 'restore', archive), /not in the store/)
      assert.deepEqual(await objects(client, AFTER, [RECORDINGS]), films)
      await withOffice(again, (office) => untilAnswers(`${office}/health/ready`))
    })
  } finally {
    client.destroy()
    for (const ending of ends.reverse()) await ending()
  }
}

/** Of each table, but for the budgets of requests, which begin again. */
async function rowsOf({ DATABASE_URL }: { DATABASE_URL: string }): Promise<Record<string, string>> {
  const { rate_limits: _, ...rows } = await digests(DATABASE_URL)
  return rows
}

async function newDatabase(adminUrl: string, name: string): Promise<string> {
  const admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  try {
    await admin.query(`create database ${name.replaceAll('-', '_')}`)
  } finally {
    await admin.end()
  }
  const url = new URL(adminUrl)
  url.pathname = `/${name.replaceAll('-', '_')}`
  return url.href
}

const atrium = (settings: Settings, ...args: string[]) => runScript(ENTRY, settings, ...args)

async function runScript(script: string, settings: Settings, ...args: string[]): Promise<string> {
  return await run(process.execPath, [script, ...args], { env: { ATRIUM_ENV: 'test', ...settings } })
}

async function withOffice(settings: Settings, work: (url: string) => Promise<void>): Promise<void> {
  const port = await freePort()
  const office: ChildProcess = spawn(process.execPath, [ENTRY, 'serve'], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      ...process.env,
      ...{ ATRIUM_ENV: 'test', PORT: String(port), DATABASE_WAIT_MS: '30000' },
      ...settings,
    },
  })
  try {
    const url = `http://localhost:${port}`
    await untilAnswers(`${url}/health/ready`)
    await work(url)
  } finally {
    await end(office)
  }
}

/** Of each object under these prefixes, what a client is served: its type, how it is kept, its bytes. */
async function objects(
  client: S3Client,
  bucket: string,
  prefixes: readonly string[],
): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const prefix of prefixes) {
    const listed = await client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix }))
    assert.notEqual(listed.IsTruncated, true)
    for (const { Key = '' } of listed.Contents ?? []) {
      const object = await client.send(new GetObjectCommand({ Bucket: bucket, Key }))
      const digest = createHash('sha256').update((await object.Body?.transformToByteArray()) ?? '')
      found[Key] = `${object.ContentType} ${object.CacheControl} ${digest.digest('hex')}`
    }
  }
  return found
}

async function copyAll(client: S3Client, keys: readonly string[]): Promise<void> {
  for (const key of keys)
    await client.send(new CopyObjectCommand({ Bucket: AFTER, Key: key, CopySource: `${BEFORE}/${key}` }))
}
