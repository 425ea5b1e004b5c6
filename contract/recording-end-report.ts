import Type, { type Static } from 'typebox'
import { Moment, words } from './shapes.ts'

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
    endedAt: Type.Optional(Type.String({ ...Moment, description: 'RFC 3339' })),
  },
  { title: 'RecordingEndReport' },
)
export type RecordingEndReport = Static<typeof RecordingEndReport>
