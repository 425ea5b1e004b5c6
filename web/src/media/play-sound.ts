import { preferences } from '../live/preferences.ts'
import { chime, waveFile } from './wave-file.ts'

const SAMPLES_PER_SECOND = 24_000

/** Plays three notes on the chosen speaker. Rejects where that cannot be used. */
export async function playChime(): Promise<void> {
  await playOn(new Blob([waveFile(chime(SAMPLES_PER_SECOND), SAMPLES_PER_SECOND)], { type: 'audio/wav' }))
}

/** Plays on the chosen speaker, until it has ended. Rejects where that cannot be used. */
export async function playOn(sound: Blob): Promise<void> {
  const address = URL.createObjectURL(sound)
  try {
    const audio = new Audio(address)
    const { speakerId } = preferences.get()
    if (speakerId && 'setSinkId' in audio) await audio.setSinkId(speakerId)
    const over = new Promise<void>((resolve, reject) => {
      audio.addEventListener('ended', () => resolve())
      audio.addEventListener('error', () => reject(audio.error ?? new Error('not played')))
    })
    await audio.play()
    await over
  } finally {
    URL.revokeObjectURL(address)
  }
}

/** What a microphone hears for a while. */
export async function recordSound(stream: MediaStream, milliseconds: number): Promise<Blob> {
  const recorder = new MediaRecorder(new MediaStream(stream.getAudioTracks()))
  const parts: Blob[] = []
  recorder.addEventListener('dataavailable', ({ data }) => parts.push(data))
  const stopped = new Promise((resolve) => recorder.addEventListener('stop', resolve))
  recorder.start()
  await new Promise((resolve) => setTimeout(resolve, milliseconds))
  if (recorder.state !== 'inactive') recorder.stop()
  await stopped
  return new Blob(parts, { type: recorder.mimeType })
}
