import type { Adapter, AdapterPayload } from 'oidc-provider'
import { boundedCache } from '../../platform/limits/bounded-cache.ts'

const ENTRIES_MAX = 2_000

/** Where the stand-in keeps sign-ins under way: this process, for as long as it runs. */
export function inMemory(): (name: string) => Adapter {
  const entries = boundedCache<string, { payload: AdapterPayload; expiresAt: number }>(ENTRIES_MAX)
  return (name) => {
    const keyOf = (id: string) => `${name}:${id}`
    const find = async (id: string): Promise<AdapterPayload | undefined> => {
      const entry = entries.get(keyOf(id))
      return entry && entry.expiresAt > Date.now() ? entry.payload : undefined
    }
    return {
      find,
      async upsert(id, payload, expiresIn) {
        entries.set(keyOf(id), { payload, expiresAt: Date.now() + (expiresIn ?? 600) * 1_000 })
      },
      async findByUid(uid) {
        for (const [key, { payload }] of entries)
          if (key.startsWith(`${name}:`) && payload.uid === uid) return await find(key.slice(name.length + 1))
        return undefined
      },
      findByUserCode: async () => undefined,
      async consume(id) {
        const entry = entries.get(keyOf(id))
        if (entry) entry.payload = { ...entry.payload, consumed: Math.floor(Date.now() / 1_000) }
      },
      async destroy(id) {
        entries.delete(keyOf(id))
      },
      async revokeByGrantId(grantId) {
        for (const [key, { payload }] of entries) if (payload.grantId === grantId) entries.delete(key)
      },
    }
  }
}
