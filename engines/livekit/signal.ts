import { LIVEKIT } from './server.ts'

/** A client that connects to the signalling, and to nothing else: no media ever flows. */
export interface SignalOnly {
  /** Goes without a word. */
  vanish(): void
  closed: Promise<void>
}

/** @returns when the media server has let it in, as far as signalling goes */
export async function signalOnly(token: string): Promise<SignalOnly> {
  const query = new URLSearchParams({ access_token: token, protocol: '15', sdk: 'js', version: '2.15.0' })
  const socket = new WebSocket(`${LIVEKIT.publicUrl}/rtc?${query}`)
  const closed = new Promise<void>((resolve) => socket.addEventListener('close', () => resolve()))
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('message', () => resolve(), { once: true })
    socket.addEventListener('error', () => reject(new Error('the signalling refused')), { once: true })
  })
  return { vanish: () => socket.close(), closed }
}
