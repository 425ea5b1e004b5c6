import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Notifications } from '../background/notifications.ts'
import type { Db } from '../database/database.ts'
import type { Log } from '../log.ts'
import { pause, settledWithin } from '../timing/pause.ts'
import { after } from '../timing/timer.ts'
import type { Family } from './exposition.ts'
import type { PagePart } from './page-part.ts'
import type { RenderWorkerData, ToRenderWorker } from './render-worker.ts'
import { readChangedSeries, SERIES_CHANNEL } from './series-store.ts'

/** The text of the stored series, kept up to date in the background from the first reading on. */
export interface OfficePage {
  /** The newest text. Waits only for the very first one, for which everything is read. */
  current(): Promise<PagePart>
  close(): Promise<void>
}

export interface OfficePageOptions {
  db: Db
  log: Pick<Log, 'warn' | 'error'>
  notifications: Pick<Notifications, 'on' | 'isLive'>
  families: readonly Family[]
  /** Labels that every series ends with, as text. */
  constant: string
}

const PAGE_ROWS = 5_000
/** How long a change may stay unseen when its notification is lost; and when there are no notifications. */
const POLL_MS = 5_000
const POLL_UNNOTIFIED_MS = 500
const RETRY_MS = 1_000
const CLOSE_WITHIN_MS = 5_000
/** The id of a thread that has ended. */
const THREAD_GONE = -1

/** How far the text is, for the functions below. */
interface Following {
  readonly options: OfficePageOptions
  readonly stopping: AbortController
  /** What has been read. */
  revision: string
  /** The text begins anew, without what it has. */
  startAgain: boolean
  wake: AbortController
}

/**
 * Follows the stored series from the first reading of the page on, and has a thread of its own write their text:
 * without a collector of metrics there is no thread and nothing is read.
 */
export function openOfficePage(options: OfficePageOptions): OfficePage {
  const stopping = new AbortController()
  const wake = new AbortController()
  const following: Following = { options, stopping, revision: '0', startAgain: false, wake }
  const first = Promise.withResolvers<void>()
  let newest: PagePart | undefined
  let open: { worker: RenderWorker; done: Promise<void> } | undefined
  options.notifications.on(SERIES_CHANNEL, (operation) => {
    // what is gone has no revision: begin with an empty page
    if (operation === 'delete') following.startAgain = true
    following.wake.abort()
  })
  const begin = () => {
    const worker = keepWorker(options, options.log, {
      onText(rendered) {
        newest = rendered
        first.resolve()
      },
      onLoss() {
        following.startAgain = true
        following.wake.abort()
      },
    })
    return { worker, done: follow(following, worker) }
  }
  return {
    async current() {
      if (!stopping.signal.aborted) open ??= begin()
      await first.promise
      return newest as PagePart
    },
    async close() {
      stopping.abort()
      await open?.done
      await open?.worker.close()
      first.resolve()
    },
  }
}

async function follow(following: Following, to: RenderWorker): Promise<void> {
  const { stopping } = following
  const { log, notifications } = following.options
  while (!stopping.signal.aborted) {
    following.wake = new AbortController()
    const failed = await catchUp(following, to).then(
      () => false,
      (err: unknown) => {
        if (!stopping.signal.aborted) log.warn({ err }, 'the stored metrics cannot be read')
        return true
      },
    )
    const idle = notifications.isLive() ? POLL_MS : POLL_UNNOTIFIED_MS
    const wakes = failed ? [] : [following.wake.signal]
    await pause(failed ? RETRY_MS : idle, AbortSignal.any([stopping.signal, ...wakes]))
  }
}

async function catchUp(following: Following, { send }: RenderWorker): Promise<void> {
  let clear = following.startAgain || following.revision === '0'
  if (clear) following.revision = '0'
  following.startAgain = false
  for (;;) {
    const page = await readChangedSeries(following.options.db, following.revision, PAGE_ROWS)
    if (page.rows.length > 0 || clear) send({ rows: page.rows, clear })
    clear = false
    following.revision = page.revision
    if (page.rows.length < PAGE_ROWS) return
  }
}

interface Listener {
  onText(rendered: PagePart): void
  /** A worker is gone, and another one has taken its place, which knows nothing yet. */
  onLoss(): void
}

interface RenderWorker {
  send(message: ToRenderWorker): void
  close(): Promise<void>
}

function keepWorker(
  { families, constant }: OfficePageOptions,
  log: Pick<Log, 'error'>,
  listener: Listener,
): RenderWorker {
  let closing = false
  let current = start()

  function start(): Worker {
    const data: RenderWorkerData = { families, constant }
    const worker = new Worker(new URL('render-worker.ts', import.meta.url), { workerData: data })
    worker.unref()
    worker.on('message', listener.onText)
    worker.on('error', (err) => log.error({ err }, 'the thread that writes the metrics failed'))
    worker.on('exit', () => {
      if (closing) return
      startAgain()
    })
    return worker
  }
  function startAgain(): void {
    const begin = () => {
      if (closing) return
      current = start()
      listener.onLoss()
    }
    after(RETRY_MS, begin, (err) => {
      log.error({ err }, 'the thread that writes the metrics does not start')
      startAgain()
    })
  }
  return {
    send: (message) => current.postMessage(message),
    async close() {
      closing = true
      if (current.threadId === THREAD_GONE) return
      const ended = once(current, 'exit').catch(() => 'failed')
      // by itself: Node can abort the whole process where a thread is terminated while it still loads its files
      current.postMessage('end' satisfies ToRenderWorker)
      if ((await settledWithin(CLOSE_WITHIN_MS, ended)) === undefined) await current.terminate()
    },
  }
}
