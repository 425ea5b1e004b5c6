import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Bill {
  serialNumber: string
  metadata: { timestamp?: string; component: { name: string; 'bom-ref': string } }
  components: { 'bom-ref': string; purl: string }[]
  dependencies: { ref: string; dependsOn?: string[] }[]
}

interface Lockfile {
  packages: Record<string, { version?: string; dev?: true; link?: true }>
}

const PACKAGES = 'node_modules/'

/**
 * What a production install consists of (CycloneDX, JSON), read by npm from the lockfile alone: the same lockfile gives
 * the same text on every platform, whatever is installed and whenever it is asked.
 * @param root of the repository
 */
export function billOfMaterials(root: string): string {
  const command = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only']
  const { status, stdout, stderr, error } = spawnSync('npm', command, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  if (error) throw error
  if (status !== 0) throw new Error(`npm ${command.join(' ')} ended with ${status}\n${stderr}`)
  const bill = JSON.parse(stdout) as Bill
  // npm takes the name of the folder
  bill.metadata.component.name = (
    JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { name: string }
  ).name
  delete bill.metadata.timestamp
  // not by `--omit dev`: npm would leave out what both production and a development dependency ask for, such as jose
  const installed = productionPackages(root)
  bill.components = bill.components.filter(({ purl }) => installed.has(packageOf(purl)))
  const kept = new Set([
    ...bill.components.map((component) => component['bom-ref']),
    bill.metadata.component['bom-ref'],
  ])
  bill.dependencies = bill.dependencies.filter(({ ref }) => kept.has(ref))
  for (const dependency of bill.dependencies)
    dependency.dependsOn = dependency.dependsOn?.filter((ref) => kept.has(ref)).sort(compare) ?? []
  bill.components.sort((one, other) => compare(one['bom-ref'], other['bom-ref']))
  bill.dependencies.sort((one, other) => compare(one.ref, other.ref))
  bill.serialNumber = ''
  bill.serialNumber = `urn:uuid:${uuidOf(JSON.stringify(bill))}`
  return `${JSON.stringify(bill, null, 2)}\n`
}

/** Names and versions of what is installed without `--include dev`, on whichever platform. */
export function productionPackages(root: string): Set<string> {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lockfile
  const installed = Object.entries(packages).filter(([path, { dev, link }]) => path !== '' && !dev && !link)
  return new Set(installed.map(([path, { version }]) => `${nameAt(path, root)}@${version}`))
}

function nameAt(path: string, root: string): string {
  const at = path.lastIndexOf(PACKAGES)
  if (at >= 0) return path.slice(at + PACKAGES.length)
  return (JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8')) as { name: string }).name
}

/** `pkg:npm/%40scope/name@1.0.0` */
export function packageOf(purl: string): string {
  return decodeURIComponent(purl.replace('pkg:npm/', ''))
}

/** Made of the text alone, in the form of version 8. */
function uuidOf(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16)
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80
  return bytes.toString('hex').replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5')
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
