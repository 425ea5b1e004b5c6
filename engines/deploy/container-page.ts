import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const PAGE = fileURLToPath(new URL('../../deploy/container/README.md', import.meta.url))

/** @returns a command of the page as an operator types it, word by word, without `docker` */
export async function documented(command: 'build' | 'run'): Promise<string[]> {
  const page = (await readFile(PAGE, 'utf8')).replaceAll(/\\\n/g, ' ')
  const line = page.split('\n').find((one) => one.startsWith(`docker ${command} `))
  if (!line) throw new Error(`the page of the image has no docker ${command}`)
  return line.split(/\s+/).slice(1)
}
