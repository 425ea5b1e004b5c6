/** Tones of each sound: when it begins, in seconds, and how high it is, in hertz. */
const TONES = {
  knock: [
    [0, 392],
    [0.16, 392],
    [0.34, 523],
  ],
  message: [[0, 660]],
} as const

const LOUDNESS = 0.12
const LENGTH_SECONDS = 0.14

let context: AudioContext | undefined

/** Plays it, where the browser lets a page make sounds: after the first press of anything. Never throws. */
export function play(name: keyof typeof TONES): void {
  try {
    context ??= new AudioContext()
    void context.resume().catch(() => {})
    for (const [at, hertz] of TONES[name]) tone(context, context.currentTime + at, hertz)
  } catch {
    // no device to play it on
  }
}

function tone(audio: AudioContext, at: number, hertz: number): void {
  const source = new OscillatorNode(audio, { type: 'sine', frequency: hertz })
  const loudness = new GainNode(audio, { gain: 0 })
  loudness.gain.setValueAtTime(0, at)
  loudness.gain.linearRampToValueAtTime(LOUDNESS, at + 0.02)
  loudness.gain.exponentialRampToValueAtTime(0.001, at + LENGTH_SECONDS)
  source.connect(loudness).connect(audio.destination)
  source.start(at)
  source.stop(at + LENGTH_SECONDS)
}
