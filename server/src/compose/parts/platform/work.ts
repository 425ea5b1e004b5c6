import { classesDue } from '../../../platform/background/work-items.ts'
import { startWorker, type Worker } from '../../../platform/background/work-queue.ts'
import type { Opening, Part } from '../../part.ts'
import type { Databases } from './databases.ts'
import type { OfficeNotifications } from './notifications.ts'

export interface OfficeWork extends Part {
  needs: Record<string, never>
  /** Who does the items of a queue on this node. @throws Error where there is no such queue, or before the office has started */
  worker(queue: string): Worker
  /** Every class of every queue. */
  classes(): { queue: string; class: string }[]
}

/**
 * The work queues of all parts.
 * @param parts all of the office; those that are opened later too
 */
export function openWork(
  { clock, log }: Opening,
  parts: readonly Part[],
  { databases, notifications }: { databases: Databases; notifications: OfficeNotifications },
): OfficeWork {
  const workers = new Map<string, Worker>()
  return {
    needs: {},
    worker(queue) {
      const worker = workers.get(queue)
      if (!worker) throw new Error(`nobody does the work of the queue ${queue} here`)
      return worker
    },
    classes: () => classesOf(parts),
    start(stack) {
      // side by side: each may wait for what is under way
      stack.defer(async () => void (await Promise.all([...workers.values()].map((worker) => worker.stop()))))
      const db = databases.background
      const isDue = askForAll((known) => classesDue(db, known, clock.now()), classesOf(parts))
      for (const queue of queuesOf(parts)) {
        const worker = startWorker(queue, { db, clock, log, notifications, isDue })
        workers.set(queue.name, worker)
      }
    },
  }
}

function queuesOf(parts: readonly Part[]) {
  return parts.flatMap(({ queues = [] }) => queues)
}

interface QueueClass {
  queue: string
  class: string
}

function classesOf(parts: readonly Part[]): QueueClass[] {
  return queuesOf(parts).flatMap((queue) =>
    Object.keys(queue.lanes).map((name) => ({ queue: queue.name, class: name })),
  )
}

/** How old an answer may be: the queues look one after the other, each every two seconds. */
const ANSWER_GOOD_FOR_MS = 1_000

/** One question for all classes in place of one for each. */
function askForAll(
  ask: (classes: readonly QueueClass[]) => Promise<QueueClass[]>,
  classes: readonly QueueClass[],
): (queue: string, ofClass: string) => Promise<boolean> {
  let askedAt = Number.NEGATIVE_INFINITY
  let answer: Promise<QueueClass[]> = Promise.resolve([])
  return async (queue, ofClass) => {
    if (performance.now() - askedAt > ANSWER_GOOD_FOR_MS) {
      askedAt = performance.now()
      answer = ask(classes)
    }
    return (await answer).some((one) => one.queue === queue && one.class === ofClass)
  }
}
