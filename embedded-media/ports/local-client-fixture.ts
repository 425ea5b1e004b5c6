import { RTCPeerConnection } from 'werift'

export const ADDRESS = '127.0.0.1'
export const PATIENCE = { timeout: 15_000, interval: 20 }

/** A connection of a client on this machine, with all that the library speaks. */
export function openLocalClient(): RTCPeerConnection {
  return new RTCPeerConnection({
    ...{ iceServers: [], iceUseIpv6: false, iceInterfaceAddresses: { udp4: ADDRESS } },
    iceAdditionalHostAddresses: [ADDRESS],
    bundlePolicy: 'max-bundle',
  })
}
