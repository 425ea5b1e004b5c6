import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { type Family, newExposition } from './exposition.ts'
import { pagePart } from './page-part.ts'
import type { SeriesRow } from './tally.ts'

/**
 * Keeps the text of the office's series: thousands of organizations are megabytes, which would hold up every request
 * if they were written where requests are answered.
 */

export interface RenderWorkerData {
  families: readonly Family[]
  constant: string
}
/** Rows to show, after everything else was dropped where `clear` says so; or that this was all. */
export type ToRenderWorker = { rows: readonly SeriesRow[]; clear?: boolean } | 'end'

/** At least this long between two texts, and at most this share of a processor. */
const PAUSE_MS_MIN = 50
const PAUSES_PER_RENDERING = 10

if (parentPort) serve(parentPort, workerData as RenderWorkerData)

function serve(port: MessagePort, { families, constant }: RenderWorkerData): void {
  const exposition = newExposition(families, constant)
  let scheduled: NodeJS.Timeout | undefined
  let notBefore = 0
  const render = () => {
    scheduled = undefined
    const began = performance.now()
    const part = pagePart(exposition.text())
    const took = performance.now() - began
    notBefore = performance.now() + Math.max(PAUSE_MS_MIN, took * PAUSES_PER_RENDERING)
    port.postMessage(part, [part.plain.buffer, part.deflated.buffer])
  }
  port.on('message', (message: ToRenderWorker) => {
    if (message === 'end') {
      clearTimeout(scheduled)
      return port.close()
    }
    if (message.clear) exposition.clear()
    exposition.put(message.rows)
    scheduled ??= setTimeout(render, Math.max(0, notBefore - performance.now()))
  })
}
