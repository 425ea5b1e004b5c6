import { AtriumError } from '../errors.ts'
import type { AtriumClient } from '../index.ts'
import type { DeviceStore, OwnDevice } from './device-store.ts'
import { isGuest, memberOf } from './places.ts'
import type { Entrant } from './words.ts'

/**
 * The device of this browser, published: keys of sealed rooms can be sealed to it. Rejects as `call` does.
 * @param name for the person, in their list of devices
 */
export async function publishOwnDevice(
  client: AtriumClient,
  store: DeviceStore,
  { userId, name }: { userId: string; name: string },
): Promise<OwnDevice> {
  const publish = async (device: OwnDevice) => {
    const { deviceId, publicKey } = device
    await client.call('publishDevice', { deviceId, publicKey, name })
    return device
  }
  try {
    return await publish(await store.device(userId))
  } catch (error) {
    if (!(error instanceof AtriumError) || error.error !== 'device-taken') throw error
    return await publish(await store.replaceDevice(userId))
  }
}

/** What this browser knows of the keys of colleagues: the first one of a person is believed, a later one is told. */
export interface KeyWatch {
  /** @returns whether the key of a colleague is another one than before */
  isChanged(entrant: Entrant): Promise<boolean>
  /** From now on the key is known. */
  accept(entrant: Entrant): Promise<void>
}

export function createKeyWatch(store: DeviceStore): KeyWatch {
  const accept = ({ identity, publicKey }: Entrant) => store.pin(memberOf(identity), publicKey)
  return {
    accept,
    async isChanged(entrant) {
      // a guest's page makes a pair each time
      if (isGuest(entrant.identity)) return false
      const known = await store.pins(memberOf(entrant.identity))
      if (known.length === 0) await accept(entrant)
      return known.length > 0 && !known.includes(entrant.publicKey)
    },
  }
}
