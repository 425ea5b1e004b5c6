import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readConfig } from '@atrium/server/src/configuration/config.ts'
import { settings } from '@atrium/server/src/configuration/settings.ts'
import { parse, parseAllDocuments } from 'yaml'
import { run } from '../commands.ts'
import type { Check } from '../engine.ts'
import { faultsOf, KUBERNETES } from './kubernetes-definitions.ts'

const CHART = fileURLToPath(new URL('../../deploy/helm/atrium', import.meta.url))
const PAGE = fileURLToPath(new URL('../../docs/operations/install-kubernetes.md', import.meta.url))

type Labels = Record<string, string>

// biome-ignore lint/suspicious/noExplicitAny: whatever a chart renders
type Resource = any

/** What an operator has to say, and no more. */
const LEAST = {
  image: { repository: 'registry.example/atrium' },
  settings: { BASE_URL: 'https://office.example', BROKER: 'centrifugo', STORAGE: 's3' },
  secrets: ['atrium'],
}
const ALL = {
  ...LEAST,
  image: { repository: 'registry.example/atrium', digest: `sha256:${'0'.repeat(64)}` },
  imagePullSecrets: [{ name: 'registry' }],
  secrets: ['atrium', 'atrium-mail'],
  ingress: { enabled: true, className: 'nginx', host: 'office.example', tlsSecret: 'office-tls' },
  autoscaling: { enabled: true },
  networkPolicy: {
    enabled: true,
    from: [{ namespaceSelector: { matchLabels: { name: 'ingress' } } }],
    metricsFrom: [{ namespaceSelector: { matchLabels: { name: 'monitoring' } } }],
  },
  metrics: {
    port: 9464,
    serviceMonitor: {
      enabled: true,
      labels: { release: 'prometheus' },
      tokenSecret: { name: 'atrium', key: 'METRICS_TOKEN' },
    },
  },
  serviceAccount: { annotations: { a: 'b' } },
  podAnnotations: { a: 'b' },
  podLabels: { team: 'office' },
  nodeSelector: { disk: 'ssd' },
  tolerations: [{ key: 'a', operator: 'Exists' }],
}
const REFUSED: [what: string, values: object, says: RegExp][] = [
  ['no image', { ...LEAST, image: { repository: '' } }, /repository/],
  ['the image of whatever day', { ...LEAST, image: { repository: 'a/b', tag: 'latest' } }, /tag/],
  ['http', { ...LEAST, settings: { ...LEAST.settings, BASE_URL: 'http://office.example' } }, /BASE_URL/],
  ['no secret', { ...LEAST, secrets: [] }, /secrets/],
  ['a word that it does not know', { ...LEAST, replica: 2 }, /replica/],
  ['an ingress without a host', { ...LEAST, ingress: { enabled: true } }, /host/],
  [
    'two embedded brokers',
    { ...LEAST, settings: { ...LEAST.settings, BROKER: 'embedded' } },
    /BROKER=centrifugo/,
  ],
  [
    'files that go with a pod',
    { ...LEAST, settings: { ...LEAST.settings, STORAGE: 'filesystem' } },
    /STORAGE=s3/,
  ],
]
/** What the Secrets would hold. */
const SECRETS = {
  SECRET_KEY: 'SECRET_KEY-8f3a91c7e2d4b650a1f9-8f3a91c7e2d4b650a1f9',
  DATABASE_URL: 'postgres://atrium:a@postgres/atrium',
  SMTP_URL: 'smtp://mail.example:587',
  BROKER_TOKEN_SECRET: 'BROKER_TOKEN_SECRET-8f3a91c7e2d4b650a1f9',
  BROKER_PROXY_SECRET: 'BROKER_PROXY_SECRET-8f3a91c7e2d4b650a1f9',
  CENTRIFUGO_API_KEY: 'CENTRIFUGO_API_KEY-8f3a91c7e2d4b650a1f9',
  LIVEKIT_API_SECRET: 'LIVEKIT_API_SECRET-8f3a91c7e2d4b650a1f9',
  S3_SECRET_ACCESS_KEY: 'S3_SECRET_ACCESS_KEY-8f3a91c7e2d4b650a1f9',
}

