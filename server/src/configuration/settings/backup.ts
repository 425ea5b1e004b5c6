import type { Setting } from './setting.ts'

/** Where `atrium backup --to` keeps archives: a store of its own, or that of the files. */
export const backupSettings = [
  {
    name: 'BACKUP_S3_ENDPOINT',
    group: 'Storage',
    kind: 'url',
    description: 'Address of the S3-compatible store that keeps backups. S3_ENDPOINT where not set.',
  },
  {
    name: 'BACKUP_S3_REGION',
    group: 'Storage',
    kind: 'text',
    description: 'Region of its bucket. S3_REGION where not set.',
  },
  {
    name: 'BACKUP_S3_ACCESS_KEY_ID',
    group: 'Storage',
    kind: 'text',
    description: 'Access key for backups. S3_ACCESS_KEY_ID where not set.',
  },
  {
    name: 'BACKUP_S3_SECRET_ACCESS_KEY',
    group: 'Storage',
    kind: 'secret',
    description: 'Its secret. S3_SECRET_ACCESS_KEY where not set.',
  },
] as const satisfies readonly Setting[]
