import { createHash } from 'node:crypto'
import { chmod, mkdir, realpath, rm } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { codeOf, messageOf } from './failure.ts'

/** What a process says of itself to another one that wants the same data folder. */
export interface Holder {
  pid: number
  url?: string
}

/** Another process holds the data folder. */
export class DataFolderTaken extends Error {
  readonly holder: Holder | undefined

  constructor(dataDir: string, holder: Holder | undefined) {
    const facts = holder ? [`process ${holder.pid}`, ...(holder.url ? [holder.url] : [])] : []
    const who = facts.length > 0 ? `Another Atrium (${facts.join(', ')})` : 'Another Atrium'
    super(`${who} is using ${dataDir}. Stop it, or start this one with another DATA_DIR.`)
    this.name = 'DataFolderTaken'
    this.holder = holder
  }
}

/** How long a holder may take to say who it is. It is believed to be there even if it says nothing. */
const ANSWER_LIMIT_MS = 700
const ATTEMPTS = 3
const LONGEST_ANSWER = 4_096

/**
 * Makes this process the only one on the data folder, which is made where missing, until `release()` or its own death,
 * of whatever kind: the kernel gives the folder free. `about` is asked whenever another process wants to know who is
 * here. Holds among processes of one machine (on Linux: of one network namespace) whoever their users are.
 * Throws DataFolderTaken where another process, or this one, holds the folder already.
 */
export async function holdDataFolder(
  dataDir: string,
  about: () => Holder,
): Promise<{ release(): Promise<void> }> {
  await mkdir(dataDir, { recursive: true })
  const address = addressOf(await realpath(dataDir))
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const server = await listen(address, about)
    if (server !== undefined)
      return { release: () => new Promise((resolve) => server.close(() => resolve())) }
    const answer = await ask(address)
    if (answer !== 'nobody') throw new DataFolderTaken(dataDir, answer === 'silent' ? undefined : answer)
    // The holder ended between the two steps, or (macOS only) left its socket file behind.
    await removeSocketFile(address)
    await pause(20)
  }
  throw new DataFolderTaken(dataDir, undefined)
}

/** Who holds the data folder now; `'silent'` where they do not say, undefined where nobody does. Changes nothing. */
export async function findHolder(dataDir: string): Promise<Holder | 'silent' | undefined> {
  const folder = await realpath(dataDir).catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error
  })
  const answer = folder === undefined ? 'nobody' : await ask(addressOf(folder))
  return answer === 'nobody' ? undefined : answer
}

/** An address that every user of this machine derives alike from the folder. */
function addressOf(folder: string): string {
  const name = `atrium-${createHash('sha256').update(folder).digest('hex').slice(0, 32)}`
  if (process.platform === 'linux') return `\0${name}`
  if (process.platform === 'win32') return `\\\\.\\pipe\\${name}`
  // Not os.tmpdir(): macOS gives each user another one.
  return `/tmp/${name}.sock`
}

function isSocketFile(address: string): boolean {
  return address.startsWith('/')
}

/** Listens at `address`; undefined where it is taken. */
function listen(address: string, about: () => Holder): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.end(JSON.stringify(about()))
    })
    server.once('error', (error) => {
      // Windows says EACCES of a pipe that another user holds.
      if (codeOf(error) === 'EADDRINUSE' || codeOf(error) === 'EACCES') resolve(undefined)
      else reject(new Error(`The data folder cannot be reserved: ${messageOf(error)}`, { cause: error }))
    })
    server.listen(address, () => {
      // Holding the folder alone is no reason to live.
      server.unref()
      if (!isSocketFile(address)) return resolve(server)
      // Other users must be able to ask; there is nothing else they could do with it.
      chmod(address, 0o666).then(() => resolve(server), reject)
    })
  })
}

/** Asks the holder who it is: `'nobody'` where there is none, `'silent'` where it does not say. */
function ask(address: string): Promise<Holder | 'nobody' | 'silent'> {
  return new Promise((resolve) => {
    let text = ''
    const socket = connect(address)
    const limit = setTimeout(() => socket.destroy(), ANSWER_LIMIT_MS)
    socket.on('data', (chunk) => {
      text += chunk
      if (text.length > LONGEST_ANSWER) socket.destroy()
    })
    socket.on('error', (error) => {
      if (codeOf(error) === 'ECONNREFUSED' || codeOf(error) === 'ENOENT') resolve('nobody')
    })
    socket.on('close', () => {
      clearTimeout(limit)
      resolve(readHolder(text))
    })
  })
}

function readHolder(text: string): Holder | 'silent' {
  try {
    const { pid, url } = JSON.parse(text) as Partial<Record<keyof Holder, unknown>>
    if (typeof pid !== 'number') return 'silent'
    return typeof url === 'string' ? { pid, url } : { pid }
  } catch {
    return 'silent'
  }
}

async function removeSocketFile(address: string): Promise<void> {
  if (isSocketFile(address)) await rm(address, { force: true })
}
