/**
 * Who may import whom: sections 1 and 5 of ARCHITECTURE.md as data. To let something new through, add a line
 * here with its reason, not a special case to the test.
 */

/** Workspaces that `npm start` brings along. They know nothing of Atrium, and nothing of each other. */
export const BROUGHT_ALONG = [
  'embedded-broker',
  'embedded-media',
  'embedded-postgres',
  'image-check',
] as const
type BroughtAlong = (typeof BROUGHT_ALONG)[number]

export type Layer =
  | 'contract'
  | 'client'
  | 'react'
  | 'web'
  | BroughtAlong
  | 'platform'
  | 'ports'
  | 'adapters'
  | 'directory'
  | 'access'
  | 'features'
  | 'sandbox'
  | 'configuration'
  | 'compose'
  | 'commands'
  | 'tests'
  | 'acceptance'
  | 'bench'
  | 'demo'
  | 'engines'
  | 'scripts'

const FOLDERS = [
  'platform',
  'ports',
  'adapters',
  'directory',
  'access',
  'features',
  'sandbox',
  'configuration',
  'compose',
  'commands',
]
const OUTER = [
  'contract',
  'client',
  'react',
  'web',
  ...BROUGHT_ALONG,
  'acceptance',
  'bench',
  'demo',
  'engines',
  'scripts',
]

/** The layer of a file; undefined where it lies in none, which is a mistake of its own. */
export function layerOf(path: string): Layer | undefined {
  const [first = '', second = '', third = ''] = path.split('/')
  if (OUTER.includes(first)) return first as Layer
  if (first !== 'server') return undefined
  if (second === 'tests') return 'tests'
  if (second !== 'src') return undefined
  if (FOLDERS.includes(third)) return third as Layer
  return third === 'main.ts' ? 'commands' : undefined
}

/** Within adapters and features every folder stands alone; elsewhere the layer is one room. */
export function roomOf(path: string): string {
  const layer = layerOf(path)
  if (layer !== 'adapters' && layer !== 'features') return layer ?? path
  return path.split('/').slice(0, 4).join('/')
}

interface Directions {
  /** Layers that may be imported. A room of a layer may always import itself. */
  any: readonly Layer[]
  /** Layers of which only types may be imported (`import type`). */
  types?: readonly Layer[]
}

export const DIRECTIONS: Record<Layer, Directions> = {
  contract: { any: [] },
  client: { any: ['contract'] },
  react: { any: ['client'] },
  // the office as a front end sees it: nothing but the public interface
  web: { any: ['client', 'react'] },
  'embedded-broker': { any: [] },
  'embedded-media': { any: [] },
  'embedded-postgres': { any: [] },
  'image-check': { any: [] },
  // operations, events and the words of refusals come from its tables
  platform: { any: ['contract'] },
  ports: { any: [], types: ['platform', 'contract'] },
  adapters: { any: ['ports', 'platform', 'embedded-broker', 'image-check'] },
  directory: { any: ['platform'], types: ['contract'] },
  access: { any: ['directory', 'platform', 'contract'] },
  features: { any: ['contract', 'platform', 'directory', 'access'], types: ['ports'] },
  sandbox: { any: ['platform', 'contract', 'embedded-media'], types: ['ports', 'configuration'] },
  configuration: { any: ['platform'] },
  compose: {
    any: [
      'embedded-postgres',
      'contract',
      'platform',
      'ports',
      'adapters',
      'directory',
      'access',
      'features',
      'configuration',
      // where its pages are, and what builds them
      'web',
      // only compose/parts/sandbox.ts, and only dynamically: a rule of its own
      'sandbox',
    ],
  },
  commands: {
    any: [
      'embedded-postgres',
      // served by itself, by a command
      'image-check',
      'contract',
      'platform',
      'ports',
      'adapters',
      'directory',
      'access',
      'features',
      'configuration',
      'compose',
    ],
  },
  tests: {
    any: [
      'contract',
      'client',
      ...BROUGHT_ALONG,
      'platform',
      'ports',
      'adapters',
      'directory',
      'access',
      'features',
      'sandbox',
      'configuration',
      'compose',
      'commands',
      'web',
    ],
  },
  acceptance: { any: ['embedded-postgres', 'client', 'contract'] },
  // people in rooms are those of the trials
  bench: { any: ['embedded-postgres', 'client', 'contract', 'engines'] },
  // colleagues are users of the office: the public client is all they have
  demo: { any: ['client'] },
  engines: {
    any: [...BROUGHT_ALONG, 'client', 'contract', 'react', 'web', 'platform', 'ports', 'adapters'],
  },
  // the catalogue of the migrations is read from a database that is started for it
  scripts: { any: ['contract', 'configuration', 'platform', 'embedded-postgres'] },
}

interface Exception {
  /** A file, or a folder with a slash at its end. */
  from: string
  to: string
  reason: string
}

