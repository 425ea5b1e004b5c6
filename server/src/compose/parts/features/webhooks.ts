import { listDesksEver } from '../../../features/rooms/private/private-store.ts'
import { webhookQueue } from '../../../features/webhooks/deliver.ts'
import { eraseFromWebhooks } from '../../../features/webhooks/erase.ts'
import { poster } from '../../../features/webhooks/post.ts'
import { WEBHOOK_KEYS } from '../../../features/webhooks/secrets.ts'
import { webhookTestQueue } from '../../../features/webhooks/verification/ask-receiver.ts'
import { publicFetch } from '../../../platform/outside/public-fetch.ts'
import type { KeyRing } from '../../../platform/secrets/sealed-column.ts'
import { keyRingOf } from '../../keys/key-rings.ts'
import type { Opening, Part } from '../../part.ts'
import type { Databases } from '../platform/databases.ts'
import type { Mail } from '../ports/mail.ts'

export interface Webhooks extends Part {
  needs: { webhookRing: KeyRing; webhooksPublicOnly: boolean }
}

/** Events of organizations leave for the addresses that these have chosen. */
export function openWebhooks(
  { config, clock }: Opening,
  { databases, mail }: { databases: Databases; mail: Mail },
): Webhooks {
  const { background: db } = databases
  const webhookRing = keyRingOf(config, WEBHOOK_KEYS)
  const publicOnly = !config.allowPrivateWebhooks
  const fetchIt = publicOnly ? publicFetch({ allowedBy: 'ATRIUM_ALLOW_PRIVATE_WEBHOOKS' }) : fetch
  const sending = { db, clock, webhookRing, post: poster(fetchIt, clock) }
  return {
    needs: { webhookRing, webhooksPublicOnly: publicOnly },
    erasers: [
      {
        name: 'webhooks',
        erase: async (person) => eraseFromWebhooks(db, person, await listDesksEver(db, person.id)),
      },
    ],
    queues: [webhookQueue({ ...sending, mailRing: mail.needs.mailRing }), webhookTestQueue(sending)],
  }
}