/** @param helm its program. kubeconform has been brought */
export async function tryChart(folder: string, helm: string, check: Check): Promise<void> {
  const home = join(folder, 'helm')
  await mkdir(home)
  const rendered = join(home, 'rendered.yaml')
  const env = { HOME: home, XDG_CACHE_HOME: home, XDG_CONFIG_HOME: home, XDG_DATA_HOME: home }
  const render = async (values: object, ...rest: string[]) => {
    const file = join(home, 'values.yaml')
    await writeFile(file, JSON.stringify(values))
    const asked = [
      'template',
      'office',
      CHART,
      '--namespace',
      'offices',
      '--values',
      file,
      '--kube-version',
      KUBERNETES[1],
      ...rest,
    ]
    const text = await run(helm, asked, { env })
    const resources = parseAllDocuments(text)
      .map((document) => document.toJS() as Resource)
      .filter(Boolean)
    return { text, resources }
  }
  await check('the chart is of this release, and Helm finds nothing to say about it', async () => {
    const chart = parse(await readFile(join(CHART, 'Chart.yaml'), 'utf8')) as Labels
    const file = join(home, 'lint.yaml')
    await writeFile(file, JSON.stringify(ALL))
    await run(helm, ['lint', '--strict', CHART, '--values', file], { env })
    const manifest = JSON.parse(await readFile(join(CHART, '../../../package.json'), 'utf8')) as Labels
    assert.deepEqual([chart.version, chart.appVersion], [manifest.version, manifest.version])
  })
  const documented = await documentedValues()
  for (const [name, values] of [
    ['least', LEAST],
    ['all', ALL],
    ['the documented', documented],
  ] as const)
    await check(`what it makes of ${name} values is what Kubernetes takes`, async () => {
      await writeFile(rendered, (await render(values)).text)
      for (const version of KUBERNETES) assert.equal(await faultsOf(rendered, version), '')
    })
  await check('what Kubernetes would not take is found', async () => {
    const { resources } = await render(ALL)
    const [deployment] = of(resources, 'Deployment')
    deployment.spec.template.spec.containers[0].livenesProbe = {}
    deployment.spec.replicas = 'two'
    await writeFile(rendered, JSON.stringify(deployment))
    const faults = await faultsOf(rendered, KUBERNETES[1])
    assert.match(faults, /additional properties 'livenesProbe' not allowed/)
    assert.match(faults, /'\/spec\/replicas': got string, want integer/)
    await writeFile(rendered, JSON.stringify({ ...deployment, apiVersion: 'apps/v1beta1' }))
    assert.match(await faultsOf(rendered, KUBERNETES[1]), /could not find schema for Deployment/)
  })
  await check('its pods may do little beside their work, and are asked how they are', async () => {
    const { resources } = await render(ALL)
    podsOf(resources).forEach(requireModest)
    const [{ spec: node }] = of(resources, 'Deployment').map(({ spec }) => spec.template) as [Resource]
    const [container] = node.containers
    assert.equal(container.readinessProbe.httpGet.path, '/health/ready')
    for (const probe of [container.livenessProbe, container.startupProbe])
      assert.equal(probe.httpGet.path, '/health/live')
    assert.ok(node.terminationGracePeriodSeconds > 60)
  })
  await check('the office would open with the documented settings', async () => {
    const { resources } = await render(documented)
    const names = new Set<string>(settings.map(({ name }) => name))
    for (const { spec } of podsOf(resources)) {
      const [{ env: given, envFrom }] = spec.containers
      const environment = Object.fromEntries((given as Resource[]).map(({ name, value }) => [name, value]))
      for (const name of Object.keys(environment)) assert.ok(names.has(name), `${name} is no setting`)
      assert.deepEqual(envFrom, [{ secretRef: { name: 'atrium' } }])
      assert.equal(readConfig({ ...environment, ...SECRETS }, '/app').environment, 'production')
    }
  })
  await check(
    'services, budgets and policies are of the nodes and of nothing else; the ingress shows no metrics',
    async () => {
      const { resources } = await render(ALL)
      const [deployment] = of(resources, 'Deployment')
      const [job] = of(resources, 'Job')
      const selectors: [string, Labels][] = [
        ...of(resources, 'Service').map(({ spec, metadata }): [string, Labels] => [
          metadata.name,
          spec.selector,
        ]),
        ['budget', of(resources, 'PodDisruptionBudget')[0].spec.selector.matchLabels],
        ['policy', of(resources, 'NetworkPolicy')[0].spec.podSelector.matchLabels],
      ]
      for (const [name, selector] of selectors) {
        assert.ok(has(deployment.spec.template.metadata.labels, selector), name)
        assert.ok(!has(job.spec.template.metadata.labels, selector), name)
      }
      assert.equal(
        of(resources, 'HorizontalPodAutoscaler')[0].spec.scaleTargetRef.name,
        deployment.metadata.name,
      )
      assert.equal(deployment.spec.replicas, undefined)
      const [ingress] = of(resources, 'Ingress')
      const { service } = ingress.spec.rules[0].http.paths[0].backend
      const target = of(resources, 'Service').find(({ metadata }) => metadata.name === service.name)
      assert.deepEqual(
        target.spec.ports.map(({ name }: Labels) => name),
        [service.port.name],
      )
      assert.equal(
        job.spec.template.spec.containers[0].image,
        deployment.spec.template.spec.containers[0].image,
      )
      const [monitor] = of(resources, 'ServiceMonitor')
      const watched = of(resources, 'Service').filter(({ metadata }) =>
        has(metadata.labels, monitor.spec.selector.matchLabels),
      )
      assert.deepEqual(
        watched.map(({ spec }) => spec.ports[0].name),
        ['metrics'],
      )
    },
  )
  await check('what would not work is refused in words before anything is installed', async () => {
    for (const [what, values, says] of REFUSED) await assert.rejects(render(values), says, what)
  })
}

