import assert from 'node:assert/strict'
import { access, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readConfig } from '@atrium/server/src/configuration/config.ts'
import { settings } from '@atrium/server/src/configuration/settings.ts'
import { parse as parseYaml } from 'yaml'
import { run } from '../commands.ts'
import type { Check } from '../engine.ts'

const FOLDER = fileURLToPath(new URL('../../deploy/compose', import.meta.url))
/** What may be left out, because the office itself does without. */
const OPTIONAL = [
  ...['OFFICE_NAME', 'SECRET_KEY_PREVIOUS', 'SECRET_KEY_NEXT', 'METRICS_TOKEN'],
  ...['OPEN_FILES', 'AUTHORITY_FILE'],
]
/** What Node reads, and not the office. */
const OF_NODE = ['NODE_EXTRA_CA_CERTS']
/** Parts that others than their neighbours reach. */
const PUBLISHED = { proxy: ['80/tcp', '443/tcp', '443/udp'], livekit: ['7881/tcp', '7882/udp'] }

/** Parts that reach others than their neighbours, by which network. */
const OPEN: Readonly<Record<string, readonly string[]>> = {
  proxy: ['front'],
  livekit: ['outside'],
  atrium: ['outside'],
}

interface Service {
  image: string
  environment?: Record<string, string | null>
  healthcheck?: { test: string[] }
  restart?: string
  privileged?: boolean
  network_mode?: string
  networks: Record<string, unknown>
  ports?: { published: string; target: number; protocol: string }[]
  volumes?: { type: string; source: string }[]
}

interface Project {
  services: Record<string, Service>
  networks: Record<string, { internal?: boolean; ipam?: { config?: { subnet: string }[] } }>
}

/** @param programs the reference implementation of the specification, and Caddy */
export async function tryCompose(
  folder: string,
  programs: { composeSpec: string; caddy: string },
  check: Check,
): Promise<void> {
  const given = await exampleEnvironment()
  const text = await readFile(join(FOLDER, 'compose.yaml'), 'utf8')
  // its program knows no variables: what is given is put in before, and what is left it refuses
  const parse = async (environment: Record<string, string>) => {
    const file = join(folder, 'compose.yaml')
    const given = text.replaceAll(/\$\{(\w+):\?[^}]*\}/g, (asked, name) => environment[name] ?? asked)
    await writeFile(file, given)
    return JSON.parse(await run(programs.composeSpec, ['--format', 'json', file], { cwd: FOLDER })) as Project
  }
  let project: Project | undefined
  await check('the compose file is one by the specification, with what its example names', async () => {
    project = await parse(given)
  })
  if (!project) return
  const { services, networks } = project

  await check('nothing has a default that somebody could forget to change', async () => {
    const asked = [...text.matchAll(/\$\{(\w+)(:?[-?])?/g)].map(([, name = '', form]) => ({ name, form }))
    for (const { name, form } of asked)
      assert.equal(form, OPTIONAL.includes(name) ? ':-' : ':?', `${name} is asked for by ${form}`)
    assert.deepEqual(
      Object.keys(given).sort(),
      [...new Set(asked.map(({ name }) => name))].filter((name) => !OPTIONAL.includes(name)).sort(),
    )
    for (const name of Object.keys(given)) {
      const { [name]: _, ...others } = given
      await assert.rejects(parse(others), new RegExp(`variable ${name} is missing`), name)
    }
  })
  await check('the office would open with the settings that it is given', async () => {
    for (const service of ['atrium', 'migrate']) configOf(services[service] as Service)
    const { baseUrl, broker, s3, trustProxy } = configOf(services.atrium as Service)
    assert.equal(baseUrl, 'https://office.example')
    assert.ok(broker.centrifugo && s3)
    const shared = Object.keys((services.proxy as Service).networks).filter(
      (network) => network in (services.atrium as Service).networks,
    )
    assert.equal(
      shared.length,
      1,
      `proxy and nodes share ${shared.join(', ')}: which one is used is Docker's choice`,
    )
    assert.deepEqual(trustProxy, [networks[shared[0] ?? '']?.ipam?.config?.[0]?.subnet])
  })
  await check('each part is a pinned version, is looked at, and comes back', async () => {
    for (const [name, service] of Object.entries(services)) {
      assert.match(service.image, /:v?\d+\.\d+\.?\d*[\w.-]*$/, name)
      const once = service.restart === 'no'
      assert.equal(service.restart, once ? 'no' : 'unless-stopped', name)
      if (!once) assert.ok(service.healthcheck?.test.length, `${name} has no healthcheck`)
      assert.ok(!service.privileged && service.network_mode === undefined, name)
      for (const { type, source } of service.volumes ?? []) if (type === 'bind') await access(source)
    }
  })
  await check('only the proxy and the media server are reached from outside', async () => {
    const published = Object.entries(services).flatMap(([name, { ports = [] }]) =>
      ports.map((port) => [name, `${port.published}/${port.protocol}`]),
    )
    assert.deepEqual(
      published,
      Object.entries(PUBLISHED)
        .flatMap(([name, ports]) => ports.map((port) => [name, port]))
        .sort(byName(services)),
    )
    for (const [name, { networks: joined }] of Object.entries(services)) {
      const open = Object.keys(joined).filter((network) => !networks[network]?.internal)
      assert.deepEqual(open, OPEN[name] ?? [], name)
    }
  })
  await check('LiveKit listens for media in the one network that is published', async () => {
    const { livekit } = services as { livekit: Service }
    const file = await readFile(join(FOLDER, '../livekit/livekit.yaml'), 'utf8')
    const { rtc } = parseYaml(file) as { rtc: { ips: { excludes: string[] } } }
    const hidden = Object.keys(livekit.networks).filter((name) => networks[name]?.internal)
    const subnets = hidden.map((name) => networks[name]?.ipam?.config?.[0]?.subnet)
    assert.deepEqual(subnets.sort(), rtc.ips.excludes.toSorted())
  })
  await check('Caddy understands the file of the proxy', async () => {
    const file = join(FOLDER, 'Caddyfile')
    const env = { ...given, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
    await run(programs.caddy, ['validate', '--adapter', 'caddyfile', '--config', file], { env })
    assert.equal(await run(programs.caddy, ['fmt', file], { env }), await readFile(file, 'utf8'))
  })
}

/** Every name of the example, filled in as it asks. */
async function exampleEnvironment(): Promise<Record<string, string>> {
  const text = await readFile(join(FOLDER, 'compose.env.example'), 'utf8')
  const lines = text.split('\n').filter((line) => /^\w+=/.test(line))
  return Object.fromEntries(
    lines.map((line) => {
      const [name = '', value = ''] = line.split(/=(.*)/)
      if (value) return [name, value]
      if (name === 'SMTP_URL') return [name, 'smtp://mail.example:587']
      if (name === 'MAIL_FROM') return [name, 'Office <office@office.example>']
      return [name, `${name}-8f3a91c7e2d4b650a1f9c3d7e5b1`]
    }),
  )
}

/** @throws ConfigurationProblem where the office would not start, AssertionError where a name is no setting */
function configOf({ environment = {} }: Service) {
  const names = new Set<string>([...settings.map(({ name }) => name), ...OF_NODE])
  for (const name of Object.keys(environment)) assert.ok(names.has(name), `${name} is no setting`)
  return readConfig(environment as Record<string, string>, '/app')
}

function byName(services: Record<string, Service>) {
  const order = Object.keys(services)
  return ([one = '']: string[], [other = '']: string[]) => order.indexOf(one) - order.indexOf(other)
}
