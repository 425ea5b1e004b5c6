import type { Room } from 'livekit-client'
import { Track } from 'livekit-client'

const EVERY_MS = 1_500
const LASTS_MS = 250
const [WIDTH, HEIGHT] = [320, 180]

/** A camera that flashes and a microphone that beeps at the same moment, over and over. */
export async function publishBeacon(room: Room): Promise<void> {
  const canvas = Object.assign(document.createElement('canvas'), { width: WIDTH, height: HEIGHT })
  const painter = canvas.getContext('2d') as CanvasRenderingContext2D
  const context = new AudioContext()
  const tone = new OscillatorNode(context, { frequency: 880 })
  const gain = new GainNode(context, { gain: 0 })
  const output = context.createMediaStreamDestination()
  tone.connect(gain).connect(output)
  tone.start()
  await context.resume()
  const began = performance.now()
  const paint = () => {
    const isOn = (performance.now() - began) % EVERY_MS < LASTS_MS
    painter.fillStyle = isOn ? '#ffffff' : '#101010'
    painter.fillRect(0, 0, WIDTH, HEIGHT)
    // it changes with every picture: what stands still is not sent
    painter.fillStyle = '#808080'
    painter.fillRect((performance.now() / 10) % WIDTH, HEIGHT - 4, 4, 4)
    gain.gain.value = isOn ? 0.5 : 0
  }
  setInterval(paint, 1_000 / 60)
  paint()
  const [picture] = canvas.captureStream(30).getVideoTracks()
  const [sound] = output.stream.getAudioTracks()
  if (!picture || !sound) throw new Error('this browser makes no tracks of a canvas or of a tone')
  await room.localParticipant.publishTrack(sound, { source: Track.Source.Microphone, dtx: false, red: false })
  await room.localParticipant.publishTrack(picture, { source: Track.Source.Camera, simulcast: false })
}
