import { BackupProblem } from '../../platform/backup/manifest.ts'

/** Where archives are kept outside of this machine: each below its name. */
export interface RemotePlace {
  bucket: string
  /** Empty, or ends in a slash. */
  prefix: string
}

const PLACE = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[\w][\w.-]*)*)\/?$/

/** `s3://bucket/prefix`. @throws BackupProblem */
export function parsePlace(text: string): RemotePlace {
  const [, bucket, path] = PLACE.exec(text) ?? []
  if (bucket === undefined || path === undefined)
    throw new BackupProblem(`"${text}" is no place for backups: write it as s3://bucket/prefix`)
  return { bucket, prefix: path === '' ? '' : `${path.slice(1)}/` }
}
