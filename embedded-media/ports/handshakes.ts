import { DtlsSocket, type RTCPeerConnection } from 'werift'

type Handshakes = ReturnType<DtlsSocket['handleFragmentHandshake']>

/** Types of messages (RFC 5246, RFC 6347). */
const CLIENT_HELLO = 1
const SERVER_HELLO_DONE = 14
const FINISHED = 20
/** What ends a flight of the other side: where it comes again, our last flight was lost, and the library repeats it. */
const ENDS_OF_FLIGHTS = [SERVER_HELLO_DONE, FINISHED]
/** With the cookie; the first hello has none. */
const SECOND_HELLO = 1
/** The server's answer to the hello with the cookie. */
const FLIGHT_OF_SERVER = 4

const handled = new WeakMap<DtlsSocket, Set<number>>()

/**
 * A message of a DTLS handshake counts once. Networks repeat packets, and both sides repeat what was not answered in
 * time: Chromium after 50 ms. The library derives new keys from a repeated message, and the handshake never ends; it
 * takes a second request to verify as an error, and a late hello as the wish to begin anew.
 */
export function handleHandshakesOnce(): void {
  const { prototype } = DtlsSocket
  const { handleFragmentHandshake } = prototype
  prototype.handleFragmentHandshake = function once(this: DtlsSocket, messages: Handshakes): Handshakes {
    const whole = handleFragmentHandshake.call(this, messages)
    const fresh = whole.filter((message) => !isRepeated(this, message))
    const known = handled.get(this) ?? new Set()
    handled.set(this, known)
    for (const { msg_type } of fresh) known.add(msg_type)
    return fresh
  }
}

function isRepeated(socket: DtlsSocket, { msg_type, message_seq }: Handshakes[number]): boolean {
  if (ENDS_OF_FLIGHTS.includes(msg_type)) return false
  if (msg_type !== CLIENT_HELLO) return handled.get(socket)?.has(msg_type) ?? false
  return socket.connected || (socket.dtls.flight >= FLIGHT_OF_SERVER && message_seq < SECOND_HELLO)
}

/**
 * Calls the listener when both sides have agreed on keys: media flows, or may. The library's own `connected` waits
 * for data channels too, and misses them for good where they opened first.
 */
export function onHandshake(pc: RTCPeerConnection, listener: () => void): void {
  const followed = new WeakSet<object>()
  pc.connectionStateChange.subscribe(() => {
    for (const transport of pc.dtlsTransports) {
      if (followed.has(transport)) continue
      followed.add(transport)
      transport.onStateChange.subscribe((state) => state === 'connected' && listener())
    }
  })
}
