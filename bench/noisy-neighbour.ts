import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { Benchmark, Sample } from './benchmark.ts'
import { populate } from './colleagues.ts'
import { signUp } from './first-person.ts'
import { NOISES, type Noise, type NoiseContext } from './noises.ts'
import { converse, type Employee, employ } from './noisy-tenants.ts'
import { prepareOffice } from './office.ts'
import { type Ends, openBare, openContest } from './opening.ts'
import { type Asked, type Paced, pace } from './paced-load.ts'
import { processorTime } from './processor-time.ts'
import { insertRoom } from './room.ts'
import { ascending, quantile } from './statistics.ts'
import { undisturbed } from './undisturbed.ts'

const MEDIA_SERVER = fileURLToPath(new URL('room-token-media-server.ts', import.meta.url))
const NOISE_WORKER = new URL('noise-worker.ts', import.meta.url)

/** Calls a minute that one person has, as by default. */
const BUDGET = 600
const NOISE = { perSecond: (BUDGET * 10) / 60, underWayMax: 24 }
/** Beside it a company at work: twenty people, five calls a second each. */
const QUIET = { perSecond: 100, underWayMax: 200 }
const PEOPLE = 20
const COLLEAGUES = 5_000
const LONG = { messages: 20_000, characters: 2_000 }
/**
 * The noise is there before the neighbour is timed. And after: what it has under way then waits for its turn, two seconds
 * and up to ten for what is worth several calls; the next chapter waits for that.
 */
const LEAD_MS = 500
const BY_QUIET = ': by quiet'
/** Time for the first round of the poll, which takes note of the new broker. */
const FIRST_ROUND_MS = 3_000

/**
 * What one tenant notices of another. The subject is the chapter that is noticed most in its round, which among eleven p99 of
 * 200 calls is the one that was unlucky; the goal is of each chapter's median over the rounds, in the details. An answer
 * other than 2xx to the quiet tenant ends the measurement.
 */
export const noisyNeighbour: Benchmark = {
  name: 'noisy-neighbour',
  describe: `p99 of a tenant of ${PEOPLE} people (${QUIET.perSecond} calls/s), while a member of another does the most expensive things of one chapter after the other, at ten times their budget (${NOISE.perSecond} calls/s in ${NOISE.underWayMax} lanes), against the same without noise`,
  unit: 'ms',
  goal: { detailsMax: 1.5, named: BY_QUIET },
  repeatsByItself: true,
  // eleven chapters, each with a quiet time before it and calls that wait their turn after it: with five rounds of five
  // seconds a quarter of an hour. For one of them take those: --chapter "chat pages" --rounds 5 --seconds 5
  usual: { rounds: 3, seconds: 2 },
  prepare: ({ seconds, chapters }) =>
    openContest(async (ends) => {
      const stage = await open(ends, chosen(chapters))
      await undisturbed(() => quietTimes(stage.quiet, seconds))
      // one pass serves both sides of a round: a machine that slows down slows quiet and noise alike
      let pass: Promise<Pass> | undefined
      let taken = 0
      const take = (side: keyof Pass) => async () => {
        if (taken % 2 === 0) pass = passOf(stage, seconds)
        taken += 1
        return (await (pass as Promise<Pass>))[side]
      }
      return { subject: take('subject'), baseline: take('baseline') }
    }),
}

interface Pass {
  /** Of the chapter that is noticed most. */
  subject: Sample
  /** Right before it. */
  baseline: Sample
}

interface Stage {
  /** Of the office. */
  pid: number
  quiet: readonly Asked[]
  noises: readonly { noise: Noise; requests: readonly Asked[] }[]
}

/** @throws Error where there is no such chapter */
function chosen(chapters: readonly string[] = NOISES.map(({ chapter }) => chapter)): Noise[] {
  return chapters.map((wanted) => {
    const noise = NOISES.find(({ chapter }) => chapter === wanted)
    if (noise) return noise
    throw new Error(`there is no chapter "${wanted}": ${NOISES.map(({ chapter }) => chapter).join(', ')}`)
  })
}

