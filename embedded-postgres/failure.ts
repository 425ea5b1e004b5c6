/** Why the embedded PostgreSQL could not do its part. `message` is one line for the person at the terminal. */
export class EmbeddedPostgresFailure extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.name = 'EmbeddedPostgresFailure'
  }
}

/** What we tell while we work. Any logger with these two methods fits. */
export interface Log {
  info(message: string): void
  warn(message: string): void
}

/** The system's code of an error (`ENOENT`, `EACCES`, also PostgreSQL's SQLSTATE), or undefined. */
export function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null | undefined)?.code
  return typeof code === 'string' ? code : undefined
}

/** The message of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

const REASONS: Record<string, string> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'the disk is read-only',
  ENOTDIR: 'a part of its path is a file, not a folder',
  EEXIST: 'a part of its path is a file, not a folder',
}

/** `error`, met while we worked on `path`, in words for the person at the terminal. Failures pass unchanged. */
export function readableFailure(error: unknown, path: string): EmbeddedPostgresFailure {
  if (error instanceof EmbeddedPostgresFailure) return error
  const reason = REASONS[codeOf(error) ?? ''] ?? messageOf(error)
  return new EmbeddedPostgresFailure(`The embedded PostgreSQL cannot use ${path}: ${reason}.`, {
    cause: error,
  })
}
