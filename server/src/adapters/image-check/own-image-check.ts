import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Log } from '../../platform/log.ts'
import { pause, settledWithin } from '../../platform/timing/pause.ts'
import type { ImageCheckPort } from '../../ports/image-check.ts'
import { httpImageCheck } from './http-image-check.ts'

export interface OwnImageCheckOptions {
  /** The program whose command `image-check` it is. */
  entry: string
  log: Pick<Log, 'info' | 'warn'>
}

/** The image check in a child of this process. */
export interface OwnImageCheck extends ImageCheckPort {
  /** Starts it, where it is not yet; a first check does so too. */
  start(): void
  /** Resolves when a child answers. @throws Error where none does in time: as long as a check waits, if not said otherwise */
  up(withinMs?: number): Promise<void>
  /** Of the child that runs now. */
  pid(): number | undefined
  stop(): Promise<void>
}

/** On a busy machine the first check of all waits: a moment longer is better than a refusal. */
const UP_WITHIN_MS = 15_000
const RESTART_FIRST_MS = 100
const RESTART_LAST_MS = 5_000
/** A child that lived so long was well: the next restart is quick again. */
const WELL_AFTER_MS = 10_000
const STOP_WITHIN_MS = 2_000
const HEAP_MB = 128

/** Keeps one child at work and starts it again when it dies. Its environment is empty: it can give nothing away. */
export function ownImageCheck({ entry, log }: OwnImageCheckOptions): OwnImageCheck {
  const stopping = new AbortController()
  let child: ChildProcess | undefined
  let address: string | undefined
  let up = Promise.withResolvers<string>()
  let keeping: Promise<void> | undefined

  const runOnce = async () => {
    const running = startChild(entry)
    child = running
    running.on('message', (message: { port?: number }) => {
      address = `http://127.0.0.1:${message.port}`
      up.resolve(address)
    })
    // "error" instead of "exit" where it could not even be started
    await once(running, 'exit').catch((error: unknown) =>
      log.warn({ err: error }, 'the image check does not start'),
    )
    child = undefined
    if (address !== undefined) up = Promise.withResolvers<string>()
    address = undefined
  }
  const keep = async () => {
    let wait = RESTART_FIRST_MS
    while (!stopping.signal.aborted) {
      const began = performance.now()
      await runOnce().catch((err: unknown) => log.warn({ err }, 'the image check does not start'))
      if (stopping.signal.aborted) return
      wait =
        performance.now() - began > WELL_AFTER_MS ? RESTART_FIRST_MS : Math.min(wait * 2, RESTART_LAST_MS)
      log.warn({ againInMs: wait }, 'the image check ended and is started again')
      await pause(wait, stopping.signal)
    }
  }
  const start = () => {
    keeping ??= keep()
  }
  const url = async (withinMs = UP_WITHIN_MS) => {
    start()
    const found = await settledWithin(withinMs, up.promise)
    if (found === undefined) throw new Error('the image check is not up')
    return found
  }
  return {
    ...httpImageCheck({ url: () => url(), isUp: () => address !== undefined }),
    start,
    up: async (withinMs) => void (await url(withinMs)),
    pid: () => child?.pid,
    async stop() {
      stopping.abort()
      if (child?.connected) child.disconnect()
      const late = setTimeout(() => child?.kill('SIGKILL'), STOP_WITHIN_MS)
      await keeping
      clearTimeout(late)
    },
  }
}

function startChild(entry: string): ChildProcess {
  return spawn(
    process.execPath,
    [`--max-old-space-size=${HEAP_MB}`, entry, 'image-check', '--of-office', '--port', '0'],
    // the channel tells us its port, and tells the child when we are done with it, or gone
    { env: {}, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] },
  )
}
