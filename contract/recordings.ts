import Type, { type Static } from 'typebox'
import { realtimeEvent } from './event-declaration.ts'
import { operation } from './operation.ts'
import { Done, NameField, nullable, oneOf, page, Timestamp, words } from './shapes.ts'

const chapter = 'Real-time rooms, guests and recording'

const RoomNameField = Type.String({
  minLength: 1,
  maxLength: 255,
  isName: true,
  description: "The room's id, or its name in the organization",
})
const TextField = Type.String({ maxLength: 500 })

export const recordingStates = ['starting', 'active', 'stopping', 'completed', 'failed', 'aborted'] as const

export const Recording = Type.Object(
  {
    id: Type.String(),
    egressId: nullable(Type.String({ description: 'null until the media server has named it' })),
    roomId: Type.String(),
    conferenceTopic: Type.String(),
    zoneId: Type.String(),
    participants: Type.String({ description: 'As given at the start: names, parted by commas' }),
    state: words(recordingStates, { title: 'RecordingState' }),
    startedBy: Type.String({ description: 'A User.id' }),
    requestedAt: Timestamp,
    startedAt: nullable(Timestamp),
    endedAt: nullable(Timestamp),
    durationSeconds: nullable(Type.Number()),
    sizeBytes: nullable(Type.Integer()),
    contentType: nullable(
      words(['video/mp4', 'video/webm', 'audio/ogg'] as const, {
        description: 'Of a completed recording: what its file is. Else null',
      }),
    ),
    stored: nullable(
      words(['here', 'elsewhere'] as const, {
        description:
          'Of a completed recording: whether its file can be downloaded here, or the recorder has kept it in a store of its own. Else null',
      }),
    ),
    accessUntil: nullable(
      Type.String({ format: 'date-time', description: 'It can be listed and downloaded until then' }),
    ),
    heldAt: Type.Optional({
      ...Timestamp,
      description: 'Under legal hold since then; left out where it is not',
    }),
    holdReason: Type.Optional(Type.String({ description: 'Why, for those who may hold recordings' })),
  },
  { title: 'Recording' },
)
export type Recording = Static<typeof Recording>

/** Which recording: by one of its two ids. */
const eitherId = {
  recordingId: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
  egressId: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
} as const
const EITHER_ID = oneOf(['recordingId', 'egressId'], 'Give either recordingId or egressId')
const OneRecording = Type.Object(eitherId, EITHER_ID)
const Running = Type.Object({
  egressId: Type.String(),
  timestamp: Type.Integer({ description: 'Unix seconds' }),
})
const mayRecord = { kind: 'organization', permission: 'RecordRoom' } as const

export const recordingEvents = {
  'recording.changed': realtimeEvent({
    scopes: ['organization'],
    summary:
      'The state of a recording changed, or a legal hold on it began or ended. Sent once the media server has named the recording.',
    data: Type.Object({
      egressId: Type.String(),
      roomId: Type.String({ description: 'The id of a room: a UUID' }),
      state: words(recordingStates),
    }),
    example: {
      egressId: 'EG_7hGk2LqPw9Zx',
      roomId: '0d9f5c3e-7b1a-4e52-9c46-2f8a1d3b5e70',
      state: 'active',
    },
  }),
  'recording.deleted': realtimeEvent({
    scopes: ['organization'],
    summary:
      'A recording was deleted, by somebody or because its retention ended. No event is sent when access to one ends: see `accessUntil`.',
    data: Type.Object({
      recordingId: Type.String(),
      egressId: Type.Optional(Type.String({ description: 'Left out where the media server never named it' })),
      roomId: Type.String({ description: 'The id of a room: a UUID' }),
    }),
    example: {
      recordingId: 'b8f4b8a2-6e1d-4c57-9f0a-3d2e1c7b6a95',
      egressId: 'EG_7hGk2LqPw9Zx',
      roomId: '0d9f5c3e-7b1a-4e52-9c46-2f8a1d3b5e70',
    },
  }),
} as const

