import { withEnding } from '../film-file.ts'

/** Where the voices of a recording wait to be written down: beside its film, whatever its ending is. */
export function speechKeyOf(fileKey: string): string {
  return withEnding(fileKey, 'speech')
}
