import type { SuccessBody } from '@atrium/client'

/** The room that a link leads to, its organization and its inviter. */
export type Invite = SuccessBody<'previewGuestInvite'>
