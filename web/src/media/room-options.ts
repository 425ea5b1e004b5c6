import {
  DefaultReconnectPolicy,
  type LocalParticipant,
  type RoomOptions,
  type TrackPublishOptions,
} from 'livekit-client'
import type { JoinWith } from './call-state.ts'

/** From one attempt to come back to the next: each is half longer or shorter by chance, for a whole office comes back at once. */
const RETRY_MS = [0, 300, 1_200, ...Array<number>(16).fill(2_500)]

/** How a connection is opened. */
export function optionsFor({ speakerId }: JoinWith): RoomOptions {
  return {
    adaptiveStream: { pixelDensity: 'screen' },
    dynacast: true,
    // the client's own waits seven seconds each, of which a new office takes three
    reconnectPolicy: new DefaultReconnectPolicy(RETRY_MS),
    // the path that every media server knows, the embedded one included
    singlePeerConnection: false,
    ...(speakerId ? { audioOutput: { deviceId: speakerId } } : {}),
  }
}

/** Which microphone, and what the browser does to its sound. */
export function microphoneOf(choices: JoinWith | undefined) {
  const suppressNoise = choices?.suppressNoise !== false
  return {
    ...deviceOf(choices?.microphoneId),
    ...{ noiseSuppression: suppressNoise, voiceIsolation: suppressNoise },
    ...{ echoCancellation: true, autoGainControl: true },
  }
}

export function deviceOf(id = '') {
  return id ? { deviceId: { ideal: id } } : {}
}

type ScreenSource = NonNullable<Parameters<LocalParticipant['setScreenShareEnabled']>[1]>

/** A screen is read: each of its pixels arrives, few times a second, and no viewer is sent a smaller one. */
export const SCREEN: { source: ScreenSource; publish: TrackPublishOptions } = {
  source: {
    audio: true,
    contentHint: 'text',
    resolution: { width: 2_560, height: 1_440, frameRate: 15 },
    // the page itself would be a hall of mirrors
    selfBrowserSurface: 'exclude',
    surfaceSwitching: 'include',
  },
  publish: {
    simulcast: false,
    degradationPreference: 'maintain-resolution',
    screenShareEncoding: { maxBitrate: 2_500_000, maxFramerate: 15 },
  },
}
