import type { ErasedPerson, Eraser } from '../../directory/erasure.ts'
import { enqueue } from '../../platform/background/work-items.ts'
import { workQueue } from '../../platform/background/work-payload.ts'
import type { WorkQueue } from '../../platform/background/work-queue.ts'
import { type Clock, secondsAfter } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import type { IdentityUserId, UserId } from '../../platform/ids.ts'
import { type Static, Type } from '../../platform/schema.ts'

const ERASURE_QUEUE = 'erasures'
/** What was under way when the account was deleted has arrived by then: events of the media server, requests, mails. */
const AGAIN_AFTER_SECONDS = 60 * 60

const Payload = Type.Object({
  person: Type.Object({
    id: Type.Unsafe<UserId>(Type.String()),
    identityId: Type.Unsafe<IdentityUserId>(Type.String()),
    emails: Type.Array(Type.String()),
    names: Type.Array(Type.String()),
    /** Without it where the release before has written it. */
    deletedAt: Type.Optional(Type.String()),
  }),
  /** Only what is found by ids: nothing else is known of them any more. */
  again: Type.Optional(Type.Literal(true)),
})
type Payload = Static<typeof Payload>

/** Queues the erasure of a person, which begins once the transaction has ended: at once in practice. */
export async function eraseLater(tx: Tx, person: ErasedPerson, now: Date): Promise<void> {
  const payload: Payload = { person: toPayload(person) }
  await enqueue(tx, { queue: ERASURE_QUEUE, key: person.id, payload, now })
}

function toPayload(person: ErasedPerson): Payload['person'] {
  const { emails, names } = person
  return { ...person, emails: [...emails], names: [...names], deletedAt: person.deletedAt.toISOString() }
}

/**
 * Erases what every part of the office keeps of a person, as long as it takes. A part that fails keeps no other from
 * it, but the directory is last: as long as the identity provider still has them, the directory knows who they were.
 */
export function erasureQueue(needs: {
  db: Db
  clock: Clock
  erasersOf(): readonly Eraser[]
  eraseLast(person: ErasedPerson): Promise<void>
}): WorkQueue {
  return workQueue({
    name: ERASURE_QUEUE,
    lanes: { default: 1 },
    retry: { firstSeconds: 2, lastSeconds: 15 * 60 },
    confidential: true,
    payload: Payload,
    async handle({ payload: { person: written, again }, log }) {
      const person = {
        ...written,
        deletedAt: written.deletedAt ? new Date(written.deletedAt) : needs.clock.now(),
      }
      const failed: unknown[] = []
      for (const { name, erase } of needs.erasersOf())
        await erase(person).catch((error: unknown) => {
          log.warn({ eraser: name }, 'a part of an erasure has failed')
          failed.push(error)
        })
      if (failed.length > 0) throw failed[0]
      await needs.eraseLast(person)
      if (again) return
      const now = needs.clock.now()
      await enqueue(needs.db, {
        queue: ERASURE_QUEUE,
        key: `again ${person.id}`,
        payload: { person: toPayload({ ...person, emails: [], names: [] }), again: true } satisfies Payload,
        now,
        runAt: secondsAfter(now, AGAIN_AFTER_SECONDS),
      })
    },
  })
}
