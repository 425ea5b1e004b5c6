import Type, { type Static } from 'typebox'
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
    name: nullable(Type.String({ description: 'null until it is named' })),
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
    chapters: Type.Array(
      Type.Object({
        at: Type.Number({ description: 'In seconds from the beginning of the film' }),
        kind: words(['entered', 'left', 'shared', 'spoke'] as const, {
          description:
            '`shared`: a screen. `entered` also of those who were there before. Who spoke is known of the embedded media server alone',
        }),
        until: Type.Optional(Type.Number({ description: 'Of `spoke`: when the turn ended' })),
        userId: Type.Optional(Type.String({ description: 'A User.id' })),
        guest: Type.Optional(Type.Object({ identity: Type.String(), name: Type.String() })),
        text: Type.Optional(
          Type.String({ description: 'What is said of it where it is of no member and no guest: a program' }),
        ),
      }),
      { description: 'What happened in it, in order, 300 at most; empty until it is completed' },
    ),
    transcript: nullable(
      words(['waiting', 'made', 'failed'] as const, {
        description:
          'What was said: it is being written down, can be read, or could not be made. null where nothing writes it down',
      }),
    ),
    accessUntil: nullable(
      Type.String({ format: 'date-time', description: 'It can be listed and downloaded until then' }),
    ),
    sharedUntil: Type.Optional({
      ...Timestamp,
      description:
        'Every member of the organization may watch it until then; left out where it is not shared',
    }),
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
      'room-locked',
      'removed-from-room',
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
      userId: Type.Optional(
        Type.String({ maxLength: 20, description: 'A User.id: those that this member was in' }),
      ),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
      offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000, default: 0 })),
    }),
    replies: { 200: page(Recording) },
    errors: ['room-not-found'],
  }),
  getRecording: operation({
    method: 'POST',
    path: '/api/v1/rtc/recordings/get',
    summary: 'Read one recording',
    description:
      'By `recordingId` or `egressId`. For those who may record, and for every member while it is shared. After `accessUntil` only one under legal hold, for those who may hold recordings.',
    chapter,
    access: { kind: 'organization' },
    body: OneRecording,
    replies: { 200: Recording },
    errors: ['not-found', 'role-not-allowed', 'recording-expired'],
  }),
  updateRecording: operation({
    method: 'POST',
    path: '/api/v1/rtc/recordings/update',
    summary: 'Name a recording',
    description: 'By `recordingId` or `egressId`. Its file keeps its own name.',
    chapter,
    access: mayRecord,
    body: Type.Object({ ...eitherId, name: NameField({ min: 1, max: 200, label: 'a name' }) }, EITHER_ID),
    replies: { 200: Recording },
    errors: ['not-found', 'recording-expired'],
  }),
  shareRecording: operation({
    method: 'POST',
    path: '/api/v1/rtc/recordings/share',
    summary: 'Let every member of the organization watch a recording for some days',
    description:
      'By `recordingId` or `egressId`. The address opens for members who are signed in, whatever their role, until the days are over, and no longer than `accessUntil`. Shared again, the days begin anew; 0 days end it.',
    chapter,
    access: mayRecord,
    body: Type.Object({ ...eitherId, days: Type.Integer({ minimum: 0, maximum: 365 }) }, EITHER_ID),
    replies: { 200: Type.Object({ url: Type.String() }) },
    errors: ['not-found', 'recording-not-finished', 'recording-without-file', 'recording-expired'],
  }),
  downloadRecording: operation({
    method: 'POST',
    path: '/api/v1/rtc/recordings/download',
    summary: "Get an address to download a recording's file from",
    description:
      'By `recordingId` or `egressId`. For those who may record, and for every member while it is shared. The address is good for 5 minutes. After `accessUntil` only one under legal hold, for those who may hold recordings. 409 `stored-elsewhere` where the recorder has kept the file in a store of its own.',
    chapter,
    // the handler judges: of what is shared, every role
    access: { kind: 'organization', serviceTokens: true },
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
      'role-not-allowed',
      'recording-not-finished',
      'recording-without-file',
      'stored-elsewhere',
      'recording-expired',
    ],
  }),
  readTranscript: operation({
    method: 'POST',
    path: '/api/v1/rtc/recordings/transcript',
    summary: 'Read what was said in a recording',
    description:
      'By `recordingId` or `egressId`, for whoever may watch it. 409 `transcript-not-ready` while it is made after the end of the recording (`recording.changed` tells of it), `transcript-failed` where it could not be, `no-transcript` where nothing wrote it down: there is no transcriber, or its recorder keeps no voices apart.',
    chapter,
    // the handler judges: of what is shared, every role
    access: { kind: 'organization' },
    body: OneRecording,
    replies: {
      200: Type.Object({
        words: Type.Array(
          Type.Object({
            from: Type.Number({ description: 'In seconds from the beginning of the film' }),
            to: Type.Number(),
            userId: Type.Optional(Type.String({ description: 'A User.id' })),
            guest: Type.Optional(Type.Object({ identity: Type.String(), name: Type.String() })),
            text: Type.String({ description: 'A word with its punctuation' }),
          }),
          {
            description:
              'What one person said without a pause stands together; 60,000 at most. Of a program there is neither `userId` nor `guest`',
          },
        ),
      }),
    },
    errors: [
      'not-found',
      'role-not-allowed',
      'recording-not-finished',
      'recording-without-file',
      'recording-expired',
      'no-transcript',
      'transcript-not-ready',
      'transcript-failed',
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
