import type { Secret } from '../platform/secrets/secret.ts'
import type { SettingReader } from './setting-reader.ts'

export interface S3Config {
  endpoint: string
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: Secret
}

/** Where files are kept, and who looks at pictures before they count. */
export interface FilesConfig {
  avatarPublicBaseUrl: string
  avatarUploadTries: number
  logoUploadTries: number
  /** Undefined: an image check of our own runs beside the server. */
  imageCheckUrl: string | undefined
  fileCheckUrl: string | undefined
  /** Undefined: files are kept in the data folder. */
  s3: S3Config | undefined
  /** Where backups are sent to. Undefined where no store is named. */
  backupStore: Omit<S3Config, 'bucket'> | undefined
}

export function filesConfigOf(read: SettingReader, { baseUrl }: { baseUrl: string }): FilesConfig {
  return {
    avatarPublicBaseUrl: read.address('AVATAR_PUBLIC_BASE_URL') ?? `${baseUrl}/storage`,
    avatarUploadTries: read.number('AVATAR_UPLOAD_TRIES'),
    logoUploadTries: read.number('LOGO_UPLOAD_TRIES'),
    imageCheckUrl: read.address('IMAGE_CHECK_URL'),
    fileCheckUrl: read.address('FILE_CHECK_URL'),
    s3: read.text('STORAGE') === 's3' ? s3Of(read) : undefined,
    backupStore: backupStoreOf(read),
  }
}

function s3Of(read: SettingReader): S3Config {
  return Object.freeze<S3Config>({
    endpoint: read.address('S3_ENDPOINT') as string,
    region: read.known('S3_REGION'),
    bucket: read.known('S3_BUCKET'),
    accessKeyId: read.known('S3_ACCESS_KEY_ID'),
    secretAccessKey: read.secret('S3_SECRET_ACCESS_KEY') as Secret,
  })
}

function backupStoreOf(read: SettingReader): FilesConfig['backupStore'] {
  const endpoint = read.address('BACKUP_S3_ENDPOINT') ?? read.address('S3_ENDPOINT')
  const accessKeyId = read.text('BACKUP_S3_ACCESS_KEY_ID') ?? read.text('S3_ACCESS_KEY_ID')
  const secretAccessKey = read.secret('BACKUP_S3_SECRET_ACCESS_KEY') ?? read.secret('S3_SECRET_ACCESS_KEY')
  if (!endpoint || !accessKeyId || !secretAccessKey) return undefined
  const region = read.text('BACKUP_S3_REGION') ?? read.known('S3_REGION')
  return Object.freeze({ endpoint, region, accessKeyId, secretAccessKey })
}
