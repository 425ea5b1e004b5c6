import { glob, mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { run } from '../commands.ts'
import { keep, keptAt } from '../kept.ts'
import { goProgram } from './go-program.ts'

/** Of the group SIG CLI of Kubernetes: the definitions of every resource, by version, as a server publishes them. */
const MODULE = 'sigs.k8s.io/kubectl-validate@v0.0.4'
const WITHIN = 'pkg/openapiclient/builtins'
const KEPT = 'kubernetes-schemas-v0.0.4'
/** Kinds of other projects, without definitions at hand. */
const FOREIGN = ['ServiceMonitor']
/** Of those that the module defines, the oldest that the chart promises and the newest. */
export const KUBERNETES = ['1.27', '1.30'] as const

const kubeconform = goProgram(
  'kubeconform',
  'github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0',
  'kubeconform',
)

interface Definition {
  properties?: Record<string, unknown>
  additionalProperties?: unknown
  'x-kubernetes-group-version-kind'?: { group: string; version: string; kind: string }[]
}

interface Document {
  components: { schemas: Record<string, Definition> }
}

/** Builds kubeconform, and packs the schemas that it reads. @returns why they cannot be had here */
export async function bringKubeconform(): Promise<string | undefined> {
  const missing = await kubeconform.install()
  if (missing) return missing
  try {
    await keep(KEPT, 'v1.30.0/service-v1.json', async (draft) => {
      const told = await run('go', ['mod', 'download', '-json', MODULE])
      const { Dir: folder } = JSON.parse(told.slice(told.indexOf('{'))) as { Dir: string }
      const documents = join(folder, WITHIN)
      for await (const path of glob(`{${KUBERNETES}}/{api,apis/*}/*.json`, { cwd: documents }))
        await packSchemas(await readFile(join(documents, path), 'utf8'), join(draft, path))
    })
  } catch (error) {
    return `definitions of Kubernetes cannot be had: ${(error as Error).message.split('\n')[0]}`
  }
  return undefined
}

/** One document of definitions that take no other fields than their own, and beside it a file for each kind that refers into it. */
async function packSchemas(text: string, path: string): Promise<void> {
  const document = JSON.parse(text) as Document
  const [version = ''] = /1\.\d+(?=\/apis?\/)/.exec(path) ?? []
  const folder = join(path.slice(0, path.indexOf(`${version}/api`)), `v${version}.0`)
  const whole = `of-${basename(dirname(path))}-${basename(path)}`
  await mkdir(folder, { recursive: true })
  for (const [name, definition] of Object.entries(document.components.schemas)) {
    if (definition.properties) definition.additionalProperties ??= false
    for (const { group, version, kind } of definition['x-kubernetes-group-version-kind'] ?? []) {
      const file = [kind.toLowerCase(), group.split('.')[0], version].filter(Boolean).join('-')
      const reference = { $ref: `${whole}#/components/schemas/${name}` }
      await writeFile(join(folder, `${file}.json`), JSON.stringify(reference))
    }
  }
  await writeFile(join(folder, whole), JSON.stringify(document))
}

/**
 * What kubeconform finds in a file of resources, a field that a definition does not have and a kind that the version
 * does not know included.
 * @param version as `1.30`
 */
export async function faultsOf(file: string, version: string): Promise<string> {
  const schemas = `${keptAt(KEPT, '')}/{{.NormalizedKubernetesVersion}}/{{.ResourceKind}}{{.KindSuffix}}.json`
  const asked = ['-strict', '-skip', FOREIGN.join(','), '-kubernetes-version', `${version}.0`]
  return await run(kubeconform.path, [...asked, '-schema-location', schemas, file]).catch(
    (error) => (error as Error).message,
  )
}