async function open(ends: Ends, chapters: readonly Noise[]): Promise<Stage> {
  const media = await openBare(ends, MEDIA_SERVER)
  const office = await prepareOffice({
    RATE_LIMIT_PER_USER: String(BUDGET),
    RATE_LIMIT_SIGN_IN_PER_ADDRESS: '60',
    LIVEKIT_URL: media.base,
    LIVEKIT_API_KEY: 'bench',
    LIVEKIT_API_SECRET: randomBytes(32).toString('base64url'),
    LIVEKIT_PUBLIC_URL: 'ws://127.0.0.1:9',
    RECORDINGS_WEBHOOK_SECRET: randomBytes(32).toString('base64url'),
    MEDIA_SWEEP_SECONDS: '0',
  })
  ends.push(() => office.remove())
  const development = await office.start('development')
  const founders = [await signUp(office.url), await signUp(office.url)] as const
  await development.stop()
  const production = await office.start('production')
  ends.push(() => production.stop())
  const base = office.url.replace('localhost', '127.0.0.1')
  const databaseUrl = await office.databaseUrl()
  await pause(FIRST_ROUND_MS)

  const [quietFounder, noisyFounder] = founders
  const quietPeople = await employ(databaseUrl, quietFounder, PEOPLE)
  const noisyPeople = await employ(databaseUrl, noisyFounder, 2 * chapters.length)
  const colleagues = await populate(databaseUrl, noisyFounder.organizationId, COLLEAGUES)
  const talk = await converse(databaseUrl, quietFounder.organizationId, quietPeople, {
    messages: 200,
    characters: 80,
  })
  const context: NoiseContext = {
    base,
    organizationId: noisyFounder.organizationId,
    conversation: '',
    roomId: await insertRoom(databaseUrl, noisyFounder),
    colleagues: colleagues.slice(0, 100),
  }
  const noises: Stage['noises'][number][] = []
  for (const [place, noise] of chapters.entries()) {
    // a member of their own for each: what the one before has used up is not missing
    const [noisy, peer] = noisyPeople.slice(2 * place, 2 * place + 2) as [Employee, Employee]
    const conversation = noise.chapter.startsWith('chat')
      ? await converse(databaseUrl, context.organizationId, [noisy, peer], LONG)
      : ''
    const token = await chatToken(base, noisy)
    noises.push({ noise, requests: noise.requests({ ...context, conversation }, noisy, token) })
  }
  return { pid: production.pid, quiet: await ordinaryWork(base, quietPeople, talk), noises }
}

/** What front ends ask all day. */
async function ordinaryWork(base: string, people: readonly Employee[], talk: string): Promise<Asked[]> {
  const userIds = people.map(({ userId }) => userId)
  const requests: Asked[] = []
  for (const person of people) {
    const headers = { cookie: person.cookie, 'content-type': 'application/json' }
    const call = (path: string, body: object): Asked => ({
      ...{ url: `${base}${path}`, method: 'POST', headers },
      body: JSON.stringify(body),
    })
    const bearer = {
      authorization: `Bearer ${await chatToken(base, person)}`,
      'content-type': 'application/json',
    }
    requests.push(call('/user/get', {}), call('/members/list', {}), call('/presence/snapshot', { userIds }), {
      ...call('/rest/v1/rpc/get_conversation_messages', { p_conversation_id: talk }),
      headers: bearer,
    })
  }
  return requests
}

async function chatToken(base: string, { cookie }: Employee): Promise<string> {
  const minted = await fetch(`${base}/api/v1/realtime/token`, { method: 'POST', headers: { cookie } })
  return ((await minted.json()) as { token: string }).token
}

/** Milliseconds of the quiet tenant. */
async function quietTimes(requests: readonly Asked[], seconds: number, beside = ''): Promise<number[]> {
  const answers = await pace({ requests, seconds, ...QUIET })
  const failed = answers.find(({ status }) => status < 200 || status > 299)
  if (failed) throw new Error(`${failed.url} answered ${failed.status} beside ${beside || 'nothing'}`)
  return ascending(answers.map(({ ms }) => ms))
}

/** Each noise with a quiet time before it. */
async function passOf({ quiet, noises, pid }: Stage, seconds: number): Promise<Pass> {
  const details: Record<string, number> = {}
  let worst = { before: 1, during: 0 }
  for (const { noise, requests } of noises) {
    const { chapter } = noise
    const { before, during, p50, processor, refused } = await undisturbed(async () => {
      const before = quantile(await quietTimes(quiet, seconds), 0.99)
      const made = makeNoise({ requests, seconds: seconds + LEAD_MS / 1_000, ...NOISE })
      await pause(LEAD_MS)
      const used = processorTime(pid) ?? Number.NaN
      const times = await quietTimes(quiet, seconds, chapter).finally(() => made)
      const processor = ((processorTime(pid) ?? Number.NaN) - used) / seconds / 10_000
      const refused = refusedPart(await made) * 100
      return { before, during: quantile(times, 0.99), p50: quantile(times, 0.5), processor, refused }
    })
    details[`${chapter}: office's processor %`] = processor
    details[`${chapter}: p50 ms`] = p50
    details[`${chapter}: p99 ms`] = during
    details[`${chapter}${BY_QUIET}`] = during / before
    details[`${chapter}: noise refused %`] = refused
    if (during / before > worst.during / worst.before) worst = { before, during }
  }
  return { subject: { value: worst.during, details }, baseline: { value: worst.before } }
}

/** @returns the statuses of its answers */
async function makeNoise(paced: Paced): Promise<number[]> {
  const [statuses] = await once(new Worker(NOISE_WORKER, { workerData: paced }), 'message')
  return statuses
}

function refusedPart(statuses: readonly number[]): number {
  return statuses.filter((status) => status === 429).length / statuses.length
}
