import type { Tx } from '../../../platform/database/database.ts'
import type { OrganizationId } from '../../../platform/ids.ts'

/** What members say of a recording, and until when they share it. */
export async function setAbout(
  tx: Tx,
  organization: OrganizationId,
  id: string,
  { name, sharedUntil }: { name?: string; sharedUntil?: Date | null },
): Promise<void> {
  await tx
    .updateTable('recordings')
    .set({ name, shared_until: sharedUntil })
    .where('organization_id', '=', organization)
    .where('id', '=', id)
    .execute()
}
