import { randomId } from '../requests/random-id.ts'
import { newKeyPair } from './boxes.ts'

/** A browser, as one person uses it. The private half of its key cannot be read, only used. */
export interface OwnDevice {
  deviceId: string
  publicKey: string
  pair: CryptoKeyPair
}

/** What a browser keeps for sealed rooms. */
export interface DeviceStore {
  /** The same each time, for a person. */
  device(userId: string): Promise<OwnDevice>
  /** In place of one that the office does not take. */
  replaceDevice(userId: string): Promise<OwnDevice>
  /** Keys of a colleague that were seen, or accepted, before. */
  pins(userId: string): Promise<readonly string[]>
  pin(userId: string, publicKey: string): Promise<void>
}

type Table = 'devices' | 'pins'

/** Keeps values under texts; all reject where the disk does. */
interface Shelf {
  get(table: Table, key: string): Promise<unknown>
  put(table: Table, key: string, value: unknown): Promise<void>
}

const DATABASE = 'atrium-sealing'

/** In IndexedDB; where there is none, or it refuses (a private window), in memory: a device of this page alone. */
export function createDeviceStore(factory: IDBFactory | undefined = globalThis.indexedDB): DeviceStore {
  const memory = memoryShelf()
  const disk = factory && indexedShelf(factory)
  const get = async (table: Table, key: string) => {
    const kept = await disk?.get(table, key).catch(() => undefined)
    return kept ?? (await memory.get(table, key))
  }
  const put = async (table: Table, key: string, value: unknown) => {
    try {
      await (disk ?? memory).put(table, key, value)
    } catch {
      await memory.put(table, key, value)
    }
  }
  const replaceDevice = async (userId: string) => {
    const device: OwnDevice = { deviceId: randomId(), ...(await newKeyPair()) }
    await put('devices', userId, device)
    return device
  }
  const pins = async (userId: string) => ((await get('pins', userId)) as string[] | undefined) ?? []
  // two rooms at once, and one pair
  let making: Promise<unknown> = Promise.resolve()
  return {
    async device(userId) {
      const made = making.then(async () => {
        const kept = await get('devices', userId)
        return isDevice(kept) ? kept : await replaceDevice(userId)
      })
      making = made.catch(() => {})
      return await made
    },
    replaceDevice,
    pins,
    async pin(userId, publicKey) {
      const before = await pins(userId)
      if (!before.includes(publicKey)) await put('pins', userId, [...before, publicKey])
    },
  }
}

function isDevice(kept: unknown): kept is OwnDevice {
  const { deviceId, publicKey, pair } = (kept ?? {}) as Partial<OwnDevice>
  return typeof deviceId === 'string' && typeof publicKey === 'string' && pair?.privateKey !== undefined
}

function memoryShelf(): Shelf {
  const kept = new Map<string, unknown>()
  return {
    get: async (table, key) => kept.get(`${table} ${key}`),
    put: async (table, key, value) => void kept.set(`${table} ${key}`, value),
  }
}

function indexedShelf(factory: IDBFactory): Shelf {
  const within = async <Answer>(
    table: Table,
    mode: IDBTransactionMode,
    work: (rows: IDBObjectStore) => IDBRequest<Answer>,
  ): Promise<Answer> => {
    const database = await opened(factory)
    try {
      const transaction = database.transaction(table, mode)
      const asked = work(transaction.objectStore(table))
      await new Promise<void>((resolve, reject) => {
        transaction.oncomplete = () => resolve()
        transaction.onabort = () => reject(transaction.error)
      })
      return asked.result
    } finally {
      database.close()
    }
  }
  return {
    get: (table, key) => within(table, 'readonly', (rows) => rows.get(key)),
    async put(table, key, value) {
      await within(table, 'readwrite', (rows) => rows.put(value, key))
    },
  }
}

function opened(factory: IDBFactory): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const asked = factory.open(DATABASE, 1)
    asked.onupgradeneeded = () => {
      for (const table of ['devices', 'pins'] satisfies Table[]) asked.result.createObjectStore(table)
    }
    asked.onsuccess = () => resolve(asked.result)
    asked.onerror = () => reject(asked.error)
    asked.onblocked = () => reject(new Error('another tab holds an older database'))
  })
}
