import { UPLOAD_BYTES_MAX } from '../platform/http/input/upload-size.ts'
import { backupSettings } from './settings/backup.ts'
import { calendarSettings } from './settings/calendar.ts'
import { callSettings } from './settings/calls.ts'
import { codeSettings } from './settings/codes.ts'
import { exportSettings } from './settings/exports.ts'
import { invitationSettings } from './settings/invitations.ts'
import { mediaSettings } from './settings/media.ts'
import { metricsSettings } from './settings/metrics.ts'
import { nodeSettings } from './settings/node.ts'
import { organizationSettings } from './settings/organizations.ts'
import { providerSettings } from './settings/providers.ts'
import { realtimeSettings } from './settings/realtime.ts'
import { retentionSettings } from './settings/retention.ts'
import type { Setting } from './settings/setting.ts'
import { tracesSettings } from './settings/traces.ts'

export type { Setting } from './settings/setting.ts'

/** The root secret of development. Public, therefore refused in production. */
export const DEVELOPMENT_SECRET_KEY = 'atrium-development-secret-key-not-for-production'

/**
 * Every setting there is. The reference (`docs/configuration.md`) and `.env.example` are generated from it;
 * `config.ts` reads the environment by it.
 */
export const settings = [
  {
    name: 'ATRIUM_ENV',
    group: 'The office',
    kind: 'choice',
    choices: ['development', 'test', 'production'],
    default: 'development',
    description:
      'What this office is for. Outside production it brings stand-ins for mail and other vendors, and a public secret: where it is not set, an office that other machines are to reach (BASE_URL, FRONTEND_URL, HOST) does not start.',
  },
  {
    name: 'OFFICE_NAME',
    group: 'The office',
    kind: 'text',
    default: 'Atrium',
    description:
      'Name of this deployment, for sign-in pages (`GET /office`). Never the name of an organization.',
  },
  {
    name: 'SIGN_UP',
    group: 'The office',
    kind: 'choice',
    choices: ['open', 'invitation'],
    default: 'open',
    description:
      'Who may make an account: everybody, or only who was invited (link, mailed invitation, or the single sign-on of an organization).',
  },
  {
    name: 'PORT',
    group: 'The office',
    kind: 'number',
    range: [0, 65_535],
    default: '3000',
    description: 'Port of the HTTP server; 0 takes a free one.',
  },
  {
    name: 'HOST',
    group: 'The office',
    kind: 'text',
    description: 'Address to listen on. 127.0.0.1 (which `localhost` means), and 0.0.0.0 in production.',
  },
  {
    name: 'BASE_URL',
    group: 'The office',
    kind: 'url',
    requiredInProduction: true,
    description:
      'Where people reach this server. http://localhost:<PORT> outside production; production requires https, except on a loopback address. With https, cookies are Secure and carry the __Host- prefix.',
  },
  {
    name: 'FRONTEND_URL',
    group: 'The office',
    kind: 'url',
    description:
      'Where the front end lives: links in mails and redirects lead there. BASE_URL where not set. Production requires https here too.',
  },
  {
    name: 'ALLOWED_ORIGINS',
    group: 'The office',
    kind: 'list',
    default: '',
    description: 'Further origins, separated by commas, whose browsers may call with credentials.',
  },
  {
    name: 'TRUST_PROXY',
    group: 'The office',
    kind: 'list',
    default: '',
    description: 'Addresses or networks, separated by commas, whose X-Forwarded-For is believed.',
  },
  ...nodeSettings,
  {
    name: 'LOG_LEVEL',
    group: 'The office',
    kind: 'choice',
    choices: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    description: 'info in production, warn elsewhere. Every request is logged at info.',
  },
  {
    name: 'SECRET_KEY',
    group: 'The office',
    kind: 'secret',
    default: DEVELOPMENT_SECRET_KEY,
    requiredInProduction: true,
    description: 'Root of all derived keys; at least 32 characters. Make one with: openssl rand -base64 48',
  },
  {
    name: 'SECRET_KEY_PREVIOUS',
    group: 'The office',
    kind: 'secret',
    isList: true,
    description:
      'Former ones, the newest first: what was sealed with them can still be opened, and is sealed again little by little. `npx atrium keys status` says when one can be removed (docs/operations/rotation.md).',
  },
  {
    name: 'SECRET_KEY_NEXT',
    group: 'The office',
    kind: 'secret',
    description:
      'The next one: opens what other nodes have sealed with it, and seals nothing. All nodes know it before one of them has it as SECRET_KEY.',
  },
  {
    name: 'DATA_DIR',
    group: 'Database',
    kind: 'text',
    default: '.atrium',
    description:
      'Folder of the embedded database and of files. A relative path starts at the folder of the checkout.',
  },
  {
    name: 'DATABASE_URL',
    group: 'Database',
    kind: 'secret',
    description:
      'A PostgreSQL 15 or newer to use instead of the embedded one: postgres://user:password@host/database',
  },
  {
    name: 'DATABASE_REPLICA_URL',
    group: 'Database',
    kind: 'secret',
    description:
      'A standby of that PostgreSQL, or several behind one address: lists of members and pages of chat are read there where it has come as far as their organization has been told. Wants DATABASE_URL.',
  },
  {
    name: 'EMBEDDED_DATABASE',
    group: 'Database',
    kind: 'boolean',
    default: 'false',
    description:
      'Whether production may run on the embedded database, for one node on one disk; without it, production wants DATABASE_URL. Elsewhere it always may.',
  },
  {
    name: 'DATABASE_POOL_SIZE',
    group: 'Database',
    kind: 'number',
    range: [2, 200],
    default: '10',
    description:
      'Connections for requests; up to twenty-one more serve chat, events, jobs and notifications.',
  },
  {
    name: 'DATABASE_WAIT_MS',
    group: 'Database',
    kind: 'number',
    range: [500, 60_000],
    default: '2000',
    description:
      'How long one request waits for the database, all its statements together, before it is answered 503.',
  },
  ...providerSettings,
  {
    name: 'PILOT_SIGN_UP_ENVIRONMENTS',
    group: 'Sign-in',
    kind: 'list',
    default: 'development,test',
    description:
      'Environments, separated by commas, in which pilot customers may sign up (POST /auth/admin-sign-up).',
  },
  ...codeSettings,
  ...callSettings,
  ...organizationSettings,
  ...invitationSettings,
  ...exportSettings,
  ...retentionSettings,
  ...mediaSettings,
  {
    name: 'SMTP_URL',
    group: 'Mail',
    kind: 'secret',
    requiredInProduction: true,
    description:
      'Mail server: smtp://user:password@host:587. Without it mails go to the sandbox inbox (not in production).',
  },
  {
    name: 'MAIL_FROM',
    group: 'Mail',
    kind: 'text',
    default: 'Atrium <no-reply@localhost>',
    description: 'Sender of all mails.',
  },
  ...realtimeSettings,
  {
    name: 'AVATAR_PUBLIC_BASE_URL',
    group: 'Avatars',
    kind: 'url',
    description:
      'Where finished images are served from. <BASE_URL>/storage where not set: this server serves them, from any storage.',
  },
  {
    name: 'AVATAR_UPLOAD_TRIES',
    group: 'Avatars',
    kind: 'number',
    range: [0, 1_000],
    default: '3',
    description: 'Avatar uploads that one person may try in 24 hours; 0: no limit.',
  },
  {
    name: 'LOGO_UPLOAD_TRIES',
    group: 'Avatars',
    kind: 'number',
    range: [0, 1_000],
    default: '5',
    description: 'Logo uploads that one organization may try in 24 hours; 0: no limit.',
  },
  {
    name: 'UNFINISHED_UPLOADS',
    group: 'Avatars',
    kind: 'number',
    range: [1, 10_000],
    default: '100',
    description:
      'Upload tickets of one person (of avatars) or one organization (of logos) that may be open: of a day, and not finalized.',
  },
  {
    name: 'RATE_LIMIT_UPLOAD_BYTES_PER_USER',
    group: 'Avatars',
    kind: 'number',
    range: [0, 1_000_000_000_000],
    leastAboveNone: UPLOAD_BYTES_MAX,
    default: '67108864',
    description:
      'Bytes that one person (of avatars) or one organization (of logos) may upload in an hour; 0: no limit. An upload ticket counts as 8 MiB, the most that it can bring, until its image is judged; then as what it brought.',
  },
  {
    name: 'IMAGE_CHECK_URL',
    group: 'Avatars',
    kind: 'url',
    description:
      'An image check that runs by itself (docs/image-check.md). Without it this server runs one as its child.',
  },
  {
    name: 'FILE_CHECK_URL',
    group: 'Storage',
    kind: 'url',
    description:
      'What looks at files of the chat before they are sent, a scanner for viruses (docs/file-check.md). Without it nothing does.',
  },
  {
    name: 'STORAGE',
    group: 'Storage',
    kind: 'choice',
    choices: ['filesystem', 's3'],
    default: 'filesystem',
    description: 'Where files are kept: in DATA_DIR, or in an S3-compatible store.',
  },
  {
    name: 'S3_ENDPOINT',
    neededWhere: { setting: 'STORAGE', is: 's3' },
    group: 'Storage',
    kind: 'url',
    description: 'Address of the store, as browsers reach it too. Required for STORAGE=s3.',
  },
  {
    name: 'S3_REGION',
    group: 'Storage',
    kind: 'text',
    default: 'us-east-1',
    description: 'Region of the bucket.',
  },
  {
    name: 'S3_BUCKET',
    neededWhere: { setting: 'STORAGE', is: 's3' },
    group: 'Storage',
    kind: 'text',
    description: 'A bucket that this office has for itself. Required for STORAGE=s3.',
  },
  {
    name: 'S3_ACCESS_KEY_ID',
    neededWhere: { setting: 'STORAGE', is: 's3' },
    group: 'Storage',
    kind: 'text',
    description: 'Access key of this office at the store. Required for STORAGE=s3.',
  },
  {
    name: 'S3_SECRET_ACCESS_KEY',
    neededWhere: { setting: 'STORAGE', is: 's3' },
    group: 'Storage',
    kind: 'secret',
    description: 'Its secret. Required for STORAGE=s3.',
  },
  ...backupSettings,
  ...metricsSettings,
  ...tracesSettings,
  ...calendarSettings,
] as const satisfies readonly Setting[]

export type SettingName = (typeof settings)[number]['name']