/** Single steps against the directions. */
export const EXCEPTIONS: readonly Exception[] = [
  {
    from: 'demo/drawn-person.ts',
    to: 'web/src/ui/portrait.ts',
    reason: 'the camera of a colleague shows the face that the floor has for them',
  },
  {
    from: 'server/tests/structure/',
    to: 'scripts/generators/handler-places.ts',
    reason: 'the reference of the operations is generated from the places that the rule asks for',
  },
  ...['acceptance/', 'bench/', 'demo/', 'engines/', 'server/tests/'].map((from) => ({
    from,
    to: 'scripts/command-line.ts',
    reason: 'what package.json starts there answers --help and wrong arguments as every script does',
  })),
]

interface FeaturePair {
  /** Names of features: `profile`. The import must lead to the other's reads.ts. */
  from: string
  to: string
  reason: string
}

/** Features that may ask another one. Has no circle. */
export const FEATURE_READS: readonly FeaturePair[] = [
  { from: 'webhooks', to: 'chat', reason: 'of a message its id waits, and what is sent is read then' },
  {
    from: 'sign-in',
    to: 'invitations',
    reason:
      'who signs up by an invite joins when the code is proven, in the transaction that uses the invite up',
  },
  {
    from: 'members',
    to: 'invitations',
    reason: 'whoever is removed loses the invitations they have sent in the same transaction',
  },
  { from: 'account', to: 'profile', reason: 'whoever changes their address is answered with their profile' },
  {
    from: 'account',
    to: 'sign-in',
    reason: 'what was begun or linked by the address of before ends in the transaction of the change',
  },
  {
    from: 'account',
    to: 'invitations',
    reason: 'whoever deletes their account loses the invitations they have sent in the same transaction',
  },
  { from: 'recordings', to: 'rooms', reason: 'a recording is of a room, by its id or its name' },
  {
    from: 'recordings',
    to: 'media-events',
    reason: 'chapters are made of who came, left and shared while a room was recorded',
  },
  { from: 'recordings', to: 'guests', reason: 'chapters name the guests who were there' },
  { from: 'guests', to: 'rooms', reason: 'guests are invited to rooms and wait before them' },
  { from: 'guests', to: 'presence', reason: 'a guest is told whether somebody who may admit them is there' },
  { from: 'guest-chat', to: 'guests', reason: 'who writes is a guest who is admitted' },
  { from: 'guest-chat', to: 'chat', reason: 'they write in the conversation of the room' },
  { from: 'sealed-keys', to: 'rooms', reason: 'a key is of a sealed room, and from who is inside' },
  { from: 'sealed-keys', to: 'media-events', reason: 'the stay of who sends a key does not end meanwhile' },
  { from: 'sealed-keys', to: 'device-keys', reason: 'a box is sealed to a device' },
  { from: 'sealed-keys', to: 'guests', reason: 'or to the page of a guest who is admitted' },
  { from: 'moderation', to: 'rooms', reason: 'moderators act on who is in a room' },
  { from: 'moderation', to: 'guests', reason: 'a guest who is put out is turned away' },
  { from: 'knock', to: 'presence', reason: 'who is busy or away from the office is not disturbed' },
  { from: 'knock', to: 'push', reason: 'who has nothing open is told of a call by their browser' },
  { from: 'push', to: 'notifications', reason: 'quiet hours hold for browsers too' },
  { from: 'knock', to: 'rooms', reason: 'a knock may say where to meet, and be at the door of a room' },
  {
    from: 'rooms',
    to: 'media-events',
    reason: 'who is in a room, and whether it is recorded, is what the media server has told',
  },
  {
    from: 'members',
    to: 'rooms',
    reason: 'whoever is removed is put out of the room they are in, where it is named',
  },
  {
    from: 'identity-sync',
    to: 'invitations',
    reason:
      'whoever the identity provider has removed loses the invitations they have sent in the same transaction',
  },
  {
    from: 'scim',
    to: 'invitations',
    reason: 'whoever a directory takes out loses the invitations they have sent in the same transaction',
  },
  {
    from: 'scim',
    to: 'sign-in',
    reason:
      'what was begun or linked by the address that a directory replaces ends in the transaction of the change',
  },
  { from: 'members', to: 'presence', reason: 'the list of members shows how they appear' },
  { from: 'profile', to: 'presence', reason: 'the profile shows the manual status of its person' },
  { from: 'presence', to: 'media-events', reason: 'in a room one is seen, however one appears' },
  {
    from: 'metrics',
    to: 'presence',
    reason: 'how many are connected is a metric, and only stored presence knows',
  },
  {
    from: 'metrics',
    to: 'media-events',
    reason: 'unique users and recordings of the last days are counted from what its events left',
  },
]