export const recordingOperations = {
  startRecording: operation({
    method: 'POST',
    path: '/api/v1/rtc/start-recording',
    summary: 'Start recording a room',
    description:
      'One at a time in a room (409). 503 with `recording-outcome-unknown`: the media server did not answer in time; whether it records shows in the list within two minutes.',
    chapter,
    access: mayRecord,
    body: Type.Object({
      roomName: RoomNameField,
      conferenceTopic: TextField,
      zoneId: TextField,
      participants: Type.String({ maxLength: 10_000, description: 'Names, parted by commas' }),
    }),
    idempotent: true,
    replies: { 200: Running },
    errors: [
      'room-not-found',
      'room-temporary',
      'room-sealed',
      'room-not-live',
      'recording-running',
      'no-recorder',
      'recording-outcome-unknown',
    ],
    refusals: [502],
  }),
  stopRecording: operation({
    method: 'POST',
    path: '/api/v1/rtc/stop-recording',
    summary: 'Stop a recording',
    description: 'One that is over already: 200 too.',
    chapter,
    access: { ...mayRecord, serviceTokens: true },
    body: Type.Object({
      roomName: RoomNameField,
      egressId: Type.String({ minLength: 1, maxLength: 128 }),
      zoneId: TextField,
    }),
    replies: { 200: Running },
    errors: ['not-found'],
    refusals: [502],
  }),
  listRecordings: operation({
    method: 'POST',
    path: '/api/v1/rtc/recordings/list',
    summary: "List the organization's recordings, newest first",
    description:
      'Those whose access has ended are not among them, but where they are under legal hold and the caller may hold recordings.',
    chapter,
    access: { ...mayRecord, serviceTokens: true },
    body: Type.Object({
      roomName: Type.Optional(RoomNameField),
      zoneId: Type.Optional(TextField),
      state: Type.Optional(words(recordingStates)),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
      offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000, default: 0 })),
    }),
    replies: { 200: page(Recording) },
    errors: ['room-not-found'],
  }),
  downloadRecording: operation({
    method: 'POST',
    path: '/api/v1/rtc/recordings/download',
    summary: "Get an address to download a recording's file from",
    description:
      'By `recordingId` or `egressId`. The address is good for 5 minutes. After `accessUntil` only one under legal hold, for those who may hold recordings. 409 `stored-elsewhere` where the recorder has kept the file in a store of its own.',
    chapter,
    access: { ...mayRecord, serviceTokens: true },
    body: OneRecording,
    replies: {
      200: Type.Object({
        downloadUrl: Type.String(),
        fileName: Type.String(),
        expiresInSeconds: Type.Integer(),
      }),
    },
    errors: [
      'not-found',
      'recording-not-finished',
      'recording-without-file',
      'stored-elsewhere',
      'recording-expired',
    ],
  }),
  deleteRecording: operation({
    method: 'POST',
    path: '/api/v1/rtc/recordings/delete',
    summary: 'Delete a recording and its file',
    description:
      'For whoever started it, moderators and admins. By `recordingId` or `egressId`. One that runs has to be stopped first, and one under legal hold is not deleted (409).',
    chapter,
    access: { ...mayRecord, serviceTokens: true },
    body: OneRecording,
    replies: { 200: Done },
    errors: ['not-found', 'role-not-allowed', 'recording-not-finished', 'legal-hold'],
  }),
  holdRecording: operation({
    method: 'POST',
    path: '/api/v1/rtc/recordings/hold',
    summary: 'Put a recording under legal hold, or end that',
    description:
      'By `recordingId` or `egressId`. As long as it is held nobody deletes it, and no end of its time does. One that is held, or not, already: 200.',
    chapter,
    access: { kind: 'organization', permission: 'HoldRecording' },
    body: Type.Object(
      {
        ...eitherId,
        hold: Type.Boolean(),
        reason: Type.Optional(
          NameField({
            min: 1,
            max: 500,
            label: 'a reason',
            description: 'Forgotten with the end of the hold',
          }),
        ),
      },
      EITHER_ID,
    ),
    replies: { 200: Recording },
    errors: ['not-found', 'recording-being-deleted'],
  }),
} as const

/** Body of `POST /webhook/recordings`: how a recording ended, from the service that keeps its file. */
export const RecordingEndReport = Type.Object(
  {
    egressId: Type.String({ minLength: 1, maxLength: 128 }),
    status: words(['completed', 'failed'] as const),
    fileUrl: Type.Optional(Type.String({ maxLength: 2_048 })),
    sizeBytes: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
    durationSeconds: Type.Optional(
      Type.Number({ minimum: -1e9, maximum: 1e9, description: 'Zero or less: not told' }),
    ),
    endedAt: Type.Optional(
      Type.String({ format: 'date-time', minLength: 20, maxLength: 40, description: 'RFC 3339' }),
    ),
  },
  { title: 'RecordingEndReport' },
)
export type RecordingEndReport = Static<typeof RecordingEndReport>
