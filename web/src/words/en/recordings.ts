export const en = {
  ofRoom: 'Recordings of this room',
  noneInRoom: 'Nothing was recorded here yet.',
  loading: 'Loading the recordings',
  failed: 'The recordings could not be read.',
  recording: 'Recording',
  recordingStates: {
    starting: 'starting',
    active: 'running',
    stopping: 'ending',
    completed: 'ready',
    failed: 'failed',
    aborted: 'aborted',
  },
  storedElsewhere: 'kept in the store of the recorder: ask whoever runs it',
  legalHold: 'Legal hold',
  download: 'Download',
  deleteRecording: (name: string): string => `Delete the recording ${name}`,
}