const HTTP = [
  'server/src/platform/http/',
  'server/src/compose/app.ts',
  'server/src/compose/requests/request-guard.ts',
  'server/src/compose/requests/visitor.ts',
  'server/src/features/*/routes.ts',
  'server/src/sandbox/',
]
const STORES = [
  'server/src/platform/',
  'server/src/directory/',
  'server/src/access/',
  'server/src/features/',
  'server/src/adapters/',
  'server/src/sandbox/',
]

/**
 * Where each external package may be imported outside tests: files, folders with a slash at their end, `*` for one
 * name. Node's own modules are free in the server, and nowhere in contract, client, ports and the pages of the web office.
 */
export const PACKAGES: Record<string, readonly string[]> = {
  typebox: ['contract/', 'server/src/platform/', 'server/src/adapters/'],
  centrifuge: ['client/'],
  '@hpke/core': ['client/sealing/'],
  react: ['react/', 'web/src/'],
  'react-dom': ['web/src/main.tsx'],
  'react-aria-components': ['web/src/ui/', 'web/src/shell/'],
  '@internationalized/date': ['web/src/'],
  '@tanstack/react-query': ['web/src/'],
  '@tanstack/react-router': ['web/src/'],
  '@tanstack/react-virtual': ['web/src/'],
  'mdast-util-from-markdown': ['web/src/live/text/'],
  'mdast-util-gfm-autolink-literal': ['web/src/live/text/'],
  'mdast-util-gfm-strikethrough': ['web/src/live/text/'],
  'micromark-extension-gfm-autolink-literal': ['web/src/live/text/'],
  'micromark-extension-gfm-strikethrough': ['web/src/live/text/'],
  'livekit-client': ['web/src/'],
  vite: ['web/'],
  '@vitejs/plugin-react': ['web/vite-options.ts'],
  '@supabase/postgrest-js': ['acceptance/'],
  fastify: HTTP,
  '@fastify/ajv-compiler': HTTP,
  '@fastify/cookie': HTTP,
  '@fastify/fast-json-stringify-compiler': HTTP,
  '@fastify/cors': HTTP,
  '@fastify/static': HTTP,
  'find-my-way': HTTP,
  '@scalar/fastify-api-reference': HTTP,
  kysely: STORES,
  dataloader: ['server/src/platform/database/shared-reads.ts'],
  pg: [
    'embedded-postgres/',
    'server/src/platform/',
    'server/src/compose/from-configuration/office-database.ts',
  ],
  yauzl: ['server/src/features/chat/import/'],
  gemoji: ['server/src/features/chat/import/'],
  'pg-copy-streams': ['server/src/platform/backup/'],
  'node-pg-migrate': ['server/src/platform/database/'],
  pino: ['server/src/platform/'],
  'pino-pretty': ['server/src/platform/'],
  'rate-limiter-flexible': ['server/src/platform/'],
  'prom-client': ['server/src/platform/', 'server/src/features/metrics/'],
  commander: ['server/src/main.ts', 'server/src/commands/'],
  jose: [
    'embedded-broker/',
    'embedded-media/',
    'server/src/platform/',
    'server/src/adapters/',
    'server/src/sandbox/',
  ],
  standardwebhooks: ['server/src/features/webhooks/'],
  'openid-client': ['server/src/adapters/', 'server/src/platform/'],
  undici: ['server/src/platform/outside/public-fetch.ts'],
  'lru-cache': [
    'server/src/platform/',
    'server/src/access/',
    'server/src/features/',
    'server/src/compose/',
    'server/src/sandbox/',
  ],
  'ipaddr.js': ['server/src/platform/outside/public-fetch.ts'],
  nodemailer: ['server/src/adapters/smtp/'],
  ws: ['embedded-broker/', 'embedded-media/'],
  werift: ['embedded-media/'],
  mediabunny: [
    'embedded-media/recording/film.ts',
    'embedded-media/recording/shots.ts',
    'embedded-media/recording/grid/runs.ts',
    'embedded-media/recording/speech/ogg.ts',
  ],
  opusscript: ['embedded-media/recording/sound.ts'],
  '@livekit/rtc-node': ['demo/media.ts'],
  '@bufbuild/protobuf': ['embedded-broker/'],
  '@livekit/protocol': ['embedded-media/'],
  sharp: ['image-check/', 'demo/'],
  'livekit-server-sdk': ['server/src/adapters/livekit/'],
  '@workos-inc/node': ['server/src/adapters/workos/'],
  '@opentelemetry/api': ['server/src/adapters/open-telemetry/'],
  '@opentelemetry/exporter-trace-otlp-http': ['server/src/adapters/open-telemetry/'],
  '@opentelemetry/resources': ['server/src/adapters/open-telemetry/'],
  '@opentelemetry/sdk-trace': ['server/src/adapters/open-telemetry/'],
  '@aws-sdk/client-s3': ['server/src/adapters/s3/', 'engines/s3/'],
  '@aws-sdk/s3-request-presigner': ['server/src/adapters/s3/'],
  'oidc-provider': ['server/src/sandbox/'],
}
