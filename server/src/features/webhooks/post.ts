import type { Clock } from '../../platform/clock.ts'
import type { OrganizationId } from '../../platform/ids.ts'
import type { Log } from '../../platform/log.ts'
import type { Fetch } from '../../platform/outside/outside-fetch.ts'
import { failureName, type PostAnswer, postOutside } from '../../platform/outside/post-outside.ts'
import type { KeyRing } from '../../platform/secrets/sealed-column.ts'
import { signatureHeaders, signingSecrets } from './secrets.ts'
import type { WebhookRow } from './webhook-store.ts'

const ANSWER_WITHIN_MS = 10_000

/** @param bytes how much of the answer is read, about. @throws where there was none within the time */
export type Post = (
  url: string,
  headers: Record<string, string>,
  body: string,
  bytes?: number,
) => Promise<PostAnswer>

/** Posts one event. */
export function poster(fetchIt: Fetch, clock: Clock): Post {
  return (url, headers, body, bytes) =>
    postOutside({ fetchIt, clock }, url, {
      call: { provider: 'webhook', action: 'deliver' },
      headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'Atrium-Webhooks/1' },
      body,
      withinMs: ANSWER_WITHIN_MS,
      ...(bytes === undefined ? {} : { bytes }),
    })
}

export interface SendingNeeds {
  clock: Clock
  webhookRing: KeyRing
  post: Post
}

/** The body of an event, or of a test. */
export function bodyOf(event: {
  id: string
  type: string
  timestamp: string
  organizationId: string
  data: unknown
}): string {
  return JSON.stringify(event)
}

/** What goes to a webhook: an event, or a test. */
export interface Letter {
  webhook: WebhookRow
  organization: OrganizationId
  /** The `webhook-id`. */
  id: string
  body: string
}

/** Signs and posts. @returns undefined where there was no answer */
export async function send(
  { clock, webhookRing, post }: SendingNeeds,
  log: Log,
  { webhook, organization, id, body }: Letter,
  bytes = 0,
): Promise<PostAnswer | undefined> {
  const now = clock.now()
  const secrets = signingSecrets(webhookRing, webhook, { organization, now })
  if (secrets.length === 0) {
    // unsigned, a receiver would refuse it: until the key is back, or the secret rotated, it counts as not answered
    log.error({ webhook: webhook.id }, 'no key opens the secret of a webhook (npx atrium keys status)')
    return undefined
  }
  const headers = signatureHeaders(secrets, { id, now, body })
  try {
    return await post(webhook.url, headers, body, bytes)
  } catch (error) {
    log.debug({ webhook: webhook.id, failure: failureName(error) }, 'a webhook did not answer')
    return undefined
  }
}
