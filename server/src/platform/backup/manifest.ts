import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import Type, { type Static } from 'typebox'
import { Value } from 'typebox/value'

/** Why an archive cannot be made or used, in a sentence for the operator. */
export class BackupProblem extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'BackupProblem'
  }
}

/** Of this release. What a later one changes so that this one would misread it gets another number. */
export const FORMAT = 1
export const MANIFEST = 'manifest.json'

const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' })
/** As the migrations write them: nothing that could lead out of a folder. */
const Name = Type.String({ pattern: '^[a-z][a-z0-9_]*$' })

const ArchivedTable = Type.Object({
  name: Name,
  columns: Type.Array(Name, { minItems: 1 }),
  rows: Type.Integer({ minimum: 0 }),
  /** Of the rows as `COPY` writes them. */
  sha256: Sha256,
})
const ArchivedSequence = Type.Object({ name: Name, last: Type.String({ pattern: '^-?[0-9]+$' }) })
const ArchivedList = Type.Object({ count: Type.Integer({ minimum: 0 }), sha256: Sha256 })

const DatabaseManifest = Type.Object({
  /** Names of those that made the schema, in order. */
  migrations: Type.Array(Type.String(), { minItems: 1 }),
  tables: Type.Array(ArchivedTable),
  /** Those that have been used. */
  sequences: Type.Array(ArchivedSequence),
})

const Manifest = Type.Object({
  format: Type.Literal(FORMAT),
  /** The release that made it. */
  release: Type.String(),
  madeAt: Type.String(),
  database: DatabaseManifest,
  pictures: ArchivedList,
  recordings: ArchivedList,
  /** By setting. */
  keyFingerprints: Type.Record(Type.String(), Type.String()),
})

export type ArchivedTable = Static<typeof ArchivedTable>
export type ArchivedSequence = Static<typeof ArchivedSequence>
export type ArchivedList = Static<typeof ArchivedList>
export type DatabaseManifest = Static<typeof DatabaseManifest>
export type Manifest = Static<typeof Manifest>

/** What is in an archive. @throws BackupProblem where it is not one, is not whole, or is of a later release */
export async function readManifest(folder: string): Promise<Manifest> {
  const manifest = await parseManifest(folder)
  const { format, release } = manifest as { format?: unknown; release?: unknown }
  if (typeof format === 'number' && format > FORMAT)
    throw new BackupProblem(
      `The archive was made by Atrium ${release}, in a format that this release does not know. Restore it with that release`,
    )
  if (!Value.Check(Manifest, manifest))
    throw new BackupProblem(`The archive is broken: ${MANIFEST} is not as it was written`)
  return manifest
}

async function parseManifest(folder: string): Promise<object> {
  try {
    return JSON.parse(await readFile(join(folder, MANIFEST), 'utf8')) as object
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new BackupProblem(`The archive is broken: ${MANIFEST} cannot be read`, error)
    throw new BackupProblem(
      `${folder} holds no whole archive: ${MANIFEST}, which is written last, is not there or cannot be read`,
      error,
    )
  }
}
