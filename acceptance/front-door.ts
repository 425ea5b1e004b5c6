import { codes } from './front-door/codes.ts'
import { firstPerson } from './front-door/first-person.ts'
import { pages } from './front-door/pages.ts'
import { severalOrganizations } from './front-door/several-organizations.ts'
import { wire } from './front-door/wire.ts'
import type { Walk } from './walk.ts'

/** What a newcomer to an office meets: the ways in, and what is refused. */
export const frontDoor: Walk = {
  name: 'front-door',
  async run(office, steps) {
    await firstPerson(office, steps)
    await severalOrganizations(office, steps)
    await codes(office, steps)
    await wire(office, steps)
    await pages(office, steps)
  },
}
