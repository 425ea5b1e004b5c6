import { spawn } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { freePort } from '@atrium/embedded-postgres/free-port.ts'
import { run } from '../commands.ts'
import { keep, keptAt } from '../kept.ts'
import { end, untilAnswers } from '../processes.ts'

const READY_WITHIN_MS = 30_000

/** One real S3 server, by its pinned recipe. */
export interface Store {
  name: string
  module: string
  binary: string
  /** Whether uploads in parts are listed by the beginning of their keys. */
  listsUploads: boolean
  /** How it is started on a port of this machine, with files in a folder. */
  start(port: number, folder: string): { args: string[]; env: Record<string, string> }
}

export const ACCESS_KEY = 'atrium-test'
export const SECRET_KEY = 'atrium-test-secret'

export const VERSITYGW: Store = {
  name: 'versitygw 1.8.0',
  module: 'github.com/versity/versitygw/cmd/versitygw@v1.8.0',
  listsUploads: true,
  binary: 'versitygw',
  start: (port, folder) => ({
    args: [
      '--access',
      ACCESS_KEY,
      '--secret',
      SECRET_KEY,
      '--port',
      `127.0.0.1:${port}`,
      '--quiet',
      'posix',
      folder,
    ],
    env: {},
  }),
}

export const MINIO: Store = {
  name: 'MinIO, its last community source',
  module: 'github.com/minio/minio@v0.0.0-20260212201848-7aac2a2c5b7c',
  binary: 'minio',
  // by whole keys alone; it drops what came of an upload by itself after a day
  listsUploads: false,
  start: (port, folder) => ({
    args: ['server', '--address', `127.0.0.1:${port}`, folder],
    env: {
      MINIO_ROOT_USER: ACCESS_KEY,
      MINIO_ROOT_PASSWORD: SECRET_KEY,
      MINIO_BROWSER: 'off',
      MINIO_UPDATE: 'off',
    },
  }),
}

/** In a folder of its own, which is named by what it is built from. */
const keptAs = ({ binary, module }: Store) => [`${binary}-${module.split('@').at(-1)}`, binary] as const

/** Where its program is, once installed. */
export const storeProgram = (store: Store) => keptAt(...keptAs(store))

/** Builds it where it is not there yet. @returns why it cannot be had */
export async function install(store: Store): Promise<string | undefined> {
  try {
    await keep(...keptAs(store), (draft) => run('go', ['install', store.module], { env: { GOBIN: draft } }))
  } catch (error) {
    return `it is built with Go 1.25 or newer: ${(error as Error).message.split('\n')[0]}`
  }
  return undefined
}

/** Starts a store on a folder. @returns its address, and how to end it */
export async function open(store: Store, folder: string): Promise<{ url: string; end: () => Promise<void> }> {
  await mkdir(folder, { recursive: true })
  const port = await freePort()
  const { args, env } = store.start(port, folder)
  const server = spawn(storeProgram(store), args, { stdio: 'ignore', env: { ...process.env, ...env } })
  const url = `http://127.0.0.1:${port}`
  try {
    // any answer to a request without credentials will do; MinIO says 503 until it is ready
    await untilAnswers(url, READY_WITHIN_MS, (status) => status < 500)
  } catch (error) {
    await end(server)
    throw new Error(`${store.name} did not get ready`, { cause: error })
  }
  return { url, end: () => end(server) }
}
