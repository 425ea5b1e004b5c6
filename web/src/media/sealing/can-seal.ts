/**
 * Whether this browser can take part in a sealed room: it has to encrypt what it sends, in a page that came by https, and
 * to make keys that no script can read.
 */
export async function canSeal(): Promise<boolean> {
  const canEncrypt = 'RTCRtpScriptTransform' in globalThis || canEncodeStreams()
  if (!canEncrypt || !isSecureContext) return false
  try {
    await crypto.subtle.generateKey({ name: 'X25519' }, false, ['deriveBits'])
    return true
  } catch {
    return false
  }
}

/** The older way, of Chromium. */
function canEncodeStreams(): boolean {
  return typeof RTCRtpSender !== 'undefined' && 'createEncodedStreams' in RTCRtpSender.prototype
}

/** Told where a sealed room cannot be entered by this browser. */
export class CannotSeal extends Error {
  constructor() {
    super('this browser cannot encrypt calls')
    this.name = 'CannotSeal'
  }
}
