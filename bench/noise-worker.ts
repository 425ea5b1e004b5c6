import { parentPort, workerData } from 'node:worker_threads'
import { type Paced, pace } from './paced-load.ts'

/** Makes the noise of noisy-neighbour.ts, away from the clock that times the neighbour; tells the status of each answer. */

const answers = await pace(workerData as Paced)
parentPort?.postMessage(answers.map(({ status }) => status))
