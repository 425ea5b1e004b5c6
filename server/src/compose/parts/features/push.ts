import { plainText } from '@atrium/web/plain-text.ts'
import { pushQueue } from '../../../features/push/deliver.ts'
import { poster } from '../../../features/push/post.ts'
import { currentPushKey, PUSH_KEYS, type PushKey } from '../../../features/push/push-keys.ts'
import { publicFetch } from '../../../platform/outside/public-fetch.ts'
import { keyRingOf } from '../../keys/key-rings.ts'
import type { Opening, Part } from '../../part.ts'
import type { Databases } from '../platform/databases.ts'

export interface Push extends Part {
  needs: { pushKey: PushKey; pushPublicOnly: boolean }
}

/** Browsers are told of what happens while nothing of the office is open. */
export async function openPush(
  { config, clock }: Opening,
  { databases }: { databases: Databases },
): Promise<Push> {
  const { background: db } = databases
  const pushRing = keyRingOf(config, PUSH_KEYS)
  const publicOnly = !config.allowPrivateWebhooks
  const fetchIt = publicOnly ? publicFetch({ allowedBy: 'ATRIUM_ALLOW_PRIVATE_WEBHOOKS' }) : fetch
  return {
    needs: { pushKey: await currentPushKey(db, pushRing, clock.now()), pushPublicOnly: publicOnly },
    queues: [
      pushQueue({ db, clock, pushRing, plainText, post: poster(fetchIt, clock), contact: config.baseUrl }),
    ],
  }
}
