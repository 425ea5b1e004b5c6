import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { billOfMaterials } from './releases/bill-of-materials.ts'

/** `npm run sbom [file]`: the bill of materials of this checkout, in `.release/sbom.cdx.json` where no file is named. */

const ROOT = join(import.meta.dirname, '..')
const file = resolve(process.argv[2] ?? join(ROOT, '.release/sbom.cdx.json'))
mkdirSync(dirname(file), { recursive: true })
writeFileSync(file, billOfMaterials(ROOT))
console.log(file)
