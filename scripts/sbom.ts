import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { readCommandLine } from './command-line.ts'
import { billOfMaterials } from './releases/bill-of-materials.ts'

const USAGE = `npx node scripts/sbom.ts [file]

Writes the bill of materials of this checkout (CycloneDX), into .release/sbom.cdx.json where no file is named.`

const { positionals } = readCommandLine({ usage: USAGE, names: 1 })
const ROOT = join(import.meta.dirname, '..')
const file = resolve(positionals[0] ?? join(ROOT, '.release/sbom.cdx.json'))
mkdirSync(dirname(file), { recursive: true })
writeFileSync(file, billOfMaterials(ROOT))
console.log(file)
