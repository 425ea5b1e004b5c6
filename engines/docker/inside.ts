import assert from 'node:assert/strict'
import { dispose } from '@livekit/rtc-node'
import { startMailStandIn } from '../deploy/mail-stand-in.ts'
import { reportingCheck } from '../own-network.ts'
import type { Ends } from '../processes.ts'
import { within } from '../waiting.ts'
import { compose, inOffice } from './compose.ts'
import { tryOperation } from './operation.ts'
import { CLIENTS, MAIL_PORT } from './places.ts'
import { walk } from './walk.ts'

/** Runs on the visitors' machine, where Docker's is reached by its address alone. Reports each check as a line of JSON. */

const CHECK_WITHIN_MS = 6 * 60_000
const DISPOSED_WITHIN_MS = 10_000

/** The last words of what has failed, or is not healthy. */
async function whatFailed(): Promise<string> {
  const lines = (await compose('ps', '--all', '--format', '{{.Service}} {{.Status}}')).split('\n')
  const failed = lines.filter((line) => line && !/\(healthy\)|Exited \(0\)/.test(line))
  const logs = failed.map((line) => compose('logs', '--tail', '10', line.split(' ')[0] ?? ''))
  return [...failed, ...(await Promise.all(logs))].join('\n').slice(0, 6_000)
}

const check = reportingCheck(CHECK_WITHIN_MS)
const ends: Ends = []
let isUp = false
try {
  const mail = await startMailStandIn(ends, { address: CLIENTS[0], port: MAIL_PORT })
  await check('docker compose up --wait: every part of the file is healthy', async () => {
    await compose('up', '--detach', '--wait').catch(async (error: Error) => {
      throw new Error(`${error.message}\n${await whatFailed()}`)
    })
    isUp = true
  })
  if (isUp) {
    await check('the doctor finds nothing wrong', async () => {
      const said = await inOffice('doctor')
      assert.doesNotMatch(said, /^✗/m, said)
    })
    const member = await walk(mail, check)
    if (member) await tryOperation(member, check)
  }
} finally {
  await within('the clients end', dispose(), DISPOSED_WITHIN_MS).catch(console.error)
  for (const end of ends.reverse()) await end()
}
process.exit(0)
