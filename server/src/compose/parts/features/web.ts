import { spawn } from 'node:child_process'
import { freePort } from '@atrium/embedded-postgres/free-port.ts'
import { BUILD_SCRIPT, BUILT_FOLDER, isBuilt, isThere } from '@atrium/web/built-folder.ts'
import { ownFiles, pagePaths } from '@atrium/web/page-paths.ts'
import { serveBuiltPages, serveLivePages } from '../../../platform/http/built-pages.ts'
import type { SendPage } from '../../../platform/http/known-paths.ts'
import { webPolicy } from '../../from-configuration/web-policy.ts'
import type { Opening, Part } from '../../part.ts'

export interface Web extends Part {
  /** Answers a request for `/`; undefined where the front end is elsewhere. */
  sendPage: SendPage | undefined
}

const PATHS = Object.values(pagePaths)
  .filter((path) => path !== '/')
  .map((path) => path.replaceAll('$', ':'))
const FILES = ['/favicon.svg', '/manifest.webmanifest']
const WORKER = '/push-worker.js'
const BEING_BUILT = 'The pages of this office are being built. They open by themselves.'
const NOT_BUILT = 'The pages of this office could not be built; the log says why. Its interface is open.'

/**
 * The web office, where this server is its own front end: as it was built by `npm ci`, else built beside the open
 * office, or from its sources for those who work on it.
 */
export async function openWeb({ config, log, stack, hotUpdates }: Opening): Promise<Web> {
  const web: Web = { needs: {}, sendPage: undefined }
  if (config.frontendUrl !== config.baseUrl) return web
  if (hotUpdates) return await openLive(web, stack)

  let missing = isThere() ? undefined : NOT_BUILT
  web.routes = async (server) => {
    web.sendPage = await serveBuiltPages(server, {
      folder: BUILT_FOLDER,
      paths: PATHS,
      files: FILES,
      worker: WORKER,
      ownFiles,
      policy: webPolicy(config),
      missing: () => missing,
    })
  }
  web.start = (running) => {
    // tests serve what there is: a build for each of their offices would take all of the processor
    if (config.environment === 'test' || isBuilt()) return
    missing = BEING_BUILT
    build(running).then(
      () => {
        missing = undefined
        log.info('the web office is built')
      },
      (err: unknown) => {
        missing = isThere() ? undefined : NOT_BUILT
        log.error({ err }, 'the web office could not be built')
      },
    )
  }
  return web
}

/** In a process of its own: its half a gigabyte goes with it. */
function build(stack: AsyncDisposableStack): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const child = spawn(process.execPath, [BUILD_SCRIPT], { stdio: ['ignore', 'ignore', 'pipe'] })
  stack.defer(() => void child.kill())
  let said = ''
  child.stderr.on('data', (chunk) => {
    said = (said + String(chunk)).slice(-2_000)
  })
  child.on('error', reject)
  child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(said || `it ended with ${code}`))))
  return promise
}

async function openLive(web: Web, stack: AsyncDisposableStack): Promise<Web> {
  const { openDevServer } = await import('@atrium/web/dev-server.ts')
  const live = await openDevServer(await freePort())
  stack.defer(() => live.close())
  web.routes = (server) => {
    web.sendPage = serveLivePages(server, { ...live, paths: PATHS, loads: [...live.paths, ...FILES, WORKER] })
  }
  return web
}
