import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { run } from '../commands.ts'
import type { Project } from './project.ts'

export interface Bundle {
  text: string
  /** As gzip makes it. */
  bytes: number
}

const CLIENT = `import { createAtriumClient } from '@atrium/client'
globalThis.office = createAtriumClient({ baseUrl: '' })`
const WHOLE = `${CLIENT}
import { connectCalendar, finishCalendar } from '@atrium/client/calendar-connection'
import { createChat } from '@atrium/client/chat'
import { exportOneself, exportOrganization } from '@atrium/client/exports'
import { createGuestVisit, createLobby } from '@atrium/client/guests'
import { createPeople } from '@atrium/client/people'
import { uploadPicture } from '@atrium/client/picture'
import { createRooms } from '@atrium/client/rooms'
import { createSession } from '@atrium/client/session'
import { finishSignIn, signInWithCode, startSignIn } from '@atrium/client/sign-in'
globalThis.parts = [connectCalendar, finishCalendar, createChat, createPeople, uploadPicture, createSession,
  finishSignIn, signInWithCode, startSignIn, createRooms, createLobby, createGuestVisit, exportOneself, exportOrganization]`
const LIVE = `${WHOLE}
import { createOffice } from '@atrium/client/office'
import { connectRealtime } from '@atrium/client/realtime'
globalThis.live = [createOffice, connectRealtime]`

/** What a front end's bundler makes of the client alone, of all of it but realtime, and of everything. */
export async function browserSizes(project: Project): Promise<Record<'small' | 'whole' | 'live', Bundle>> {
  return {
    small: await bundle(project, 'small', CLIENT),
    whole: await bundle(project, 'whole', WHOLE),
    live: await bundle(project, 'live', LIVE),
  }
}

async function bundle({ folder }: Project, name: string, source: string): Promise<Bundle> {
  const lib = { entry: `${name}.js`, formats: ['es'], fileName: name }
  const configuration = { build: { lib, outDir: `bundle-${name}`, minify: true, emptyOutDir: true } }
  await writeFile(join(folder, `${name}.js`), source)
  await writeFile(join(folder, `${name}.config.js`), `export default ${JSON.stringify(configuration)}`)
  const vite = join(folder, 'node_modules/vite/bin/vite.js')
  const options = ['--config', `${name}.config.js`, '--logLevel', 'error']
  await run(process.execPath, [vite, 'build', ...options], { cwd: folder })
  const text = await readFile(join(folder, `bundle-${name}`, `${name}.js`), 'utf8')
  return { text, bytes: gzipSync(text).length }
}
