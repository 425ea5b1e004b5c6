import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

export interface ImageCheckOptions {
  /** The program of the child; another one where a trial wants one that fails. */
  entry?: string
  onWarning(error: unknown, message: string): void
}

/** The image check in a child of this process. */
export interface ImageCheck {
  /** Starts it, where it is not yet; the first look at its address does so too. */
  start(): void
  /** Where it answers. Waits for a child that is starting. @throws Error where none is up in time */
  url(withinMs?: number): Promise<string>
  isUp(): boolean
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
const ENTRY = fileURLToPath(new URL('process/image-check-process.ts', import.meta.url))

/** Keeps one child at work and starts it again when it dies. Its environment is empty: it can give nothing away. */
export function startImageCheck({ entry = ENTRY, onWarning }: ImageCheckOptions): ImageCheck {
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
    await once(running, 'exit').catch((error: unknown) => onWarning(error, 'the image check does not start'))
    child = undefined
    if (address !== undefined) up = Promise.withResolvers<string>()
    address = undefined
  }
  const start = () => {
    keeping ??= keepRunning(runOnce, onWarning, stopping.signal)
  }
  return {
    start,
    async url(withinMs = UP_WITHIN_MS) {
      start()
      const over = new AbortController()
      const late = pause(withinMs, undefined, { signal: over.signal }).catch(() => undefined)
      const found = await Promise.race([up.promise, late])
      over.abort()
      if (found === undefined) throw new Error('the image check is not up')
      return found
    },
    isUp: () => address !== undefined,
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

/** Starts a child again where it has ended, later each time unless it was well. */
async function keepRunning(
  runOnce: () => Promise<void>,
  onWarning: ImageCheckOptions['onWarning'],
  stopping: AbortSignal,
): Promise<void> {
  let wait = RESTART_FIRST_MS
  while (!stopping.aborted) {
    const began = performance.now()
    await runOnce().catch((error: unknown) => onWarning(error, 'the image check does not start'))
    if (stopping.aborted) return
    wait = performance.now() - began > WELL_AFTER_MS ? RESTART_FIRST_MS : Math.min(wait * 2, RESTART_LAST_MS)
    onWarning(undefined, `the image check ended and is started again in ${wait} ms`)
    await pause(wait, undefined, { signal: stopping }).catch(() => undefined)
  }
}

function startChild(entry: string): ChildProcess {
  return spawn(
    process.execPath,
    [`--max-old-space-size=${HEAP_MB}`, entry],
    // the channel tells us its port, and tells the child when we are done with it, or gone
    { env: {}, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] },
  )
}
