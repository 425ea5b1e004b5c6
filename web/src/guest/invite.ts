import type { SuccessBody } from '@atrium/client'

/** Whose room a link leads to. */
export type Invite = SuccessBody<'previewGuestInvite'>
