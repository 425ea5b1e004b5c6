import type { OutboxEntry, OutboxStore, StoredEntry } from './entry.ts'
import { createMemoryStore } from './memory-store.ts'

const DATABASE = 'atrium-outbox'
const ENTRIES = 'entries'
const BY_PERSON = 'person'
/** Positions of what the database did not take: after all of its own. */
const AFTER_ALL = 2 ** 50

/**
 * Entries in IndexedDB, shared by all tabs and kept over reloads. What cannot be written there (a private window, a full
 * disk) is kept in memory: `isDurable` says so from then on.
 */
export function createIndexedStore(factory: IDBFactory): OutboxStore {
  const memory = createMemoryStore(AFTER_ALL)
  let isWhole = true
  const inDatabase = transactionsOf(factory)
  const unlessBroken = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work()
    } catch {
      isWhole = false
    }
  }
  const listOf = async (person: string): Promise<StoredEntry[]> => {
    let stored: StoredEntry[] = []
    await unlessBroken(async () => {
      stored = await inDatabase('readonly', (entries) => entries.index(BY_PERSON).getAll(person))
    })
    return [...stored.sort((one, other) => one.position - other.position), ...(await memory.listOf(person))]
  }
  const isOurs = ({ position }: StoredEntry) => position >= AFTER_ALL

  return {
    isDurable: () => isWhole,
    async add(entry) {
      try {
        return Number(await inDatabase('readwrite', (entries) => entries.add(entry satisfies OutboxEntry)))
      } catch {
        isWhole = false
        return await memory.add(entry)
      }
    },
    list: async ({ person, organization }) =>
      (await listOf(person)).filter((entry) => entry.organization === organization),
    listOf,
    async replace(entry) {
      if (isOurs(entry)) return await memory.replace(entry)
      await unlessBroken(() => putKnown(inDatabase, entry))
    },
    async remove(position) {
      if (position >= AFTER_ALL) return await memory.remove(position)
      await unlessBroken(() => inDatabase('readwrite', (entries) => entries.delete(position)))
    },
    async removeBefore(at) {
      await memory.removeBefore(at)
      await unlessBroken(() => removeOld(inDatabase, at))
    },
  }
}

type InDatabase = <Answer>(
  mode: IDBTransactionMode,
  work: (entries: IDBObjectStore) => IDBRequest<Answer>,
) => Promise<Answer>

/** Work on the entries. Answers what the work answers, once it is committed. */
function transactionsOf(factory: IDBFactory): InDatabase {
  let opening: Promise<IDBDatabase> | undefined
  const open = (): Promise<IDBDatabase> => {
    opening ??= openDatabase(factory, () => {
      opening = undefined
    })
    return opening
  }
  return async (mode, work) => {
    const transaction = (await open()).transaction(ENTRIES, mode)
    const asked = work(transaction.objectStore(ENTRIES))
    await new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve()
      transaction.onabort = () => reject(transaction.error)
    })
    return asked.result
  }
}

/** Without effect where it is gone. */
function putKnown(inDatabase: InDatabase, entry: StoredEntry): Promise<number> {
  return inDatabase('readwrite', (entries) => {
    const known = entries.count(entry.position)
    known.onsuccess = () => known.result > 0 && entries.put(entry)
    return known
  })
}

async function removeOld(inDatabase: InDatabase, before: number): Promise<void> {
  const all: StoredEntry[] = await inDatabase('readonly', (entries) => entries.getAll())
  for (const { position } of all.filter((entry) => entry.at < before))
    await inDatabase('readwrite', (entries) => entries.delete(position))
}

/** A database that cannot be opened rejects each time, and is tried again with the next question. */
function openDatabase(factory: IDBFactory, onGone: () => void): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => {
      onGone()
      reject(error)
    }
    let asked: IDBOpenDBRequest
    try {
      asked = factory.open(DATABASE, 1)
    } catch (error) {
      return fail(error)
    }
    asked.onupgradeneeded = () => {
      const entries = asked.result.createObjectStore(ENTRIES, { keyPath: 'position', autoIncrement: true })
      entries.createIndex(BY_PERSON, 'person')
    }
    asked.onerror = () => fail(asked.error)
    asked.onblocked = () => fail(new Error('another tab holds an older database'))
    asked.onsuccess = () => {
      const database = asked.result
      database.onclose = onGone
      // a newer page makes it anew: this one opens that
      database.onversionchange = () => {
        database.close()
        onGone()
      }
      resolve(database)
    }
  })
}
