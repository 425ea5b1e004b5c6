import { createHash } from 'node:crypto'
import { shareLanes } from '../../platform/background/lane-shares.ts'
import { workQueue } from '../../platform/background/work-payload.ts'
import { type Again, pauseByAge, type Work, type WorkQueue } from '../../platform/background/work-queue.ts'
import { type Clock, secondsAfter } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { trusted, type UserId } from '../../platform/ids.ts'
import { failureName } from '../../platform/outside/post-outside.ts'
import { type Static, Type } from '../../platform/schema.ts'
import type { KeyRing } from '../../platform/secrets/sealed-column.ts'
import { isQuiet } from '../notifications/reads.ts'
import { authorization } from './authorization.ts'
import { encryptedBody } from './encrypted-body.ts'
import { type Notice, noticeOfCall, noticeOfMessage, type PlainText } from './notice.ts'
import type { Answer, Post } from './post.ts'
import { signingKey } from './push-keys.ts'
import { MESSAGE_SECONDS, PUSH_QUEUE, RETRY, RETRY_AFTER_MAX_SECONDS, verdictOf } from './rules.ts'
import {
  dropSubscription,
  listSubscriptions,
  pauseSubscription,
  type Subscription,
} from './subscription-store.ts'

export interface PushNeeds {
  db: Db
  clock: Clock
  pushRing: KeyRing
  post: Post
  /** Who push services ask about what this office sends. */
  contact: string
  plainText: PlainText
}

/** A page that was closed is known to be within so long. */
const SEEN_SECONDS = 75
const LOOK_SECONDS = 20
/** How many a node sends at a time. */
const LANES = 8
/** Push services that hang take the lanes of one person, and never all. */
const SHARES = { one: 2, organization: 6, slow: 4 }
const Payload = Type.Object({
  subscription: Type.String(),
  person: Type.String(),
  message: Type.Optional(Type.String()),
  /** The first message of the conversation that the browser has not been told of. */
  since: Type.Optional(Type.String()),
  /** How far the person had read when an edit mentioned them. */
  readTo: Type.Optional(Type.String()),
  call: Type.Optional(Type.Union([Type.Literal('knock'), Type.Literal('talk')])),
  from: Type.Optional(Type.String()),
  roomId: Type.Optional(Type.String()),
})
type Payload = Static<typeof Payload>

/** Tells browsers: one item for one browser. What is said is read when it is sent. */
export function pushQueue(needs: PushNeeds): WorkQueue {
  const shares = shareLanes(SHARES)
  return workQueue({
    name: PUSH_QUEUE,
    lanes: { default: LANES },
    retry: RETRY,
    payload: Payload,
    async handle(work) {
      const { db, clock } = needs
      const now = clock.now()
      const person = trusted.userId(work.payload.person)
      const known = await listSubscriptions(db, person, now)
      const subscription = known.find(({ id }) => id === work.payload.subscription)
      if (!subscription) return undefined
      if (subscription.pausedUntil && subscription.pausedUntil > now)
        return { againAt: subscription.pausedUntil }
      const notice = await noticeFor(needs, work, { person, shows: subscription.shows }, now)
      if (!notice) return undefined
      // the last page may have been closed a moment ago: presence learns of it some rounds of its poll later
      if (notice === 'seen')
        return secondsAfter(work.createdAt, SEEN_SECONDS) > now
          ? { againAt: secondsAfter(now, LOOK_SECONDS) }
          : undefined
      // a knock comes through, as it does in the open office
      if (work.payload.message !== undefined && (await isQuiet(db, person, now))) return undefined
      const done = shares.take({ one: person, organization: work.organization ?? '' })
      if (!done) return { againAt: shares.turnOf(person, now) }
      try {
        return await attempt(needs, work, subscription, notice)
      } finally {
        done()
      }
    },
  })
}

async function noticeFor(
  needs: Pick<PushNeeds, 'db' | 'plainText'>,
  { payload, organization }: Work<Payload>,
  { person, shows }: { person: UserId; shows: Subscription['shows'] },
  now: Date,
): Promise<Notice | 'seen' | undefined> {
  const { message, since, readTo, call, from, roomId } = payload
  if (message !== undefined)
    return await noticeOfMessage(needs, { message, since, readTo, person, shows }, now)
  if (call === undefined || from === undefined || organization === undefined) return undefined
  return await noticeOfCall(needs.db, { call, from, roomId }, { person, organization }, now)
}

async function attempt(
  needs: PushNeeds,
  work: Work<Payload>,
  subscription: Subscription,
  notice: Notice,
): Promise<Again | undefined> {
  const { db, clock } = needs
  const answer = await send(needs, work, subscription, notice)
  const verdict = verdictOf(answer)
  if (verdict === 'gone') await dropSubscription(db, subscription)
  if (verdict !== 'trouble') return undefined
  const asked = answer === undefined || answer === 'not-public' ? 0 : answer.retryAfterMs / 1_000
  const now = clock.now()
  const own = pauseByAge(RETRY, work.createdAt, now)
  const againAt = secondsAfter(now, Math.max(own, Math.min(asked, RETRY_AFTER_MAX_SECONDS)))
  await pauseSubscription(db, subscription, againAt)
  return { againAt }
}

/** @returns undefined where there was no answer */
async function send(
  { db, clock, pushRing, post, contact }: PushNeeds,
  { payload, expiresAt, log }: Work<Payload>,
  subscription: Subscription,
  notice: Notice,
): Promise<Answer | undefined> {
  const key = await signingKey(db, pushRing, subscription.key)
  if (!key) {
    log.error(
      { subscription: subscription.id },
      'no key opens that of a push service (npx atrium keys status)',
    )
    return undefined
  }
  const now = clock.now()
  const { endpoint } = subscription
  const left = expiresAt ? Math.floor((expiresAt.getTime() - now.getTime()) / 1_000) : MESSAGE_SECONDS
  const headers = {
    authorization: authorization(key, { endpoint, contact, now }),
    ttl: String(Math.max(left, 0)),
    urgency: payload.message === undefined ? 'high' : 'normal',
    // one that has not arrived yet gives way to the next of the same
    topic: createHash('sha256').update(`${payload.person} ${notice.tag}`).digest('base64url').slice(0, 32),
  }
  try {
    return await post(endpoint, headers, encryptedBody(JSON.stringify(notice), subscription))
  } catch (error) {
    log.debug({ subscription: subscription.id, failure: failureName(error) }, 'a push service did not answer')
    return undefined
  }
}
