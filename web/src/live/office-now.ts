import { client } from './office-client.ts'

/** This moment by the office's own time, for comparing with moments that it tells: a laptop's clock may be wrong. */
export function officeNow(): Date {
  return new Date(client.time.now())
}
