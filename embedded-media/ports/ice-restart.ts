import { RTCIceTransport } from 'werift'

/** What the library keeps to itself of the paths of a connection. */
interface IceAgent {
  /** How often its paths were begun anew. */
  generation: number
  /** Checks of the other side that came before there was anything to hold them to. */
  earlyChecks: unknown[][]
  earlyChecksDone: boolean
  checkIncoming(...check: unknown[]): void
}

interface Transport {
  connection: IceAgent
  setRemoteParams(parameters: unknown, renomination?: boolean): void
}

/**
 * After a change of network a client begins anew with its paths (RFC 8839, "ICE Restart"). Two things keep the library from
 * following, and it sends nothing any more: where a section of the description rests it holds new credentials for a mere
 * change of the path, and takes none of the new candidates; and where the handshake was made long ago it never begins to
 * answer checks from addresses that were not announced, such as those of browsers that hide them.
 */
export function restartWithClient(): void {
  const transport = RTCIceTransport.prototype as unknown as Transport
  const { setRemoteParams } = transport
  transport.setRemoteParams = function restarted(this: Transport, parameters) {
    setRemoteParams.call(this, parameters)
    const { connection } = this
    if (connection.generation === 0) return
    connection.earlyChecksDone = true
    for (const check of connection.earlyChecks.splice(0)) connection.checkIncoming(...check)
  }
}
