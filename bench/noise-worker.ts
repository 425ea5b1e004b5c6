import { workerData } from 'node:worker_threads'
import { type Paced, pace } from './paced-load.ts'

/** Makes the noise of noisy-neighbour.ts, away from the clock that times the neighbour. */

await pace(workerData as Paced)
