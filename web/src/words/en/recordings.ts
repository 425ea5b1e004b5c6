export const en = {
  ofRoom: 'Recordings of this room',
  loading: 'Reading the recordings',
  failed: 'The recordings could not be read.',
  recording: 'Recording',
  recordingStates: {
    starting: 'beginning',
    active: 'running',
    stopping: 'ending',
    completed: 'ready',
    failed: 'failed',
    aborted: 'broken off',
  },
  legalHold: 'Legal hold',
  download: 'Download',
  deleteRecording: (name: string): string => `Delete the recording ${name}`,
}
