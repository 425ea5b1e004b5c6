/** Why a microphone, a camera or a screen could not be opened; `ended`: it was shown, and is no more. */
export type DeviceProblem = 'refused' | 'missing' | 'in-use' | 'insecure' | 'failed' | 'ended'

const PROBLEMS: Readonly<Record<string, DeviceProblem>> = {
  NotAllowedError: 'refused',
  SecurityError: 'refused',
  NotFoundError: 'missing',
  OverconstrainedError: 'missing',
  NotReadableError: 'in-use',
  AbortError: 'in-use',
  DeviceUnsupportedError: 'insecure',
}

/** By what the browser has thrown. @param isSecure browsers open devices in pages by https or of this machine only */
export function deviceProblemOf(error: unknown, isSecure: boolean): DeviceProblem {
  if (!isSecure) return 'insecure'
  return (error instanceof Error && PROBLEMS[error.name]) || 'failed'
}
