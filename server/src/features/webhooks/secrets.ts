import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import {
  type KeyRing,
  openOrNothing,
  type SealingContext,
  seal,
} from '../../platform/secrets/sealed-column.ts'
import { passingColumn, type SealedPlace, sealedColumn } from '../../platform/secrets/sealed-place.ts'
import type { WebhookRow } from './webhook-store.ts'

/** The purpose that the secrets are sealed for. */
export const WEBHOOK_KEYS = 'webhook-secrets'
const SECRET_BYTES = 32
/** Marks it as a secret of Standard Webhooks, for its libraries and for scanners of code. */
const PREFIX = 'whsec_'
/** Of secrets that are sealed together: no secret holds one. */
const BETWEEN = ' '

export function newWebhookSecret(): string {
  return `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`
}

/** What a test carries, and a receiver that agrees answers: 256 bits. */
export function newChallenge(): string {
  return randomBytes(SECRET_BYTES).toString('base64url')
}

/** @param organization of the webhook: in another organization's row the secret does not open */
export function sealSecret(ring: KeyRing, secret: string, organization: string): Buffer {
  return seal(ring, secret, contextOf(organization))
}

/** @returns undefined where no key of ours opens it */
export function openSecret(ring: KeyRing, sealed: Buffer, organization: string): string | undefined {
  return openOrNothing(ring, sealed, contextOf(organization))?.toString()
}

type Secrets = Pick<WebhookRow, 'sealed_secret' | 'sealed_former_secret' | 'former_secret_until'>

const FORMER_MAX = 3

/** What signs beside the next secret: the one of now, and those before it while they still do. Sealed as one text. */
export function formerSecrets(
  ring: KeyRing,
  webhook: Secrets,
  { organization, now }: { organization: string; now: Date },
): Buffer {
  // no key opens it: it may be back
  if (openSecret(ring, webhook.sealed_secret, organization) === undefined) return webhook.sealed_secret
  const secrets = signingSecrets(ring, webhook, { organization, now }).slice(0, FORMER_MAX)
  return sealSecret(ring, secrets.join(BETWEEN), organization)
}

/** The secrets that sign now. Those that no key of ours opens are left out. */
export function signingSecrets(
  ring: KeyRing,
  webhook: Secrets,
  { organization, now }: { organization: string; now: Date },
): string[] {
  const { sealed_secret: sealed, sealed_former_secret: former, former_secret_until: until } = webhook
  const all = [sealed, ...(former && until && until > now ? [former] : [])]
  return all.flatMap((one) => openSecret(ring, one, organization)?.split(BETWEEN) ?? [])
}

/** For a change of keys, which seals them again. */
export function sealedSecrets(ring: KeyRing): SealedPlace[] {
  const challenges = passingColumn({
    name: 'challenges of webhooks',
    ring,
    table: 'webhooks',
    column: 'sealed_challenge',
    endsAt: sql<Date>`challenge_until`,
  })
  const columns = { 'webhook secrets': 'sealed_secret', 'former webhook secrets': 'sealed_former_secret' }
  const secrets = Object.entries(columns).map(([name, column]) =>
    sealedColumn({
      name,
      ring,
      table: 'webhooks',
      column,
      key: ['id', 'organization_id'],
      contextOf: (row) => contextOf(String(row.organization_id)),
    }),
  )
  return [...secrets, challenges]
}

function contextOf(organization: string): SealingContext {
  return [WEBHOOK_KEYS, organization]
}

/**
 * The headers that say of a body that it is ours: one signature of each secret.
 * Source: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function signatureHeaders(
  secrets: readonly string[],
  { id, now, body }: { id: string; now: Date; body: string },
): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, now, body)).join(' '),
  }
}
