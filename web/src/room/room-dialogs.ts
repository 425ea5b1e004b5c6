/** Questions that few ask: one file. */
export { InviteGuest } from './invite-guest.tsx'
export { RecordDialog } from './record-dialog.tsx'
