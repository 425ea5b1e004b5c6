import { isUtf8 } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'

/** What some editors put in front of a text; as a part of the first name, it would be no setting. */
const BYTE_ORDER_MARK = /^\uFEFF/

/**
 * The settings in a file `.env`; none where there is no file.
 * @throws Error that says what to mend
 */
export function readEnvironmentFile(path: string): Readonly<Record<string, string>> {
  const bytes = readBytes(path)
  if (bytes.includes(0) || !isUtf8(bytes)) throw new Error(`${path} is no UTF-8 text. Save it as UTF-8.`)
  return parseEnv(bytes.toString().replace(BYTE_ORDER_MARK, '')) as Record<string, string>
}

function readBytes(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === 'ENOENT') return Buffer.alloc(0)
    const mend = code === 'EISDIR' ? 'It is a folder.' : 'Mend its permissions.'
    throw new Error(`${path} is there and cannot be read (${code}). ${mend}`)
  }
}
