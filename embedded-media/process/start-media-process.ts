import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { MediaLimits, Order, Report } from '../messages.ts'
import { errorOf, tellable } from './faults.ts'

export interface MediaProcessOptions {
  /** Where media goes; where not given, the first ordinary IPv4 address of this machine. */
  address?: string
  cameras: number
  /** For Node, beside our own. */
  nodeOptions?: readonly string[]
  /** What a connection does; that it is ready, and what it throws, are not told here. */
  onReport(report: ConnectionReport): void
  /** All of a recording is written, or nothing more of it can be. */
  onRecorded?(report: RecordingReport): void
  /** The process has gone, and with it everybody who was connected. It is started again. */
  onEnded(): void
  onWarning(error: unknown, message: string): void
}

/** What one connection does. */
export type ConnectionReport = Extract<Report, { sid: string }>
export type RecordingReport = Extract<Report, { recording: string }>

/** A media server for a few people in a child process: it forwards sound and pictures of those whom it is given. */
export interface MediaProcess {
  /** Starts it, where it is not yet; the first order does so too. */
  start(): void
  /**
   * @param socket of the handshake of an order: it is the child's from then on
   * @returns false where there is no child: the socket is closed
   */
  send(order: Order, socket?: Socket): boolean
  /** It has died, and the next one is not ready yet. */
  isAway(): boolean
  /** Of the process; undefined while there is none. */
  pid(): number | undefined
  /** Ends the child as an accident would; another is started. */
  kill(): void
  close(): Promise<void>
}

const ENTRY = fileURLToPath(new URL('media-process.ts', import.meta.url))
const RESTART_FIRST_MS = 100
const RESTART_LAST_MS = 10_000
/** A child that lived so long was well: the next restart is quick again. */
const WELL_AFTER_MS = 10_000
const STOP_WITHIN_MS = 2_000
const HEAP_MB = 512

/** Keeps one child at work and starts it again when it dies. Its environment is empty: it can give nothing away. */
export function startMediaProcess(options: MediaProcessOptions): MediaProcess {
  const stopping = new AbortController()
  let child: ChildProcess | undefined
  let keeping: Promise<void> | undefined
  let away = false

  const runOnce = async () => {
    const running = startHeardChild(options, () => {
      away = false
    })
    child = running
    // "error" instead of "exit" where it could not even be started
    await once(running, 'exit').catch((error: unknown) =>
      options.onWarning(error, 'the embedded media server does not start'),
    )
    child = undefined
    away = true
    if (!stopping.signal.aborted) options.onEnded()
  }
  const start = () => {
    if (stopping.signal.aborted || keeping) return
    warnOfAddress(options)
    keeping = keepRunning(runOnce, options, stopping.signal)
  }
  return {
    start,
    send(order, socket) {
      start()
      if (!child?.connected) {
        socket?.destroy()
        return false
      }
      if (socket) detach(socket)
      // a channel that closes meanwhile: the child has gone, which its exit tells
      child.send(order, socket, {}, (error) => error && socket?.destroy())
      return true
    },
    isAway: () => away,
    pid: () => child?.pid,
    kill: () => void child?.kill('SIGKILL'),
    async close() {
      stopping.abort()
      if (child?.connected) child.disconnect()
      const late = setTimeout(() => child?.kill('SIGKILL'), STOP_WITHIN_MS)
      await keeping
      clearTimeout(late)
    },
  }
}

/** A child; its reports and last words are heard. */
function startHeardChild(options: MediaProcessOptions, onReady: () => void): ChildProcess {
  const { cameras, nodeOptions = [], address = ordinaryAddress() } = options
  const child = startChild({ address, cameras }, nodeOptions)
  child.on('message', (report: Report) => {
    if (report.report === 'ready') onReady()
    else if (report.report === 'fault')
      options.onWarning(errorOf(report.fault), 'the embedded media server met a fault')
    else if ('recording' in report) options.onRecorded?.(report)
    else options.onReport(report)
  })
  // what no code of ours has said: a library, or Node at its end
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    options.onWarning(undefined, `the embedded media server wrote: ${tellable(text).trimEnd()}`)
  })
  return child
}

/** Starts a child again where it has ended, later each time unless it was well. */
async function keepRunning(
  runOnce: () => Promise<void>,
  { onWarning }: MediaProcessOptions,
  stopping: AbortSignal,
): Promise<void> {
  let wait = RESTART_FIRST_MS
  while (!stopping.aborted) {
    const began = performance.now()
    await runOnce()
    if (stopping.aborted) return
    wait = performance.now() - began > WELL_AFTER_MS ? RESTART_FIRST_MS : Math.min(wait * 2, RESTART_LAST_MS)
    onWarning(undefined, 'the embedded media server ended and is started again')
    await pause(wait, undefined, { signal: stopping, ref: false }).catch(() => undefined)
  }
}

interface Counted {
  server: unknown
  _server: { _connections: number } | null
}

/**
 * Before it closes, a server of Node asks every process that it gave sockets to, and waits for those that have gone
 * too: for ever. It must not know, and count one connection less.
 */
function detach(socket: Socket): void {
  const counted = socket as unknown as Counted
  if (counted._server) counted._server._connections -= 1
  counted._server = null
  counted.server = null
}

function startChild(limits: MediaLimits, nodeOptions: readonly string[]): ChildProcess {
  const nodes = [`--max-old-space-size=${HEAP_MB}`, ...nodeOptions]
  return spawn(process.execPath, [...nodes, ENTRY, JSON.stringify(limits)], {
    env: {},
    // the channel brings sockets, and tells the child when we are done with it, or gone
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'json',
  })
}

/** Another address may come with a network that is up later: told, not refused. */
function warnOfAddress({ address, onWarning }: MediaProcessOptions): void {
  const own = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses)
  if (address === undefined || own.some((one) => one.address === address)) return
  onWarning(
    undefined,
    `EMBEDDED_MEDIA_ADDRESS is ${address}, which this machine does not have: no media flows`,
  )
}

/** Browsers ignore loopback addresses: an ordinary one is needed even for pages of this machine. */
function ordinaryAddress(): string {
  const found = Object.entries(networkInterfaces())
    .filter(([name]) => !/^(docker|br-|veth|tun|tap|utun|vmnet)/.test(name))
    .flatMap(([, addresses = []]) => addresses)
    .find(
      ({ family, internal, address }) => family === 'IPv4' && !internal && !address.startsWith('169.254.'),
    )
  return found?.address ?? '127.0.0.1'
}
