import type { Setting } from './setting.ts'

/** Settings of rooms, guests and the media server. */
export const mediaSettings = [
  {
    name: 'RATE_LIMIT_GUEST_PER_ADDRESS',
    group: 'Rooms',
    kind: 'number',
    range: [0, 1_000_000],
    default: '10',
    description:
      'How often guests of one network address may ask to be let into rooms in a minute; 0: no limit.',
  },
  {
    name: 'RATE_LIMIT_KNOCKS_PER_USER',
    group: 'Rooms',
    kind: 'number',
    range: [0, 1_000_000],
    default: '20',
    description: 'How often one person may knock for colleagues in a minute; 0: no limit.',
  },
  {
    name: 'GUESTS_WAITING_PER_INVITE',
    group: 'Rooms',
    kind: 'number',
    range: [0, 100],
    default: '20',
    description: 'How many guests of one link may wait at a time; 0: no limit but that of the room.',
  },
  {
    name: 'GUESTS_WAITING_PER_ROOM',
    group: 'Rooms',
    kind: 'number',
    range: [1, 500],
    default: '100',
    description: 'How many guests may wait before one room at a time, with whichever link.',
  },
  {
    name: 'LIVEKIT_URL',
    group: 'Rooms',
    kind: 'url',
    protocols: ['http:', 'https:', 'ws:', 'wss:'],
    description:
      'Where this server reaches the API of LiveKit. Without it an embedded media server serves a few people, to try rooms out; in production rooms, guests and recordings then answer 503.',
  },
  {
    name: 'LIVEKIT_PUBLIC_URL',
    group: 'Rooms',
    kind: 'url',
    protocols: ['ws:', 'wss:'],
    description:
      'WebSocket address of LiveKit for clients. LIVEKIT_URL where not set, and where that is not set either, the address of the office itself.',
  },
  {
    name: 'LIVEKIT_API_KEY',
    neededWhere: { setting: 'LIVEKIT_URL' },
    group: 'Rooms',
    kind: 'text',
    description:
      'Names our secret at LiveKit, also in its webhooks. Without LIVEKIT_URL, in development: the name by which programs call the API of the embedded media server; `sandbox` where not set.',
  },
  {
    name: 'LIVEKIT_API_SECRET',
    neededWhere: { setting: 'LIVEKIT_URL' },
    group: 'Rooms',
    kind: 'secret',
    description:
      'Signs tokens and calls, and verifies webhooks of LiveKit. Without LIVEKIT_URL, in development: the secret of the embedded media server; derived from SECRET_KEY where not set.',
  },
  {
    name: 'EMBEDDED_MEDIA_ADDRESS',
    group: 'Rooms',
    kind: 'text',
    description:
      'IPv4 address of this machine that the embedded media server sends and receives at, by UDP. The first ordinary one where not set: browsers ignore loopback addresses.',
  },
  {
    name: 'EMBEDDED_MEDIA_CAMERAS',
    group: 'Rooms',
    kind: 'number',
    range: [0, 100],
    default: '4',
    description: 'Cameras in one room at a time, at the embedded media server.',
  },
  {
    name: 'EMBEDDED_MEDIA_PEOPLE',
    group: 'Rooms',
    kind: 'number',
    range: [1, 200],
    default: '12',
    description: 'People in one room at the embedded media server; guests who wait are counted apart.',
  },
  {
    name: 'EMBEDDED_MEDIA_WAITING',
    group: 'Rooms',
    kind: 'number',
    range: [0, 200],
    default: '20',
    description: 'Guests who wait before one room at the embedded media server.',
  },
  {
    name: 'EMBEDDED_MEDIA_RECORDING_MINUTES',
    group: 'Rooms',
    kind: 'number',
    range: [1, 1_440],
    default: '240',
    description: 'After so many minutes the embedded media server ends a recording, and keeps what there is.',
  },
  {
    name: 'EMBEDDED_MEDIA_RECORDING_MEGABYTES',
    group: 'Rooms',
    kind: 'number',
    range: [1, 1_000_000],
    default: '4000',
    description:
      'How much one recording of the embedded media server may take up while it runs. It ends before the disk is full, too.',
  },
  {
    name: 'EMBEDDED_MEDIA_RECORDING_GRID',
    group: 'Rooms',
    kind: 'boolean',
    default: 'true',
    description:
      'Where an ffmpeg with H.264, AAC and VP8 is on PATH, recordings of the embedded media server are MP4s of everybody side by side, for which the pictures of every camera are kept until the film is made. Otherwise, and where this is false, they are WebMs of one picture at a time.',
  },
  {
    name: 'RECORDINGS_WEBHOOK_SECRET',
    group: 'Rooms',
    kind: 'secret',
    description:
      'What others send in X-Webhook-Secret to POST /webhook/recordings. Where it is not set, nobody knows it.',
  },
  {
    name: 'RECORDINGS_ACCESS_DAYS',
    group: 'Rooms',
    kind: 'number',
    range: [1, 36_500],
    default: '20',
    description: 'For how many days after its end a recording is listed and can be downloaded.',
  },
  {
    name: 'RECORDINGS_FILE_DAYS',
    group: 'Rooms',
    kind: 'number',
    range: [1, 36_500],
    default: '90',
    description: 'After how many days the file of a recording, and what is known of it, is deleted.',
  },
  {
    name: 'TRANSCRIBER_URL',
    group: 'Rooms',
    kind: 'url',
    description:
      'What writes down what is said in recordings, and for captions in rooms (docs/transcriber.md). Without it nothing does.',
  },
] as const satisfies readonly Setting[]
