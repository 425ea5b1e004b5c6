#!/usr/bin/env node
// Plain JavaScript, so that an old Node can read it and say what is wrong, instead of failing on the first
// type annotation. Runs src/main.ts on Node 26, which the project brings along.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const NODE_MIN = 26
const root = fileURLToPath(new URL('../..', import.meta.url))
const pinned = `${root}node_modules/.bin/node${process.platform === 'win32' ? '.cmd' : ''}`

if (Number(process.versions.node.split('.')[0]) >= NODE_MIN) {
  await rememberCompiled()
  await import('../src/main.ts')
} else if (existsSync(pinned) && !process.env.ATRIUM_RELAUNCHED) {
  relaunch()
} else {
  console.error(
    `Atrium needs Node ${NODE_MIN} or newer; this is ${process.version}. Run "npm ci" in ${root} (it brings Node ${NODE_MIN} along where there is a build for this machine), or install Node ${NODE_MIN} yourself.`,
  )
  process.exit(1)
}

/** Keeps what was compiled for the next start, where that folder can be written: a start takes a quarter less of the processor. */
async function rememberCompiled() {
  const { enableCompileCache } = await import('node:module')
  enableCompileCache(`${root}node_modules/.cache/atrium`)
}

/** The same command on the Node of the project; ends with it, and it ends when this process is killed. */
function relaunch() {
  const child = spawn(pinned, process.argv.slice(1), {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, ATRIUM_RELAUNCHED: '1' },
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)))
}
