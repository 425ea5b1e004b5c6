import { spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '@atrium/embedded-postgres/free-port.ts'
import { missingChromium } from '../browser/chromium.ts'
import { run } from '../commands.ts'
import type { Check, Engine } from '../engine.ts'
import { end } from '../processes.ts'
import { eventually } from '../waiting.ts'
import { allowFrontEnd, openFrontEnd, uploadFromAnotherOrigin } from './another-origin.ts'
import { tryBackup } from './backup.ts'
import { ACCESS_KEY, install, MINIO, open, SECRET_KEY, type Store, VERSITYGW } from './stores.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const VITEST = `${ROOT}node_modules/vitest/vitest.mjs`
const BUCKET = 'atrium-office'

/** Real S3 servers in place of the files of the data folder. */
export const s3: Engine = {
  name: 's3',
  about: 'versitygw as object storage, by STORAGE=s3',
  install: () => install(VERSITYGW),
  try: (check) => tryStore(VERSITYGW, check),
}

export const minio: Engine = {
  name: 'minio',
  about: 'MinIO as object storage, by STORAGE=s3',
  install: () => install(MINIO),
  try: (check) => tryStore(MINIO, check),
}

async function tryStore(store: Store, check: Check): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-s3-'))
  await chmod(folder, 0o755)
  try {
    const files = join(folder, 'store')
    const { url, end: stop } = await open(store, files)
    try {
      await check(`${store.name}: the conformance suite of object storage passes`, async () => {
        await run(process.execPath, [VITEST, 'run', 'server/src/adapters/s3'], {
          cwd: ROOT,
          env: {
            ATRIUM_TEST_S3_ENDPOINT: url,
            ATRIUM_TEST_S3_KEY: ACCESS_KEY,
            ATRIUM_TEST_S3_SECRET: SECRET_KEY,
            ATRIUM_TEST_S3_LISTS_UPLOADS: store.listsUploads ? 'yes' : 'no',
          },
        })
      })
      await check(
        `${store.name}: the walk of avatars passes, in an office that keeps its files there`,
        async () => {
          // both servers take a folder in theirs as a bucket
          await mkdir(join(files, BUCKET))
          await withOffice(url, join(folder, 'office'), [], async (office) => {
            await run(process.execPath, [`${ROOT}acceptance/run.ts`, '--url', office, 'avatars'])
          })
        },
      )
      await check(
        `${store.name}: a browser of another origin puts its picture straight into it`,
        async () => {
          const reason = await missingChromium()
          if (reason) throw new Error(reason)
          const { origin, server } = await openFrontEnd()
          try {
            await allowFrontEnd(url, BUCKET, origin)
            await withOffice(url, join(folder, 'office'), [origin], (office) =>
              uploadFromAnotherOrigin(office, origin),
            )
          } finally {
            server.close()
          }
        },
      )
      await tryBackup(store.name, { url, files, folder }, check)
    } finally {
      await stop()
    }
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 })
  }
}

/** Opens an office that keeps its files in the store, for as long as `work` takes. */
async function withOffice(
  endpoint: string,
  dataDir: string,
  origins: readonly string[],
  work: (url: string) => Promise<void>,
): Promise<void> {
  const port = await freePort()
  const url = `http://localhost:${port}`
  const office = spawn(process.execPath, [`${ROOT}server/bin/atrium.js`, 'serve'], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      ...process.env,
      ATRIUM_ENV: 'test',
      PORT: String(port),
      DATA_DIR: dataDir,
      STORAGE: 's3',
      S3_ENDPOINT: endpoint,
      S3_BUCKET: BUCKET,
      S3_ACCESS_KEY_ID: ACCESS_KEY,
      S3_SECRET_ACCESS_KEY: SECRET_KEY,
      RATE_LIMIT_SIGN_IN_PER_ADDRESS: '0',
      ALLOWED_ORIGINS: origins.join(','),
    },
  })
  try {
    await untilReady(url)
    await work(url)
  } finally {
    await end(office)
  }
}

/** Ready, and its storage among what is well. */
async function untilReady(url: string): Promise<void> {
  const isReady = async () => {
    const response = await fetch(`${url}/health/ready`).catch(() => undefined)
    const text = (await response?.text()) ?? ''
    return response?.status === 200 && text.includes('"storage":"ok"')
  }
  await eventually(`${url} is ready`, isReady, { everyMs: 100 })
}
