import { parentPort, workerData } from 'node:worker_threads'
import { type Paced, pace } from './paced-load.ts'

/** Makes the noise of noisy-neighbour.ts, away from the clock that times the neighbour. Answers how many got which status. */

const counts: Record<string, number> = {}
for (const { status } of await pace(workerData as Paced)) counts[status] = (counts[status] ?? 0) + 1
parentPort?.postMessage(counts)
