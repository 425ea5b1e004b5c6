import { heardMoment, lastedSeconds } from '../../platform/timing/lasted.ts'
import type { MediaRecording, RecordingProgress } from '../../ports/media.ts'
import type { EventIngress } from '../../ports/media-events.ts'
import { type KnownRoom, keyOfJob, type Ledger, type MediaJob, metric, ownerOf } from './ledger.ts'
import { wholeSeconds } from './rules.ts'

/**
 * Recordings and streams brought in. Their events come in no order with those of rooms, and the end of one may be told
 * several times: the first one counts.
 */

export function startRecording(ledger: Ledger, place: KnownRoom, recording: MediaRecording, at: Date): void {
  startJob(ledger, place, jobOfRecording(place, recording), recording.startedAt ?? at)
}

export function endRecording(ledger: Ledger, place: KnownRoom, recording: MediaRecording, at: Date): void {
  const { startedAt, endedAt, file } = recording
  endJob(ledger, place, jobOfRecording(place, recording), {
    at: endedAt ?? at,
    seconds: file?.durationSeconds,
    startedAt,
    result: resultOf(recording),
  })
}

export function startIngress(ledger: Ledger, place: KnownRoom, ingress: EventIngress, at: Date): void {
  startJob(ledger, place, jobOfIngress(place, ingress), ingress.startedAt ?? at)
}

export function endIngress(ledger: Ledger, place: KnownRoom, ingress: EventIngress, at: Date): void {
  const { startedAt, endedAt, error } = ingress
  endJob(ledger, place, runOf(ledger, ingress) ?? jobOfIngress(place, ingress), {
    at: endedAt ?? at,
    startedAt,
    result: error === undefined ? 'success' : 'failed',
  })
}

const RESULTS: Partial<Record<RecordingProgress, string>> = {
  complete: 'success',
  failed: 'failed',
  aborted: 'aborted',
  limit_reached: 'limit_reached',
}

export function isOver({ progress }: MediaRecording): boolean {
  return RESULTS[progress] !== undefined
}

/** One that says itself that it left nothing has failed. */
function resultOf({ progress, error, leftNoFile }: MediaRecording): string {
  const result = RESULTS[progress] ?? (error === undefined ? 'success' : 'failed')
  return leftNoFile && (result === 'success' || result === 'limit_reached') ? 'failed' : result
}

interface JobMetrics {
  started: 'rtc_egress_started_total' | 'rtc_ingress_started_total'
  ended: 'rtc_egress_ended_total' | 'rtc_ingress_ended_total'
  duration: 'rtc_egress_duration_seconds' | 'rtc_ingress_duration_seconds'
  variety: 'request_type' | 'input_type'
}

const METRICS: Record<MediaJob['kind'], JobMetrics> = {
  egress: {
    started: 'rtc_egress_started_total',
    ended: 'rtc_egress_ended_total',
    duration: 'rtc_egress_duration_seconds',
    variety: 'request_type',
  },
  ingress: {
    started: 'rtc_ingress_started_total',
    ended: 'rtc_ingress_ended_total',
    duration: 'rtc_ingress_duration_seconds',
    variety: 'input_type',
  },
}

function startJob(ledger: Ledger, place: KnownRoom, fresh: MediaJob, startedAt: Date): void {
  const job = ledger.jobs.get(keyOfJob(fresh)) ?? fresh
  if (job.counted) return
  ledger.jobs.put(Object.assign(job, { counted: true, startedAt: job.startedAt ?? startedAt }))
  const { started, variety } = METRICS[job.kind]
  ledger.tally.count(metric(started), ownerOf(place), { [variety]: job.variety })
}

/** What the event says itself, length and times, goes before what is known. */
export function endJob(
  ledger: Ledger,
  place: KnownRoom,
  fresh: MediaJob,
  end: { at: Date; seconds?: number | undefined; startedAt?: Date | undefined; result: string },
): void {
  const job = ledger.jobs.get(keyOfJob(fresh)) ?? fresh
  if (job.endedAt) return
  // a start that was not told of does not give a length
  const since = [end.startedAt, job.startedAt]
  const moment = heardMoment(job.counted, job.startedAt, end.at)
  const seconds = lastedSeconds({ told: end.seconds, since, until: end.at }) ?? moment ?? null
  ledger.jobs.put(Object.assign(job, { endedAt: end.at, result: end.result, seconds }))
  const { ended, duration, variety } = METRICS[job.kind]
  ledger.tally.count(metric(ended), ownerOf(place), { result: end.result, [variety]: job.variety })
  if (seconds !== null) ledger.tally.observe(metric(duration), ownerOf(place), seconds)
}

function jobOfRecording(place: KnownRoom, { egressId, request }: MediaRecording): MediaJob {
  return { ...newJob(place), kind: 'egress', key: egressId, variety: request }
}

function jobOfIngress(place: KnownRoom, ingress: EventIngress): MediaJob {
  return { ...newJob(place), kind: 'ingress', key: keyOfIngress(ingress), variety: ingress.input }
}

/** An ingress starts and ends again and again under one id. */
export function keyOfIngress({
  ingressId,
  startedAt,
}: Pick<EventIngress, 'ingressId' | 'startedAt'>): string {
  return startedAt ? `${ingressId}@${startedAt.getTime()}` : ingressId
}

/**
 * The run that an event of an ingress is about. Its start and its end need not both say when it began: then it is the
 * one that is open under the id, or the last one, which has been told to be over once more.
 */
export function runOf(
  { jobs }: Ledger,
  ingress: Pick<EventIngress, 'ingressId' | 'startedAt'>,
): MediaJob | undefined {
  const { ingressId, startedAt } = ingress
  const known = (key: string) => jobs.get(keyOfJob({ kind: 'ingress', key }))
  if (startedAt) {
    const bare = known(ingressId)
    // what was over before this one began is another run
    const isOther = bare?.endedAt && wholeSeconds(bare.endedAt) < wholeSeconds(startedAt)
    return known(keyOfIngress(ingress)) ?? (isOther ? undefined : bare)
  }
  const begun = (job: MediaJob) => job.startedAt?.getTime() ?? 0
  const isRun = ({ kind, key }: MediaJob) =>
    kind === 'ingress' && (key === ingressId || key.startsWith(`${ingressId}@`))
  const runs = [...jobs.all()].filter(isRun).sort((one, other) => begun(other) - begun(one))
  return runs.find(({ endedAt }) => !endedAt) ?? runs[0]
}

function newJob({ organization, roomId }: KnownRoom) {
  return { organization, roomId, startedAt: null, counted: false, endedAt: null, result: null, seconds: null }
}