/** As docs/operations/install-kubernetes.md has an operator write them. */
async function documentedValues(): Promise<object> {
  const [, written = ''] = / ```yaml\n(.*?) +```/s.exec(await readFile(PAGE, 'utf8')) ?? []
  return parse(written) as object
}

const of = (resources: readonly Resource[], kind: string): Resource[] =>
  resources.filter((resource) => resource.kind === kind)

const has = (labels: Labels, wanted: Labels) =>
  Object.entries(wanted).every(([name, value]) => labels[name] === value)

const podsOf = (resources: readonly Resource[]): Resource[] =>
  [...of(resources, 'Deployment'), ...of(resources, 'Job')].map(({ spec }) => spec.template)

/** What the restricted profile of Kubernetes asks for, and a root file system that takes no writes. */
function requireModest({ spec }: Resource): void {
  assert.equal(spec.automountServiceAccountToken, false)
  assert.equal(spec.securityContext.runAsNonRoot, true)
  assert.deepEqual(spec.securityContext.seccompProfile, { type: 'RuntimeDefault' })
  for (const { securityContext, image, resources } of spec.containers) {
    assert.equal(securityContext.readOnlyRootFilesystem, true)
    assert.equal(securityContext.allowPrivilegeEscalation, false)
    assert.deepEqual(securityContext.capabilities, { drop: ['ALL'] })
    assert.match(image, /@sha256:[0-9a-f]{64}$|:\d+\.\d+\.\d+$/)
    assert.ok(resources.requests.memory && resources.limits.memory)
  }
  for (const { hostPath } of spec.volumes) assert.equal(hostPath, undefined)
}
