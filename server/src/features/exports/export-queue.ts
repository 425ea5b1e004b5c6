import { createReadStream } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ArchiveChapter } from '../../directory/archive-chapter.ts'
import { listActiveMemberships } from '../../directory/members/memberships.ts'
import { findOrganizationById, nameOrganization } from '../../directory/organizations.ts'
import { findUserById } from '../../directory/users.ts'
import { enqueue, type NewWork } from '../../platform/background/work-items.ts'
import { workQueue } from '../../platform/background/work-payload.ts'
import type { Work, WorkQueue } from '../../platform/background/work-queue.ts'
import { type Clock, DAY_MS, secondsAfter } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { trusted } from '../../platform/ids.ts'
import { Type } from '../../platform/schema.ts'
import type { ObjectStoragePort } from '../../ports/object-storage.ts'
import { type Build, buildArchive } from './build-archive.ts'
import { EXPORT_SECONDS } from './rules.ts'
import { type ExportRow, endExport, findExport, noteExpired, noteProgress } from './store.ts'

export interface ExportQueueNeeds {
  db: Db
  /** With a connection of its own, for what is read of one moment. */
  snapshots: Db
  clock: Clock
  storage: ObjectStoragePort
  chapters: readonly ArchiveChapter[]
  /** Of this node: archives lie here while they are made. */
  folder: string
}

const EXPORT_QUEUE = 'exports'
const ATTEMPTS_MAX = 4
const LEFT_OVER_AFTER_MS = DAY_MS

const Payload = Type.Union([
  Type.Object({ make: Type.String() }),
  Type.Object({ expire: Type.String(), key: Type.String() }),
])

/** An archive to make. In the transaction that says so. */
export function exportWork(id: string, now: Date): NewWork {
  return { queue: EXPORT_QUEUE, class: 'make', key: `make ${id}`, payload: { make: id }, now }
}

function expiryWork({ id, object_key: key }: ExportRow, now: Date, runAt: Date): NewWork {
  // with the key: the row may be gone by then
  return {
    queue: EXPORT_QUEUE,
    class: 'expire',
    key: `expire ${id}`,
    payload: { expire: id, key },
    now,
    runAt,
  }
}

/** Makes archives, one at a time on each node, and removes them when their day is over. */
export function exportQueue(needs: ExportQueueNeeds): WorkQueue {
  return workQueue({
    name: EXPORT_QUEUE,
    lanes: { make: 1, expire: 1 },
    retry: { firstSeconds: 20, lastSeconds: 600 },
    payload: Payload,
    async handle(work) {
      const { payload } = work
      if ('make' in payload) return await makeExport(needs, work, payload.make)
      await needs.storage.remove([payload.key])
      await noteExpired(needs.db, payload.expire)
    },
  })
}

async function makeExport(needs: ExportQueueNeeds, work: Work, id: string): Promise<void> {
  const row = await findExport(needs.db, id)
  if (row?.state !== 'running') return
  // the archive may have killed the process of an earlier attempt
  const isLast = work.attempts >= ATTEMPTS_MAX
  if (work.attempts > ATTEMPTS_MAX) {
    work.log.error({ export: id }, 'an export was given up: it was never finished')
    return await giveUp(needs, row)
  }
  try {
    await make(needs, work, row)
  } catch (err) {
    if (work.signal.aborted || !isLast) throw err
    work.log.error({ err, export: id }, 'an export was given up')
    await giveUp(needs, row)
  }
}

/** An attempt that failed late has written a file, which no export names any more. */
async function giveUp(needs: ExportQueueNeeds, row: ExportRow): Promise<void> {
  await discard(needs, row)
  await endExport(needs.db, row.id, { state: 'failed' }, needs.clock.now())
}

/** A node that took the export over from one that was slow to hear of it may be done: then the file is in use. */
async function discard({ db, storage }: ExportQueueNeeds, row: ExportRow): Promise<void> {
  if ((await findExport(db, row.id))?.state === 'ready') return
  await storage.remove([row.object_key])
}

async function make(needs: ExportQueueNeeds, work: Work, row: ExportRow): Promise<void> {
  const { db, clock, storage, snapshots, folder } = needs
  const archived = await subjectOf(needs, row)
  if (!archived) return void (await endExport(db, row.id, { state: 'failed' }, clock.now()))
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await removeLeftovers(folder, clock.now())
  // of this attempt: another node may still be at one before
  const path = join(folder, `${row.id}-${work.attempts}.tar.gz`)
  try {
    const onProgress = tellProgress(db, row)
    const { missing } = await buildArchive(
      { db: snapshots, storage },
      { ...archived, path, now: clock.now(), signal: work.signal, onProgress },
    )
    if (missing.length > 0)
      work.log.warn(
        { export: row.id, missing: missing.length },
        'pictures and files of an export are not in the object storage',
      )
    work.signal.throwIfAborted()
    const { size: sizeBytes } = await stat(path)
    await storage.writeStream(row.object_key, createReadStream(path), {
      contentType: 'application/gzip',
      cacheControl: 'private, no-store',
    })
    const now = clock.now()
    const expiresAt = secondsAfter(now, EXPORT_SECONDS)
    const isWanted = await transaction(db, async (tx) => {
      await enqueue(tx, expiryWork(row, now, expiresAt))
      return await endExport(tx, row.id, { state: 'ready', expiresAt, sizeBytes }, now)
    })
    // of a person who was erased meanwhile
    if (!isWanted) await discard(needs, row)
  } finally {
    await rm(path, { force: true })
  }
}

/** The organization or person of the export as they are now; undefined where they are gone. */
async function subjectOf(
  { db, chapters }: ExportQueueNeeds,
  row: ExportRow,
): Promise<Pick<Build, 'archived' | 'about'> | undefined> {
  if (row.organization_id !== null) {
    const id = trusted.organizationId(row.organization_id)
    const organization = await findOrganizationById(db, id)
    if (!organization) return undefined
    const { name } = await nameOrganization(db, id)
    const about = { organization: { id, organizationId: organization.identityId, name } }
    return { archived: { kind: 'organization', organization: id, chapters }, about }
  }
  const user = row.user_id === null ? undefined : await findUserById(db, trusted.userId(row.user_id))
  if (!user) return undefined
  const memberships = await listActiveMemberships(db, user.id)
  const organizations = memberships.map(({ organizationId }) => organizationId)
  const person = { id: user.id, email: user.email, organizations }
  return { archived: { kind: 'person', person, chapters }, about: { person: { id: user.id } } }
}

/** Written down with every per cent: 100 is for what can be fetched. */
function tellProgress(db: Db, { id, progress }: ExportRow) {
  let lastPercent = progress
  return async (part: number) => {
    const percent = Math.min(99, Math.floor(part * 100))
    if (percent <= lastPercent) return
    lastPercent = percent
    await noteProgress(db, id, percent)
  }
}

/** What a process left behind that was killed. */
async function removeLeftovers(folder: string, now: Date): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const info = await stat(path).catch(() => undefined)
    if (info && now.getTime() - info.mtimeMs > LEFT_OVER_AFTER_MS) await rm(path, { force: true })
  }
}
