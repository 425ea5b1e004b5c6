import { currentPushKey, PUSH_KEYS, type PushKey } from '../../../features/push/push-keys.ts'
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
  const ring = keyRingOf(config, PUSH_KEYS)
  const pushKey = await currentPushKey(databases.background, ring, clock.now())
  return { needs: { pushKey, pushPublicOnly: !config.allowPrivateWebhooks } }
}
