import assert from 'node:assert/strict'
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from '../commands.ts'
import type { Check, Engine } from '../engine.ts'
import type { Ends } from '../processes.ts'
import { tryCompose } from './compose.ts'
import { debianProgram } from './debian-program.ts'
import { type GoProgram, goProgram } from './go-program.ts'
import { tryChart } from './helm.ts'
import { tryImage } from './image.ts'
import { bringKubeconform } from './kubernetes-definitions.ts'
import { tryNginx } from './nginx.ts'

const DEPLOYED = fileURLToPath(new URL('../../deploy', import.meta.url))
/** The unit as a template (deploy/systemd/README.md). */
const NODE_OF_PORT = 'atrium@3001.service'
/** Of 10: what systemd thinks of an exposed service is above 4. */
const EXPOSURE_MAX = 2

const nginx = debianProgram('nginx', 'usr/sbin/nginx')
const caddy = debianProgram('caddy', 'usr/bin/caddy')
// built once for every clone on a machine: of Helm that takes minutes
const composeSpec = goProgram('compose-spec', 'github.com/compose-spec/compose-go/v2/cmd@v2.16.2', 'cmd')
const helm = goProgram('helm', 'helm.sh/helm/v3/cmd/helm@v3.22.0', 'helm')

/** What an operator copies: units, the proxies before several nodes, and what an image is made of. */
export const deploy: Engine = {
  name: 'deploy',
  about: 'deploy/: systemd, nginx and Caddy (Debian), the compose file, the chart, the image (Podman)',
  install: async () => (await nginx.install()) ?? (await caddy.install()),
  async try(check) {
    const folder = await mkdtemp(join(tmpdir(), 'atrium-deploy-'))
    const ends: Ends = [() => rm(folder, { recursive: true, force: true })]
    try {
      await tryUnits(folder, check)
      await check('Caddy understands its file', async () => {
        const file = join(DEPLOYED, 'caddy/Caddyfile')
        const env = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
        await run(caddy.path, ['validate', '--adapter', 'caddyfile', '--config', file], { env })
        const written = await readFile(file, 'utf8')
        assert.equal(await run(caddy.path, ['fmt', file], { env }), written)
      })
      await tryNginx(
        { folder, program: nginx.path, configuration: join(DEPLOYED, 'nginx/atrium.conf') },
        check,
        ends,
      )
      await onceInstalled('the compose file', [composeSpec], () =>
        tryCompose(folder, { composeSpec: composeSpec.path, caddy: caddy.path }, check),
      )
      await onceInstalled('the chart', [helm, { install: bringKubeconform }], () =>
        tryChart(folder, helm.path, check),
      )
      await tryImage(folder, check, ends)
    } finally {
      for (const end of ends.reverse()) await end()
    }
  },
}

/** What cannot be built here leaves out only what it is for. */
async function onceInstalled(
  what: string,
  programs: readonly Pick<GoProgram, 'install'>[],
  work: () => Promise<void>,
): Promise<void> {
  for (const program of programs) {
    const reason = await program.install()
    if (reason) return console.log(`  - deploy: ${what} is not tried: ${reason}`)
  }
  await work()
}

async function tryUnits(folder: string, check: Check): Promise<void> {
  const services = ['atrium.service', 'atrium-backup.service', 'atrium-backup-failed.service']
  const units = [...services, 'atrium-backup.timer']
  await check('systemd finds nothing to say about the units', async () => {
    const copies = join(folder, 'units')
    await mkdir(copies)
    for (const unit of units) {
      const text = await readFile(join(DEPLOYED, 'systemd', unit), 'utf8')
      // of this machine, where no Atrium is installed
      await writeFile(join(copies, unit), text.replaceAll('/usr/bin/node', process.execPath))
    }
    // one of several nodes, by its port
    await copyFile(join(copies, 'atrium.service'), join(copies, NODE_OF_PORT))
    const said = await run('systemd-analyze', [
      'verify',
      '--man=no',
      ...[...units, NODE_OF_PORT].map((unit) => join(copies, unit)),
    ])
    const about = said.split('\n').filter((line) => line.includes('atrium'))
    assert.deepEqual(about, [])
  })
  await check('the services may do little beside their work', async () => {
    for (const service of services) {
      const unit = join(DEPLOYED, 'systemd', service)
      const said = await run('systemd-analyze', ['security', '--offline=true', '--no-pager', unit])
      const exposure = Number(/Overall exposure level for \S+: ([\d.]+)/.exec(said)?.[1])
      assert.ok(exposure <= EXPOSURE_MAX, `exposure of ${service}: ${exposure}`)
    }
  })
}
