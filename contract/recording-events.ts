import Type from 'typebox'
import { realtimeEvent } from './event-declaration.ts'
import { recordingStates } from './recordings.ts'
import { words } from './shapes.ts'

export const recordingEvents = {
  'recording.changed': realtimeEvent({
    scopes: ['organization'],
    summary:
      'The state or the name of a recording changed, it was shared, its transcript came or failed, or a legal hold on it began or ended. Sent once the media server has named the recording.',
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
