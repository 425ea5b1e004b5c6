import { createHash } from 'node:crypto'
import { chmod, realpath, rm } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { codeOf, messageOf } from './failure.ts'
import { makeFolder } from './make-folder.ts'

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
/** Also where the folder is missing or may not be entered: its first use fails with a message that says so. */
const VACANT: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ENOENT', 'ENOTDIR', 'EACCES'])

/** In the data folder: a second office in a container of its own finds the first by it. */
const SOCKET_FILE = 'in-use.sock'
/** A longer path does not fit into a socket's address (unix(7): 108 bytes with the zero at its end). */
const LONGEST_SOCKET_PATH = 107

/**
 * Makes this process the only one on the data folder until `release()` or its own death: the kernel frees the folder
 * however the process dies. Makes the folder where it is missing. `about` answers another process that asks for the
 * holder. The hold works between all users of one machine; on Linux also across containers and network namespaces,
 * where the folder's path has up to 95 bytes and its file system knows sockets.
 * @throws DataFolderTaken where another process, or this one, holds the folder already
 */
export async function holdDataFolder(
  dataDir: string,
  about: () => Holder,
): Promise<{ release(): Promise<void> }> {
  await makeFolder(dataDir)
  const held: Server[] = []
  const release = async () => {
    for (const server of held.reverse()) await new Promise((resolve) => server.close(resolve))
  }
  try {
    for (const address of addressesOf(await realpath(dataDir))) {
      const server = await hold(address, dataDir, about)
      if (server !== undefined) held.push(server)
    }
  } catch (error) {
    await release()
    throw error
  }
  return { release }
}

/** @returns undefined where the address is free but cannot be held, which happens to a socket file only */
async function hold(address: string, dataDir: string, about: () => Holder): Promise<Server | undefined> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const server = await listen(address, about)
    if (typeof server === 'object') return server
    const answer = await ask(address)
    if (answer !== 'vacant') throw new DataFolderTaken(dataDir, answer === 'silent' ? undefined : answer)
    if (server === 'unfit') return undefined
    // The holder ended between the two steps, or was killed and left its socket file behind.
    await removeSocketFile(address)
    await pause(20)
  }
  throw new DataFolderTaken(dataDir, undefined)
}

/** The holder of the data folder; `'silent'` where it does not say who it is. Changes nothing. */
export async function findHolder(dataDir: string): Promise<Holder | 'silent' | undefined> {
  const folder = await realpath(dataDir).catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error
  })
  if (folder === undefined) return undefined
  for (const address of addressesOf(folder)) {
    const answer = await ask(address)
    if (answer !== 'vacant') return answer
  }
  return undefined
}

/**
 * Addresses that every user of this machine derives alike from the folder. The first on Linux is an abstract one of the
 * network namespace: it leaves nothing behind, and of several processes at once exactly one gets it. The second is a
 * file, which every process that sees the folder sees.
 */
function addressesOf(folder: string): string[] {
  const name = `atrium-${createHash('sha256').update(folder).digest('hex').slice(0, 32)}`
  if (process.platform === 'win32') return [`\\\\.\\pipe\\${name}`]
  // Not os.tmpdir(): macOS gives each user another one.
  if (process.platform !== 'linux') return [`/tmp/${name}.sock`]
  const file = join(folder, SOCKET_FILE)
  return Buffer.byteLength(file) > LONGEST_SOCKET_PATH ? [`\0${name}`] : [`\0${name}`, file]
}

function isSocketFile(address: string): boolean {
  return address.startsWith('/')
}

/** Listens at `address`; `'unfit'` where no socket file can be made there. */
function listen(address: string, about: () => Holder): Promise<Server | 'taken' | 'unfit'> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.end(JSON.stringify(about()))
    })
    server.once('error', (error) => {
      const code = codeOf(error)
      // Windows says EACCES of a pipe that another user holds.
      if (code === 'EADDRINUSE' || (code === 'EACCES' && !isSocketFile(address))) resolve('taken')
      // a folder without write permission, or a file system without sockets: the first write reports it
      else if (isSocketFile(address)) resolve('unfit')
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

/** Asks the holder who it is: `'vacant'` where there is none, `'silent'` where it does not say. */
function ask(address: string): Promise<Holder | 'vacant' | 'silent'> {
  return new Promise((resolve) => {
    let text = ''
    const socket = connect(address)
    const limit = setTimeout(() => socket.destroy(), ANSWER_LIMIT_MS)
    socket.on('data', (chunk) => {
      text += chunk
      if (text.length > LONGEST_ANSWER) socket.destroy()
    })
    socket.on('error', (error) => {
      if (VACANT.has(String(codeOf(error)))) resolve('vacant')
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
