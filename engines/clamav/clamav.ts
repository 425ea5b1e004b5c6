import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { AtriumError } from '@atrium/client'
import { freePort } from '@atrium/embedded-postgres/free-port.ts'
import { httpFileCheck } from '@atrium/server/src/adapters/file-check/http-file-check.ts'
import type { Engine } from '../engine.ts'
import { openFreshOffice } from '../fresh-office.ts'
import { type Ends, end, start, untilAnswers } from '../processes.ts'
import { inviteTokenOf, newPerson } from '../web/people.ts'
import { userIdOf, write } from '../web/scene.ts'
import { daemonEnvironment, daemonProgram, installClamav } from './program.ts'

const DEPLOYED = fileURLToPath(new URL('../../deploy/clamav/', import.meta.url))
/** The text that every scanner is to find, in two parts: no scanner shall find this file. */
const EICAR = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR', '-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('')
const SIGNATURES = `Atrium.Eicar:0:*:${Buffer.from(EICAR).toString('hex')}\n`
const MIB = 1024 * 1024

/** A virus scanner behind the check of files, as it is deployed, with one signature of our own: none can be fetched. */
export const clamav: Engine = {
  name: 'clamav',
  about: 'ClamAV (Debian) behind deploy/clamav, with a signature for the EICAR text: files of the chat',
  install: installClamav,
  async try(check) {
    const ends: Ends = []
    try {
      const daemon = await prepareDaemon(ends)
      let running = await daemon.begin()
      const url = await startBridge(daemon.socket, ends)
      const { check: look } = httpFileCheck(url)
      const isClean = async (bytes: Buffer) =>
        (await look({ name: 'Übersicht.txt', sizeBytes: bytes.length, bytes: pieces(bytes) })).isClean
      await check('finds what it knows, bare and packed, and nothing in other files', async () => {
        assert.equal(await isClean(Buffer.from('A plain sentence.')), true)
        assert.equal(await isClean(Buffer.alloc(25 * MIB, 'plain ')), true)
        assert.equal(await isClean(Buffer.from(EICAR)), false)
        assert.equal(await isClean(gzipSync(EICAR)), false)
        assert.equal(
          await isClean(Buffer.concat([Buffer.alloc(20 * MIB, 'plain '), Buffer.from(EICAR)])),
          false,
        )
      })
      await check('knows nothing of a file that is larger than the daemon looks at', async () => {
        await assert.rejects(isClean(Buffer.alloc(40 * MIB, 'plain ')), /file check/)
        assert.equal(await isClean(Buffer.from('After it.')), true)
      })
      await check('many files at once are each answered for themselves', async () => {
        const files = Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? `file ${n}` : EICAR))
        const answers = await Promise.all(files.map((text) => isClean(Buffer.from(text))))
        assert.deepEqual(
          answers,
          files.map((text) => text !== EICAR),
        )
      })
      const send = await openChat(url, ends)
      await check('a file of the chat is sent, one with a virus is refused and gone', async () => {
        assert.equal((await send('notes.txt', 'A plain sentence.')).name, 'notes.txt')
        const refused = await send('holiday.txt', EICAR).catch((error: unknown) => error)
        assert.ok(refused instanceof AtriumError)
        assert.deepEqual([refused.status, refused.error], [400, 'file-refused'])
      })
      await check('while the daemon is away nothing is sent, and afterwards all is', async () => {
        await end(running)
        await assert.rejects(isClean(Buffer.from('A plain sentence.')), /file check/)
        assert.equal((await fetch(`${url}/ready`)).status, 503)
        running = await daemon.begin()
        await untilAnswers(`${url}/ready`, undefined, (status) => status === 204)
        assert.equal((await send('later.txt', 'A plain sentence.')).name, 'later.txt')
      })
    } finally {
      for (let last = ends.pop(); last; last = ends.pop()) await last()
    }
  },
}

async function* pieces(bytes: Buffer) {
  for (let from = 0; from < bytes.length; from += 64 * 1024) yield bytes.subarray(from, from + 64 * 1024)
}

/** The configuration that is deployed, in a folder of its own. */
async function prepareDaemon(ends: Ends) {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-clamav-'))
  ends.push(() => rm(folder, { recursive: true, force: true }))
  await chmod(folder, 0o755)
  const [socket, signatures, configuration] = [
    join(folder, 'clamd.ctl'),
    join(folder, 'signatures'),
    join(folder, 'clamd.conf'),
  ]
  await mkdir(signatures)
  await writeFile(join(signatures, 'eicar.ndb'), SIGNATURES)
  const deployed = await readFile(join(DEPLOYED, 'clamd.conf'), 'utf8')
  const own = deployed.replace('/run/clamav/clamd.ctl', socket).replace('/var/lib/clamav', signatures)
  assert.ok(own.includes(socket) && own.includes(signatures))
  await writeFile(configuration, own)
  const environment = { ...process.env, ...(await daemonEnvironment()) }
  const begin = async () => start(daemonProgram(), ['--config-file', configuration], environment, ends)
  return { socket, begin }
}

async function startBridge(socket: string, ends: Ends): Promise<string> {
  const port = String(await freePort())
  const bridge = join(DEPLOYED, 'file-check.js')
  start(process.execPath, [bridge], { ...process.env, CLAMD: socket, PORT: port }, ends)
  const url = `http://127.0.0.1:${port}`
  await untilAnswers(`${url}/ready`, undefined, (status) => status === 204)
  return url
}

/** Two people who write to each other in an office with that check. @returns what puts a file into their conversation */
async function openChat(fileCheck: string, ends: Ends) {
  const office = { url: await openFreshOffice({ FILE_CHECK_URL: fileCheck }, ends) }
  const ada = await newPerson(office, 'Ada Lovelace', { found: 'Analytical Files' })
  const grace = await newPerson(office, 'Grace Hopper', { inviteToken: await inviteTokenOf(ada) })
  const conversationId = await write(ada, await userIdOf(grace), 'A file comes')
  return async (name: string, text: string) => {
    const bytes = Buffer.from(text)
    const contentType = 'text/plain'
    const asked = { conversationId, name, contentType, bytes: bytes.length }
    const { attachmentId, parts } = await ada.client.call('createAttachmentTicket', asked)
    for (const { url, from, to } of parts) {
      const put = { method: 'PUT', headers: { 'content-type': contentType }, body: bytes.subarray(from, to) }
      assert.ok((await fetch(url, put)).ok)
    }
    return await ada.client.call('finalizeAttachment', { attachmentId })
  }
}
