/** What a recorder may make, by the end of a file's name: its type follows from it. */
const TYPES = { mp4: 'video/mp4', webm: 'video/webm', ogg: 'audio/ogg' } as const

export type FilmEnding = keyof typeof TYPES
export type FilmType = (typeof TYPES)[FilmEnding]

const ENDING = /\.(mp4|webm|ogg)$/

export function endingOf(fileKey: string): FilmEnding {
  return (ENDING.exec(fileKey)?.[1] as FilmEnding | undefined) ?? 'mp4'
}

export function typeOfFilm(fileKey: string): FilmType {
  return TYPES[endingOf(fileKey)]
}

/**
 * Where the file really is: a recorder may make another type of file than it was asked for, and ends its name so. What
 * it tells of any other file is not believed.
 */
export function fileKeyTold(known: string, told: string | undefined): string {
  const isSame = told !== undefined && ENDING.test(told) && stemOf(told) === stemOf(known)
  return isSame ? told : known
}

/** The same name with every ending that a film may have. */
export function endingsOf(fileKey: string): string[] {
  return Object.keys(TYPES).map((ending) => withEnding(fileKey, ending))
}

/** The same name with another ending. */
export function withEnding(fileKey: string, ending: string): string {
  return `${fileKey.replace(/\.[a-z0-9]+$/, '')}.${ending}`
}

function stemOf(fileKey: string): string {
  return fileKey.replace(ENDING, '')
}
