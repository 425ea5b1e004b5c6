import type { ErasedPerson, Eraser } from '../../directory/erasure.ts'
import { enqueue } from '../../platform/background/work-items.ts'
import type { WorkQueue } from '../../platform/background/work-queue.ts'
import { type Clock, secondsAfter } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/database/database.ts'

const ERASURE_QUEUE = 'erasures'
/** What was under way when the account was deleted has arrived by then: events of the media server, requests, mails. */
const AGAIN_AFTER_SECONDS = 60 * 60

interface Payload {
  /** Without the moment where the release before has written it. */
  person: Omit<ErasedPerson, 'deletedAt'> & { deletedAt?: string }
  /** Only what is found by ids: nothing else is known of them any more. */
  again?: true
}

/** Has everything of somebody erased once the transaction has ended: at once in practice. */
export async function eraseLater(tx: Tx, person: ErasedPerson, now: Date): Promise<void> {
  const payload: Payload = { person: toPayload(person) }
  await enqueue(tx, { queue: ERASURE_QUEUE, key: person.id, payload, now })
}

function toPayload(person: ErasedPerson): Payload['person'] {
  return { ...person, deletedAt: person.deletedAt.toISOString() }
}

/**
 * Erases what every part of the office keeps of somebody, as long as it takes. One that fails keeps no other from it, but
 * the directory is last: as long as the identity provider still has them, it is known here who they were.
 */
export function erasureQueue(needs: {
  db: Db
  clock: Clock
  erasersOf(): readonly Eraser[]
  eraseLast(person: ErasedPerson): Promise<void>
}): WorkQueue {
  return {
    name: ERASURE_QUEUE,
    lanes: { default: 1 },
    retry: { firstSeconds: 2, lastSeconds: 15 * 60 },
    confidential: true,
    async handle({ payload, log }) {
      const { person: written, again } = payload as Payload
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
  }
}
